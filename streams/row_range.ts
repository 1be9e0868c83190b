/**
 * Ranges of rows, and cutting a batch to one.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";

/** Rows [start, stop) by position; both at least 0. */
export interface RowRange {
  readonly start: number;
  readonly stop: number;
}

/**
 * The rows of a batch that lie in [start, stop), where the batch begins at row `first` of the
 * stream. A batch that lies inside the range comes back as it is.
 */
export function sliceToRange(
  batch: RecordBatch,
  first: number,
  { start, stop }: RowRange,
): RecordBatch {
  const from = Math.max(0, start - first);
  const to = Math.min(batch.numRows, stop - first);
  return from === 0 && to === batch.numRows ? batch : batch.slice(from, Math.max(from, to));
}
