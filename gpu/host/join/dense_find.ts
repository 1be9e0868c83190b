/**
 * Lookups in an array with one entry for each value of a key.
 *
 * @module
 */

import { BLOCK_ROWS, type KeyBlock, type KeyReader } from "../../key/key_words.ts";

/** A key as two words; `high` is 0 where keys have one. */
export interface WordPair {
  readonly low: number;
  readonly high: number;
}

/** An array of rows + 1 by the distance of their key from the least one; 0 for a key without a row. */
export interface DenseTable {
  /** The last entry is 0: the place of all keys out of range. */
  readonly rows: Int32Array;
  readonly least: WordPair;
}

/**
 * Makes the function. Threads take along the source of this one, so nothing in it names anything from
 * outside.
 */
export function makeDenseFind(blockRows: number) {
  /** The first row of each of `numRows` keys, or -1; what is written for null rows means nothing. */
  function findDense(
    table: DenseTable,
    width: 1 | 2,
    read: KeyReader,
    numRows: number,
    firstRows: Int32Array,
  ): void {
    const find = width === 1 ? findOneWord : findTwoWords;
    for (let start = 0; start < numRows; start += blockRows) {
      const stop = Math.min(start + blockRows, numRows);
      find(table, read(start, stop), stop - start, firstRows, start);
    }
  }

  // Below, `place` is the distance of a key from the least one, and `inside` -1 where that is within
  // the range, else 0: a range never reaches 2^31, so that the sign of a difference tells. Keys in
  // and out of range mix as they like, and a branch would be guessed wrong.

  function findOneWord(
    { rows, least: { low } }: DenseTable,
    { words, at }: KeyBlock,
    numRows: number,
    firstRows: Int32Array,
    target: number,
  ): void {
    const numValues = rows.length - 1;
    for (let i = 0; i < numRows; i++) {
      const place = (words[at + i]! - low) | 0;
      const inside = ~(place >> 31) & ((place - numValues) >> 31);
      firstRows[target + i] = rows[(place & inside) | (numValues & ~inside)]! - 1;
    }
  }

  function findTwoWords(
    { rows, least: { low, high } }: DenseTable,
    { words, at }: KeyBlock,
    numRows: number,
    firstRows: Int32Array,
    target: number,
  ): void {
    const numValues = rows.length - 1;
    // The last place before the high word grows by one.
    const lastInHigh = Math.min(2 ** 32 - (low >>> 0), numValues) - 1;
    for (let i = 0; i < numRows; i++) {
      const place = (words[at + 2 * i]! - low) | 0;
      const carry = (lastInHigh - place) >>> 31;
      const different = words[at + 2 * i + 1]! ^ (high + carry);
      const inside = ~(place >> 31) & ((place - numValues) >> 31) &
        ~((different | (0 - different)) >> 31);
      firstRows[target + i] = rows[(place & inside) | (numValues & ~inside)]! - 1;
    }
  }

  return { findDense };
}

/** The function of this thread. */
export const { findDense } = makeDenseFind(BLOCK_ROWS);
