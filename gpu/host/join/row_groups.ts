/**
 * The rows of the build side, grouped by equal keys.
 *
 * @module
 */

/** For each first row of a key, all rows with that key, in the order of the build side. */
export interface RowGroups {
  /** The rows of the key that row r has first: `rows[starts[r]]` to before `rows[starts[r + 1]]`. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/**
 * Groups rows by the first row that has their key (-1 for a row without one). Null where each row
 * is the first: every key is unique.
 */
export function groupRows(firstRows: Int32Array): RowGroups | null {
  const numRows = firstRows.length;
  const starts = new Int32Array(numRows + 1);
  let numKeys = 0;
  let unique = true;
  for (let row = 0; row < numRows; row++) {
    const first = firstRows[row]!;
    if (first < 0) continue;
    numKeys++;
    starts[first + 1]!++;
    if (first !== row) unique = false;
  }
  if (unique) return null;
  for (let row = 0; row < numRows; row++) starts[row + 1]! += starts[row]!;
  const next = starts.slice();
  const rows = new Int32Array(numKeys);
  for (let row = 0; row < numRows; row++) {
    const first = firstRows[row]!;
    if (first >= 0) rows[next[first]!++] = row;
  }
  return { starts, rows };
}
