/**
 * Cutting a batch to a range of rows of its stream.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import type { RowRange } from "./row_range.ts";

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
