/**
 * Finds the long rows of a column on the host. It tests many rows together while they are short
 * together.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";

/**
 * The fewest rows that are tested together; the number doubles as long as they are short together.
 */
const GLANCE_ROWS = 64;

/**
 * Returns the first long row in [start, stop), or `stop` if there is none. `isLong` tests the rows
 * [first, last) together; if these are not long together, none of them is long.
 */
export function nextLongRow(
  start: number,
  stop: number,
  isLong: (first: number, last: number) => boolean,
): number {
  let numRows = GLANCE_ROWS;
  for (let first = start; first < stop;) {
    const last = Math.min(stop, first + numRows);
    if (isLong(first, last)) {
      if (numRows > GLANCE_ROWS) {
        numRows /= 2;
        continue;
      }
      for (let row = first; row < last; row++) if (isLong(row, row + 1)) return row;
    } else numRows *= 2;
    first = last;
  }
  return stop;
}

/** Returns the number of texts of a column that are longer than `bytes`; 0 for other types. */
export function countLongRows({ type, offsets, length }: HostColumn, bytes: number): number {
  if (type.kind !== "string" || offsets === null) return 0;
  if (offsets[length]! - offsets[0]! <= bytes) return 0;
  const isLong = (first: number, last: number) => offsets[last]! - offsets[first]! > bytes;
  let count = 0;
  for (let row = 0; (row = nextLongRow(row, length, isLong)) < length; row++) count++;
  return count;
}
