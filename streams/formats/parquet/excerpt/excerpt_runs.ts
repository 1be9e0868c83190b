/**
 * Maps the rows of an excerpt back to the runs that it was made for.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import type { RowRun } from "../../../rows/row_run.ts";
import type { SourceRows } from "../../../plan/source.ts";

/**
 * Yields the rows of each run. The batch has exactly these rows, in ascending order; the group
 * begins at row `first` of the file.
 */
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
