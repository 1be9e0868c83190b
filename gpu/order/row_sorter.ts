/**
 * A sort of row numbers.
 *
 * @module
 */

/** The most rows that are sorted by insertion, which needs no call. */
const MAX_INSERTED = 32;

/** Bits for each row that are worth reading: fewer rows are sorted by comparison. */
const BITS_PER_ROW = 64;

/** Sorts distinct row numbers below a limit; many of them by a bitmap of all rows. */
export class RowSorter {
  readonly #numRows: number;
  #bits = new Int32Array(0);

  constructor(numRows: number) {
    this.#numRows = numRows;
  }

  /** Sorts the first `count` numbers in place, in ascending order. */
  sort(rows: Int32Array, count: number): void {
    if (count <= MAX_INSERTED) insertRows(rows, count);
    else if (count * BITS_PER_ROW < this.#numRows) rows.subarray(0, count).sort();
    else this.#sortByBits(rows, count);
  }

  #sortByBits(rows: Int32Array, count: number): void {
    if (this.#bits.length === 0) this.#bits = new Int32Array((this.#numRows + 31) >> 5);
    const bits = this.#bits;
    for (let at = 0; at < count; at++) bits[rows[at]! >> 5]! |= 1 << (rows[at]! & 31);
    let at = 0;
    for (let index = 0; at < count; index++) {
      let word = bits[index]!;
      if (word === 0) continue;
      bits[index] = 0;
      for (; word !== 0; word &= word - 1) rows[at++] = 32 * index + 31 - Math.clz32(word & -word);
    }
  }
}

function insertRows(rows: Int32Array, count: number): void {
  for (let next = 1; next < count; next++) {
    const row = rows[next]!;
    let at = next;
    for (; at > 0 && rows[at - 1]! > row; at--) rows[at] = rows[at - 1]!;
    rows[at] = row;
  }
}
