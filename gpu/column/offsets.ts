/**
 * The two widths of the offsets of text.
 *
 * @module
 */

import type { Offsets } from "./column.ts";

/** The greatest position that a 32-bit offset can have. */
export const MAX_NARROW_OFFSET: number = 2 ** 31 - 1;

/** Whether offsets have 64 bits. */
export function isWide(offsets: Offsets): offsets is Float64Array {
  return offsets instanceof Float64Array;
}

/** Returns offsets for `length` rows, all 0, wide enough for positions up to `last`. */
export function newOffsets(length: number, last: number): Offsets {
  return last > MAX_NARROW_OFFSET ? new Float64Array(length + 1) : new Int32Array(length + 1);
}

/**
 * Returns the first `length + 1` offsets in 32 bits, rebased to 0. They must span less than 2^31.
 */
export function narrowOffsets(offsets: Offsets, length: number): Int32Array {
  const first = offsets[0] ?? 0;
  if (first === 0 && !isWide(offsets)) return offsets.subarray(0, length + 1);
  const narrow = new Int32Array(length + 1);
  for (let row = 0; row <= length; row++) narrow[row] = offsets[row]! - first;
  return narrow;
}
