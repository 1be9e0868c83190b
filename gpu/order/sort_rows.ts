/**
 * A sort of rows by float64 keys.
 *
 * A radix sort from the least significant digit on (Knuth, The Art of Computer Programming 3, 5.2.5) of
 * the bits of the keys, changed so that they count up with the numbers. A digit that is the same in all
 * keys costs only a pass of counting; most digits of small integers are.
 *
 * @module
 */

import type { CompareTies } from "./order_keys.ts";

const DIGIT_BITS = 11;
const NUM_DIGITS = 1 << DIGIT_BITS;

/**
 * Returns rows, sorted by their keys. Rows with equal keys keep their order unless `ties` tells them
 * apart. No key is NaN or -0.
 */
export function sortRows(
  keys: Float64Array,
  rows: Int32Array,
  ties: CompareTies | null = null,
): Int32Array {
  const sorted = isSorted(keys, rows) ? rows.slice() : sortKeys(keys, rows);
  if (ties !== null) sortTies(keys, sorted, ties);
  return sorted;
}

function isSorted(keys: Float64Array, rows: Int32Array): boolean {
  for (let at = 1; at < rows.length; at++) {
    if (keys[rows[at - 1]!]! > keys[rows[at]!]!) return false;
  }
  return true;
}

function sortKeys(keys: Float64Array, rows: Int32Array): Int32Array {
  const low = new Uint32Array(rows.length);
  const high = new Uint32Array(rows.length);
  readBits(keys, rows, low, high);
  // Positions in `rows`, sorted digit by digit.
  let order: Int32Array = Int32Array.from(rows, (_, position) => position);
  let other: Int32Array = new Int32Array(rows.length);
  for (const words of [low, high]) {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      if (sortByDigit(words, shift, order, other)) [order, other] = [other, order];
    }
  }
  return order.map((position) => rows[position]!);
}

/** Reads the bits of the keys as unsigned words that count up with the keys. */
function readBits(
  keys: Float64Array,
  rows: Int32Array,
  low: Uint32Array,
  high: Uint32Array,
): void {
  const bits = new Int32Array(keys.buffer, keys.byteOffset, 2 * keys.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    // The greater a negative number, the smaller its bits.
    const sign = bits[2 * row + 1]! >> 31;
    low[at] = bits[2 * row]! ^ sign;
    high[at] = bits[2 * row + 1]! ^ (sign | 0x8000_0000);
  }
}

/** Writes the order sorted by a digit to `target`. Returns false if all digits are equal. */
function sortByDigit(
  words: Uint32Array,
  shift: number,
  order: Int32Array,
  target: Int32Array,
): boolean {
  const starts = new Int32Array(NUM_DIGITS + 1);
  for (let at = 0; at < words.length; at++) {
    starts[((words[at]! >>> shift) & (NUM_DIGITS - 1)) + 1]!++;
  }
  if (starts.includes(words.length)) return false;
  for (let digit = 0; digit < NUM_DIGITS; digit++) starts[digit + 1]! += starts[digit]!;
  for (let at = 0; at < order.length; at++) {
    const position = order[at]!;
    target[starts[(words[position]! >>> shift) & (NUM_DIGITS - 1)]!++] = position;
  }
  return true;
}

/** Sorts each run of rows with one key. */
function sortTies(keys: Float64Array, sorted: Int32Array, ties: CompareTies): void {
  for (let start = 0; start < sorted.length;) {
    const key = keys[sorted[start]!]!;
    let stop = start + 1;
    while (stop < sorted.length && keys[sorted[stop]!] === key) stop++;
    // Sorts of JavaScript are stable, those of typed arrays too.
    if (stop - start > 1) sorted.subarray(start, stop).sort(ties);
    start = stop;
  }
}
