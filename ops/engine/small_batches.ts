/**
 * When small batches of a source are joined, and to what size.
 *
 * @module
 */

import type { OpenOptions } from "../../streams/source.ts";
import type { StageContext } from "./node.ts";
import { isRegroup } from "../regroup/regroup_node.ts";
import type { Step } from "./rules.ts";

/** What a batch costs besides its rows is small beside what so many rows cost, or so many bytes. */
const ROWS = 8192;
const BYTES = 1 << 20;

/** Whether nothing depends on where the batches of the source begin and end. */
export function mayJoin(steps: readonly Step[]): boolean {
  const regroup = steps.findIndex(({ node }) => isRegroup(node));
  const before = regroup < 0 ? steps : steps.slice(0, regroup);
  return !before.some(({ node }) => node.perBatch);
}

/** Joined batches have less text than would give them offsets of 64 bits. */
export function togetherLimits(
  { memory, offsets: { threshold } }: StageContext,
): NonNullable<OpenOptions["together"]> {
  return { rows: ROWS, bytes: Math.min(BYTES, memory, threshold - 1) };
}
