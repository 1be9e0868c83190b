/**
 * The index of integer keys that lie close together: an array with one entry for each value between
 * the smallest and the greatest key. It needs no hash, no comparison, and less memory than a hash
 * table.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { bitAt } from "../../column/bitmap.ts";
import type { BuiltIndex } from "./built_index.ts";
import type { TableMemory } from "./memory.ts";
import { BLOCK_ROWS, readIntKeys } from "../../key/key_words.ts";

/** The most values for each key; a hash table takes at least as much memory. */
const VALUES_PER_KEY = 4;
/** The number of values up to which an array always pays. */
const FEW_VALUES = 1024;

/** The range of the keys that are not null. */
interface KeyRange {
  readonly least: { readonly low: number; readonly high: number };
  /** The number of values from the least to the greatest key; not exact above 2^53. */
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
  // The last entry stays 0, like empty ones: kernels use it for all keys out of range.
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
 * Returns the least key and the number of values. Pairs of words compare as signed 64-bit integers:
 * unsigned keys above 2^63 are ordered differently then, but have the same distances.
 */
function keyRange(key: HostColumn, width: 1 | 2): KeyRange | null {
  if (key.length === key.nullCount) return null;
  // The first key replaces both.
  let leastHigh = Infinity;
  let leastLow = 0;
  let greatestHigh = -Infinity;
  let greatestLow = 0;
  // A key of one word is its own high part. Of two words, the low one compares as unsigned.
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
