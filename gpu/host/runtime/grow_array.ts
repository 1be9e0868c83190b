/**
 * Arrays for results whose size is unknown before they are computed.
 *
 * @module
 */

import { MAX_NARROW_OFFSET } from "../../column/offsets.ts";
import { ColumnFullError } from "../../../base/errors/value_error.ts";

/** The elements added to every estimate. */
const SPARE = 256;

/** Returns the length of an array for about `expected` elements of a result. */
export function roomFor(expected: number): number {
  return Math.min(Math.ceil(expected) + SPARE, MAX_NARROW_OFFSET);
}

/**
 * Returns a longer array for `wanted` elements of a result, bytes of text or items, with the first
 * `kept` of the old ones; null if 32-bit offsets cannot address them.
 */
export function growArray<T extends Uint8Array | Int32Array>(
  old: T,
  kept: number,
  wanted: number,
): T | null {
  if (wanted > MAX_NARROW_OFFSET) return null;
  const Kind = old.constructor as new (length: number) => T;
  const grown = new Kind(roomFor(Math.max(wanted, 2 * old.length)));
  grown.set(old.subarray(0, kept));
  return grown;
}

/**
 * Does the same for generated code, for the elements of `row`; throws a `ColumnFullError` instead.
 */
export function growForKernel<T extends Uint8Array | Int32Array>(
  old: T,
  kept: number,
  wanted: number,
  row: number,
): T {
  return growArray(old, kept, wanted) ?? columnFull(old, wanted, row);
}

/** Throws that a column is full, with the unit of the array's elements. */
export function columnFull(array: Uint8Array | Int32Array, wanted: number, row: number): never {
  const unit = array instanceof Uint8Array ? "bytes" : "items";
  throw new ColumnFullError(`Size of output exceeds ${MAX_NARROW_OFFSET} ${unit}`, row, wanted);
}

/** The unused bytes that are acceptable after any array. */
const MAX_UNUSED_BYTES = 4096;

/**
 * Returns the first `length` elements of an array, as a copy if the rest would waste much memory.
 */
export function withoutSlack<T extends Uint8Array | Int32Array>(array: T, length: number): T {
  const used = array.subarray(0, length);
  const unused = array.byteLength - used.byteLength;
  return (unused > used.byteLength / 4 + MAX_UNUSED_BYTES ? used.slice() : used) as T;
}
