/** @module */

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
