/** @module */

import type { ColumnType } from "../column/column.ts";
import type { KernelArray } from "../kernel/emit/host/calling_convention.ts";

/** Some rows, half open; the first is a multiple of 8. */
export interface Rows {
  readonly start: number;
  readonly stop: number;
}

/** A typed array. */
export type NumberArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Int32Array
  | Float16Array
  | Float32Array
  | Float64Array;

/**
 * What a kernel takes for some rows in place of the array for all `numRows` rows: the part of those
 * rows, without a copy; bytes of text as a whole, since offsets say where they are.
 */
export function partArray(
  { array }: KernelArray,
  type: ColumnType | undefined,
  whole: NumberArray | null,
  { start, stop }: Rows,
  numRows: number,
): NumberArray | null {
  if (whole === null) return null;
  switch (array) {
    case "offsets":
      return whole.subarray(start, stop + 1);
    case "validity":
      return bitsOf(whole, start, stop);
    case "data":
      return type?.kind === "bool" ? bitsOf(whole, start, stop) : whole;
    case "words":
    case "floats": {
      const width = whole.length / numRows;
      return whole.subarray(start * width, stop * width);
    }
    default:
      return whole;
  }
}

function bitsOf(bytes: NumberArray, start: number, stop: number): NumberArray {
  return bytes.subarray(start >> 3, (stop + 7) >> 3);
}

/** The bytes of an array. */
export function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
