/**
 * The index of integer keys that lie close together: an array with one entry for each value
 * between the smallest and the greatest key. It needs no hash, no comparison and less memory than
 * a hash table.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { bitAt } from "../../column/bitmap.ts";
import type { BuiltIndex } from "./built_index.ts";
import type { TableMemory } from "./memory.ts";
import { BLOCK_ROWS, readIntKeys } from "../../key/key_words.ts";

/** Values for each key that the array may have; a hash table takes as much memory or more. */
const VALUES_PER_KEY = 4;
/** As few values as these are always worth an array. */
const FEW_VALUES = 1024;

/** The range of the keys that are not null. */
interface KeyRange {
  readonly least: { readonly low: number; readonly high: number };
  /** From the least to the greatest key, both counted; not exact above 2^53. */
  readonly numValues: number;
}

/** Builds the array. Returns null if the keys lie too far apart. */
export function buildDenseIndex(
  memory: TableMemory,
  key: HostColumn,
  width: 1 | 2,
): BuiltIndex | null {
  const range = keyRange(key, width);
  const mostValues = Math.max(VALUES_PER_KEY * (key.length - key.nullCount), FEW_VALUES);
  if (range === null || range.numValues > mostValues) return null;
  const { least, numValues } = range;
  // The last entry is 0, as empty ones are: the place of all keys out of range.
  const rows = memory.words(numValues + 1);
  const found = new Int32Array(key.length);
  forEachKey(key, width, (row, low) => {
    const value = (low - least.low) >>> 0;
    if (rows[value] === 0) rows[value] = row + 1;
    found[row] = rows[value]!;
  });
  return { places: { kind: "dense", width, rows: rows.byteOffset, numValues, least }, found };
}

/** Calls `each` for every row with a key. */
function forEachKey(
  key: HostColumn,
  width: 1 | 2,
  each: (row: number, low: number, high: number) => void,
): void {
  const read = readIntKeys(key, width);
  const { length, validity } = key;
  for (let start = 0; start < length; start += BLOCK_ROWS) {
    const stop = Math.min(start + BLOCK_ROWS, length);
    const { words, at } = read(start, stop);
    for (let row = start; row < stop; row++) {
      const word = at + (row - start) * width;
      if (validity !== null && bitAt(validity, row) === 0) continue;
      each(row, words[word]!, width === 1 ? 0 : words[word + 1]!);
    }
  }
}

/**
 * Returns the least key and the number of values. Pairs of words compare as signed integers of 64 bits:
 * unsigned keys above 2^63 have another order then, but the same distances.
 */
function keyRange(key: HostColumn, width: 1 | 2): KeyRange | null {
  if (key.length === key.nullCount) return null;
  // The first key replaces both.
  let leastHigh = Infinity;
  let leastLow = 0;
  let greatestHigh = -Infinity;
  let greatestLow = 0;
  // A key of one word is its own high part; of two words, the low one compares as unsigned.
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
