/**
 * Offsets of 64 bits, as integers in Arrow and as floats inside.
 *
 * @module
 */

import type { Offsets } from "../../gpu/column/column.ts";
import { MAX_NARROW_OFFSET } from "../../gpu/column/offsets.ts";

const WORD = 2 ** 32;

/** The first `length + 1` offsets less the first of them, in 32 bits where they fit. */
export function offsetsFromZero(offsets: BigInt64Array, length: number): Offsets {
  const words = new Int32Array(offsets.buffer, offsets.byteOffset, 2 * (length + 1));
  const span = Number(offsets[length]! - offsets[0]!);
  return span > MAX_NARROW_OFFSET ? wideFromZero(words, length) : narrowFromZero(words, length);
}

/** Low words minus the first low word are right as long as the span is below 2^31. */
function narrowFromZero(words: Int32Array, length: number): Int32Array {
  const narrow = new Int32Array(length + 1);
  const first = words[0]!;
  for (let row = 0; row <= length; row++) narrow[row] = (words[2 * row]! - first) | 0;
  return narrow;
}

function wideFromZero(words: Int32Array, length: number): Float64Array {
  const wide = new Float64Array(length + 1);
  const first = positionAt(words, 0);
  for (let row = 0; row <= length; row++) wide[row] = positionAt(words, row) - first;
  return wide;
}

function positionAt(words: Int32Array, row: number): number {
  return words[2 * row + 1]! * WORD + (words[2 * row]! >>> 0);
}

/** Offsets as Arrow has those of 64 bits. */
export function largeOffsets(offsets: Offsets): BigInt64Array {
  const large = new BigInt64Array(offsets.length);
  const words = new Int32Array(large.buffer);
  for (let row = 0; row < offsets.length; row++) {
    const position = offsets[row]!;
    words[2 * row] = position;
    words[2 * row + 1] = Math.floor(position / WORD);
  }
  return large;
}
