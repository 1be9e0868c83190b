/**
 * From the rows of an excerpt to the runs that it was made for.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import type { RowRun } from "../../../rows/row_run.ts";
import type { SourceRows } from "../../../plan/source.ts";

/**
 * Yields the rows of each run in a batch that has nothing else, ascending; the group begins at row `first`.
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
