/** @module */

/** A checked number of rows: an integer of at least 0, else a RangeError. */
export function rowCount(numRows: number): number {
  if (!Number.isSafeInteger(numRows) || numRows < 0) {
    throw new RangeError(`A number of rows is an integer of at least 0, not ${numRows}`);
  }
  return numRows;
}
