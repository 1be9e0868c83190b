/**
 * Arrays with a value for each group, and the columns that they become.
 *
 * @module
 */

import { bitmapBytes } from "../column/bitmap.ts";
import type { ColumnType, HostColumn } from "../column/column.ts";

/** A typed array that can be created by its length. */
interface Growable<T> {
  readonly length: number;
  set(values: T): void;
}

/** Returns an array with at least `length` elements, the given ones first and zeros after them. */
export function grown<T extends Growable<T>>(
  array: T,
  length: number,
): T {
  if (length <= array.length) return array;
  const Type = array.constructor as new (length: number) => T;
  const larger = new Type(Math.max(length, 2 * array.length, 64));
  larger.set(array);
  return larger;
}

/** Returns a column of values of fixed width. Groups for which `isValid` is 0 are null. */
export function valueColumn(
  type: ColumnType,
  data: Uint8Array,
  length: number,
  isValid?: Uint8Array,
): HostColumn {
  return {
    place: "host",
    type,
    length,
    ...validityOf(length, isValid),
    data,
    offsets: null,
    children: [],
  };
}

function validityOf(
  length: number,
  isValid: Uint8Array | undefined,
): Pick<HostColumn, "nullCount" | "validity"> {
  if (isValid === undefined) return { nullCount: 0, validity: null };
  const validity = new Uint8Array(bitmapBytes(length));
  let nullCount = 0;
  for (let group = 0; group < length; group++) {
    if (isValid[group] === 0) nullCount++;
    else validity[group >> 3]! |= 1 << (group & 7);
  }
  return nullCount === 0 ? { nullCount, validity: null } : { nullCount, validity };
}

/** Returns the bytes of a typed array of which only the first `length` elements count. */
export function firstBytes(
  array: Float64Array | Int32Array | BigInt64Array,
  length: number,
): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, length * array.BYTES_PER_ELEMENT);
}

export const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
export const FLOAT64: ColumnType = { kind: "float", bits: 64 };
