/** @module */

import { ColumnFullError } from "./column_full.ts";
import { MAX_NARROW_OFFSET } from "../column/offsets.ts";

/** What is added to every estimate. */
const SPARE = 256;

/** How long an array for about `expected` elements of a result is made. */
export function roomFor(expected: number): number {
  return Math.min(Math.ceil(expected) + SPARE, MAX_NARROW_OFFSET);
}

/**
 * A longer array for `wanted` elements of a result, bytes of text or items, with the first `kept` of
 * those that there are. Raises a ColumnFullError with `row`, which asks for them, for more than offsets
 * address.
 */
export function growArray<T extends Uint8Array | Int32Array>(
  old: T,
  kept: number,
  wanted: number,
  row: number,
): T {
  if (wanted > MAX_NARROW_OFFSET) {
    const unit = old instanceof Uint8Array ? "bytes" : "items";
    throw new ColumnFullError(`Size of output exceeds ${MAX_NARROW_OFFSET} ${unit}`, row, wanted);
  }
  const Kind = old.constructor as new (length: number) => T;
  const grown = new Kind(roomFor(Math.max(wanted, 2 * old.length)));
  grown.set(old.subarray(0, kept));
  return grown;
}
