/**
 * What lies below nulls, taken out before it is written. It may be anything, but readers have been
 * seen to look at it: Polars and parquet-wasm refuse bytes that are not UTF-8 there, and indices that
 * are negative.
 *
 * @module
 */

import type { Data } from "apache-arrow";

/** Text or bytes: where each row starts, and the last one stops, in the bytes of all. */
interface RowBytes {
  readonly valueOffsets: Int32Array | BigInt64Array;
  readonly values: Uint8Array;
}

/** The offsets and bytes of a column, with nothing below its nulls; its own where that is so. */
export function emptyNulls(data: Data): RowBytes {
  const { length, nullCount } = data;
  const given = data.valueOffsets as RowBytes["valueOffsets"] | undefined;
  const values = data.values as Uint8Array;
  if (given === undefined || given.length === 0 || nullCount === 0) {
    return { valueOffsets: given ?? new Int32Array(0), values };
  }
  const isValid = (row: number) => !isNullAt(data, row);
  const isEmpty = (row: number) => given[row] === given[row + 1];
  let row = 0;
  while (row < length && (isEmpty(row) || isValid(row))) row++;
  if (row === length) return { valueOffsets: given, values };
  const valueOffsets = given.slice(0, length + 1);
  const kept = new Uint8Array(Number(given[length]) - Number(given[0]));
  let size = 0;
  for (row = 0; row < length; row++) {
    valueOffsets[row] = typeof given[0] === "bigint" ? BigInt(size) : size;
    if (!isValid(row)) continue;
    const bytes = values.subarray(Number(given[row]), Number(given[row + 1]));
    kept.set(bytes, size);
    size += bytes.length;
  }
  valueOffsets[length] = typeof given[0] === "bigint" ? BigInt(size) : size;
  return { valueOffsets, values: kept.subarray(0, size) };
}

/** The indices of a dictionary column with 0 below its nulls; its own where that is so. */
export function zeroNulls(data: Data): ArrayBufferView {
  const { length, nullCount } = data;
  const indices = data.values as Int32Array | BigInt64Array;
  if (nullCount === 0) return indices;
  let row = 0;
  while (row < length && (Number(indices[row]) === 0 || !isNullAt(data, row))) row++;
  if (row === length) return indices;
  const zeroed = indices.slice(0, length);
  for (; row < length; row++) {
    if (isNullAt(data, row)) zeroed[row] = (typeof zeroed[row] === "bigint" ? 0n : 0) as never;
  }
  return zeroed;
}

function isNullAt({ nullBitmap, offset }: Data, row: number): boolean {
  return ((nullBitmap[(offset + row) >> 3]! >> ((offset + row) & 7)) & 1) === 0;
}
