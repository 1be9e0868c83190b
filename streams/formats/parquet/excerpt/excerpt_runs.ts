/**
 * From runs of rows to the rows of an excerpt, and back.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { numRowsOf, type RowRun } from "../../../rows/row_run.ts";
import type { SourceRows } from "../../../plan/source.ts";

/** The positions of runs, in their order. */
export function positionsOf(runs: readonly RowRun[]): Int32Array {
  const positions = new Int32Array(numRowsOf(runs));
  let index = 0;
  for (const { start, step, count } of runs) {
    for (let i = 0; i < count; i++) positions[index++] = start + i * step;
  }
  return positions;
}

/** The rows of each run in a batch that has nothing else, ascending; the group begins at row `first`. */
export function* excerptRuns(
  batch: RecordBatch,
  runs: readonly RowRun[],
  first: number,
): Generator<SourceRows, void, void> {
  let index = 0;
  for (const { start, step, count } of runs) {
    const own = { batch, firstRow: first + start - index * step, step };
    if (step < 0) {
      const last = { start: count - 1, step: count === 1 ? 1 : -1, count };
      yield { batch, runs: [last], firstRow: first + start + (count - 1) * step, step: -step };
    } else if (count === batch.numRows) yield own;
    else yield { ...own, runs: [{ start: index, step: 1, count }] };
    index += count;
  }
}
