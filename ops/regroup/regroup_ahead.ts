/** @module */

import { isJoin } from "../join/join_node.ts";
import { isRegroup, regroupNode } from "./regroup_node.ts";
import type { Step } from "../engine/rules.ts";

/** Rows that are held for the sake of boundaries, at most. */
const MAX_ROWS = 131_072;

/**
 * Regroups the narrow rows of the source as well, where a regroup comes later: as long as what lies
 * between keeps every row (a join in which each finds one match does), the later one finds its
 * boundaries in place and copies nothing. The later one stays, and with it its promise.
 */
export function regroupAhead(steps: readonly Step[]): readonly Step[] {
  const later = steps.findIndex(({ node }) => isRegroup(node));
  if (later < 1) return steps;
  const { node, step } = steps[later]!;
  if (!isRegroup(node) || node.size.rows > MAX_ROWS) return steps;
  const { rows } = node.size;
  // An operator that promises less than the same rows may see the boundaries of its input.
  const keepsRows = steps.slice(0, later).every(({ node }) => node.rows === "same" || isJoin(node));
  if (!keepsRows) return steps;
  return [{ node: regroupNode({ rows, bytes: Infinity }), step }, ...steps];
}
