/**
 * The index of integer keys that lie close together: an array with one entry for each value
 * between the smallest and the greatest key. It needs no hash, no comparison and less memory than
 * a hash table.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { bitAt } from "../../column/bitmap.ts";
import type { BuiltIndex, KeyIndex } from "./key_index.ts";
import { BLOCK_ROWS, type KeyBlock, readIntKeys } from "../../key/key_words.ts";

/** Values for each key that the array may have; a hash table takes as much memory or more. */
const VALUES_PER_KEY = 4;
/** So few values are worth an array in any case. */
const FEW_VALUES = 1024;

/** A key as two words; `high` is 0 where keys have one. */
interface WordPair {
  readonly low: number;
  readonly high: number;
}

/** The range of the keys that are not null. */
interface KeyRange {
  readonly least: WordPair;
  /** From the least to the greatest key, both counted; not exact above 2^53. */
  readonly numValues: number;
}

/** Builds the array, or nothing where the keys lie too far apart. */
export function buildDenseIndex(key: HostColumn, width: 1 | 2): BuiltIndex | null {
  const range = keyRange(key, width);
  const mostValues = Math.max(VALUES_PER_KEY * (key.length - key.nullCount), FEW_VALUES);
  if (range === null || range.numValues > mostValues) return null;
  const { least, numValues } = range;
  // One entry more, which is 0 as the empty ones are: the place of all keys out of range.
  const rows = new Int32Array(numValues + 1);
  const firstRows = new Int32Array(key.length);
  forEachKey(key, width, (row, low) => {
    const value = (low - least.low) >>> 0;
    if (rows[value] === 0) rows[value] = row + 1;
    firstRows[row] = rows[value]! - 1;
  }, (row) => firstRows[row] = -1);
  return { index: new DenseIndex(rows, least, width), firstRows };
}

/** Calls `each` for every row with a key, `eachNull` for the others. */
function forEachKey(
  key: HostColumn,
  width: 1 | 2,
  each: (row: number, low: number, high: number) => void,
  eachNull?: (row: number) => void,
): void {
  const read = readIntKeys(key, width);
  const { length, validity } = key;
  for (let start = 0; start < length; start += BLOCK_ROWS) {
    const stop = Math.min(start + BLOCK_ROWS, length);
    const { words, at } = read(start, stop);
    for (let row = start; row < stop; row++) {
      const word = at + (row - start) * width;
      if (validity !== null && bitAt(validity, row) === 0) eachNull?.(row);
      else each(row, words[word]!, width === 1 ? 0 : words[word + 1]!);
    }
  }
}

/**
 * The least key and the number of values. Pairs of words compare as signed integers of 64 bits:
 * for unsigned keys above 2^63 another order, but the same distances.
 */
function keyRange(key: HostColumn, width: 1 | 2): KeyRange | null {
  if (key.length === key.nullCount) return null;
  // The first key takes both places.
  let leastHigh = Infinity;
  let leastLow = 0;
  let greatestHigh = -Infinity;
  let greatestLow = 0;
  // Of one word, the key is its own high part; of two, the low one compares as unsigned.
  forEachKey(key, width, (_, first, second) => {
    const high = width === 1 ? first : second;
    const low = width === 1 ? 0 : first >>> 0;
    if (high < leastHigh || (high === leastHigh && low < leastLow)) {
      leastHigh = high;
      leastLow = low;
    }
    if (high > greatestHigh || (high === greatestHigh && low > greatestLow)) {
      greatestHigh = high;
      greatestLow = low;
    }
  });
  if (width === 1) {
    return { least: { low: leastHigh, high: 0 }, numValues: greatestHigh - leastHigh + 1 };
  }
  return {
    least: { low: leastLow | 0, high: leastHigh },
    numValues: (greatestHigh - leastHigh) * 2 ** 32 + (greatestLow - leastLow) + 1,
  };
}

class DenseIndex implements KeyIndex {
  readonly #rows: Int32Array;
  readonly #least: WordPair;
  readonly #width: 1 | 2;

  constructor(rows: Int32Array, least: WordPair, width: 1 | 2) {
    this.#rows = rows;
    this.#least = least;
    this.#width = width;
  }

  find(key: HostColumn, firstRows: Int32Array): void {
    const read = readIntKeys(key, this.#width);
    const find = this.#width === 1 ? findOneWord : findTwoWords;
    for (let start = 0; start < key.length; start += BLOCK_ROWS) {
      const stop = Math.min(start + BLOCK_ROWS, key.length);
      find(this.#rows, this.#least, read(start, stop), stop - start, firstRows, start);
    }
  }
}

// Below, `place` is the distance of a key from the least one, and `inside` -1 where that is within
// the range, else 0: a range never reaches 2^31, so that the sign of a difference tells. Keys in
// and out of range mix as they like, and a branch would be guessed wrong.

function findOneWord(
  rows: Int32Array,
  { low }: WordPair,
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
  rows: Int32Array,
  { low, high }: WordPair,
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
