/**
 * Arrays for results whose size is not known before they are computed.
 *
 * @module
 */

import { MAX_NARROW_OFFSET } from "../../column/offsets.ts";
import { ColumnFullError } from "../../../base/errors/value_error.ts";

/** Elements that are added to every estimate. */
const SPARE = 256;

/** Length of an array for about `expected` elements of a result. */
export function roomFor(expected: number): number {
  return Math.min(Math.ceil(expected) + SPARE, MAX_NARROW_OFFSET);
}

/**
 * A longer array for `wanted` elements of a result, bytes of text or items, with the first `kept` of
 * the old ones; null for more than offsets of 32 bits can address.
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

/** The same for generated code, which a ColumnFullError leaves; `row` asks for the elements. */
export function growForKernel<T extends Uint8Array | Int32Array>(
  old: T,
  kept: number,
  wanted: number,
  row: number,
): T {
  return growArray(old, kept, wanted) ?? columnFull(old, wanted, row);
}

/** Throws that a column is full, with the unit that the elements of the array have. */
export function columnFull(array: Uint8Array | Int32Array, wanted: number, row: number): never {
  const unit = array instanceof Uint8Array ? "bytes" : "items";
  throw new ColumnFullError(`Size of output exceeds ${MAX_NARROW_OFFSET} ${unit}`, row, wanted);
}

/** Bytes that may be unused behind any array. */
const MAX_UNUSED_BYTES = 4096;

/** The first `length` elements of an array, copied where the rest would waste much memory. */
export function withoutSlack<T extends Uint8Array | Int32Array>(array: T, length: number): T {
  const used = array.subarray(0, length);
  const unused = array.byteLength - used.byteLength;
  return (unused > used.byteLength / 4 + MAX_UNUSED_BYTES ? used.slice() : used) as T;
}
