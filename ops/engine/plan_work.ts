/**
 * Estimates the work of a plan before it runs.
 *
 * @module
 */

import type { Source } from "../../streams/plan/source.ts";
import type { RowPick } from "../../streams/rows/row_request.ts";
import { mostRows } from "../../streams/rows/row_slice.ts";
import type { PlanWork } from "./device_cost.ts";
import type { CompiledPlan } from "./prepare.ts";
import { numKernelsOf } from "./stage.ts";
import { JOINED_BYTES } from "./upload_batches.ts";

/** The assumed bytes of a row, where only the number of rows is known. */
const ROW_BYTES = 64;
/** The assumed bytes of a source of unknown size. */
const UNKNOWN_BYTES = 2 ** 30;
/** The assumed bytes of a batch that is not joined with others. */
const BATCH_BYTES = 1 << 20;

/** The work of a large plan of one step, to choose a device where there is no plan. */
export const LARGE_WORK: PlanWork = {
  bytes: UNKNOWN_BYTES,
  batchBytes: JOINED_BYTES,
  numSteps: 1,
  numKernels: 1,
};

/** Estimates the work of a plan from metadata, without reading rows. */
export async function planWork({ steps, rows, joinsSmall }: CompiledPlan, source: Source) {
  const numKernels = steps.map(({ stage }) => numKernelsOf(stage));
  return {
    bytes: await bytesOf(source, rows?.request ?? []),
    batchBytes: joinsSmall ? JOINED_BYTES : BATCH_BYTES,
    numSteps: numKernels.filter((count) => count > 0).length,
    numKernels: numKernels.reduce((sum, count) => sum + count, 0),
  } satisfies PlanWork;
}

/**
 * Estimates the bytes of the rows that are read, from the size of the source, or else its number of
 * rows.
 */
async function bytesOf(source: Source, request: readonly RowPick[]): Promise<number> {
  const picked = ROW_BYTES * Math.min(...request.map(mostPicked), Infinity);
  return Math.min(picked, source.numBytes ?? await bytesOfRows(source) ?? UNKNOWN_BYTES);
}

async function bytesOfRows(source: Source): Promise<number | undefined> {
  // Asking a server takes longer than the choice is worth.
  if (source.numRequests !== undefined) return undefined;
  // If counting fails, so will reading, which reports the error.
  const numRows = await source.numRows().catch(() => undefined);
  return numRows === undefined ? undefined : ROW_BYTES * numRows;
}

/** Returns the most rows that a pick can return. */
export function mostPicked(pick: RowPick): number {
  const parts = pick.kind === "slice" ? [pick] : pick.parts;
  return parts.reduce<number>(
    (sum, part) => sum + (typeof part === "number" ? 1 : mostRows(part)),
    0,
  );
}
