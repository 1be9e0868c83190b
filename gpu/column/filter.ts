/**
 * Filters columns by a mask.
 *
 * @module
 */

import type { HostColumn } from "./column.ts";
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

/** The most rows of a selection whose memory is used again: that of a whole batch has to be cleared. */
const SCRATCH_ROWS = 65_536;

let scratch: Int32Array | undefined;

/** Returns the rows where a bool column is true, ascending. */
export function selectTrue(mask: HostColumn): Int32Array {
  const numRows = mask.length;
  const { data } = mask;
  const validity = mask.nullCount === 0 ? null : mask.validity;
  const isScratch = numRows <= SCRATCH_ROWS;
  const selection = isScratch ? scratch ??= new Int32Array(SCRATCH_ROWS) : new Int32Array(numRows);
  let count = 0;
  // A word of bits at a time: only kept rows cost something.
  for (let first = 0; first < numRows; first += 32) {
    let bits = wordOfBits(data, first >> 3);
    if (validity !== null) bits &= wordOfBits(validity, first >> 3);
    if (first + 32 > numRows) bits &= (1 << (numRows - first)) - 1;
    for (; bits !== 0; bits &= bits - 1) {
      selection[count++] = first + 31 - Math.clz32(bits & -bits);
    }
  }
  return isScratch ? selection.slice(0, count) : selection.subarray(0, count);
}

/** Returns 32 bits from a byte on; those after the end of a bitmap are 0. */
function wordOfBits(bitmap: Uint8Array, at: number): number {
  return bitmap[at]! | (bitmap[at + 1]! << 8) | (bitmap[at + 2]! << 16) | (bitmap[at + 3]! << 24);
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
