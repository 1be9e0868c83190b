/**
 * Finds the long rows of a column on the host: of many rows together, where they are short together.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";

/** Rows that are looked at together at least; more where those before were short together. */
const GLANCE_ROWS = 64;

/**
 * The first row in [start, stop) that is long; `stop` where none is. `isLong` says it of the rows
 * [first, last) together; rows that are not long together have no long row among them.
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

/** The number of texts of a column that are longer than `bytes`; 0 for columns that are no text. */
export function countLongRows({ type, offsets, length }: HostColumn, bytes: number): number {
  if (type.kind !== "string" || offsets === null) return 0;
  if (offsets[length]! - offsets[0]! <= bytes) return 0;
  const isLong = (first: number, last: number) => offsets[last]! - offsets[first]! > bytes;
  let count = 0;
  for (let row = 0; (row = nextLongRow(row, length, isLong)) < length; row++) count++;
  return count;
}
