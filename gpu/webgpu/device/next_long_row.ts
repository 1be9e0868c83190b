/** @module */

/** Rows that are looked at together, since those of most columns have no long one among them. */
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
  for (let first = start; first < stop; first += GLANCE_ROWS) {
    const last = Math.min(stop, first + GLANCE_ROWS);
    if (!isLong(first, last)) continue;
    for (let row = first; row < last; row++) if (isLong(row, row + 1)) return row;
  }
  return stop;
}
