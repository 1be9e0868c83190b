/**
 * Filters columns by a mask.
 *
 * @module
 */

import type { HostColumn } from "./column.ts";
import { andBitmaps } from "./bitmap.ts";
import { gatherColumns } from "./gather.ts";
import { sliceColumn } from "./slice.ts";

/** A slice keeps the whole input in memory, so it must have at least a quarter of its rows. */
const KEPT_SHARE = 4;

/**
 * Returns the rows of `columns` where the bool column `mask` is true, in order; false and null drop
 * a row. If every row stays, returns the same objects. Many contiguous rows are a slice of the
 * input.
 */
export function filterColumns(
  columns: readonly HostColumn[],
  mask: HostColumn,
): { readonly columns: HostColumn[]; readonly numRows: number } {
  const selection = selectTrue(mask);
  return { columns: takeRows(columns, selection, mask.length), numRows: selection.length };
}

/** Returns the rows where a bool column is true, ascending. */
export function selectTrue(mask: HostColumn): Int32Array {
  const numRows = mask.length;
  const bits = andBitmaps(mask.data, mask.nullCount === 0 ? null : mask.validity, numRows)!;
  const selection = new Int32Array(numRows + 1);
  let count = 0;
  // Write every row; only kept ones advance the place of the next write.
  for (let row = 0; row < numRows; row++) {
    selection[count] = row;
    count += (bits[row >> 3]! >> (row & 7)) & 1;
  }
  return selection.subarray(0, count);
}

/**
 * Returns the rows of an ascending selection out of `numRows`, without a copy if they are
 * contiguous and many.
 */
export function takeRows(
  columns: readonly HostColumn[],
  selection: Int32Array,
  numRows: number,
): HostColumn[] {
  const count = selection.length;
  if (count === numRows) return [...columns];
  const first = selection[0] ?? 0;
  const last = selection[count - 1] ?? -1;
  if (last - first + 1 === count && count * KEPT_SHARE >= numRows) {
    return columns.map((column) => sliceColumn(column, first, first + count));
  }
  return gatherColumns(columns, selection, { mayMiss: false });
}
