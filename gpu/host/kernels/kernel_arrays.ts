/**
 * The typed arrays that kernels read and write, for all rows of a batch or for some of them.
 *
 * @module
 */

import { byteWidth, type ColumnType, type HostColumn } from "../../column/column.ts";
import {
  type CallingConvention,
  COPY_ROOM,
  type KernelArray,
} from "../../kernel/emit/host/calling_convention.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";

/** A range of rows; the first is a multiple of 8. */
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

/** Creates the array for a fixed-width result. */
export function resultArray(type: ColumnType, numRows: number, asFloats: boolean): ArrayBufferView {
  switch (type.kind) {
    case "bool":
      return new Uint8Array((numRows + 7) >> 3);
    case "float":
      if (asFloats) return floatArray(type.bits, new ArrayBuffer(numRows * type.bits / 8));
      return wordArray(type, new ArrayBuffer(numRows * type.bits / 8));
    default:
      return wordArray(type, new ArrayBuffer(numRows * byteWidth(type)));
  }
}

/**
 * Returns an array for a kernel, over columns of `numRows` rows; null if the column has no such
 * array.
 */
export function arrayFor(
  kernel: RowKernel,
  columns: readonly HostColumn[],
  wanted: KernelArray,
  numRows: number,
): ArrayBufferView | null {
  if (wanted.array === "literals") return withRoom(kernel.literals);
  if (wanted.array === "table") return kernel.tables[wanted.table] ?? null;
  const column = columns[wanted.column];
  if (column === undefined) throw new RangeError(`The kernel has no column ${wanted.column}`);
  switch (wanted.array) {
    case "data":
      return column.type.kind === "list" ? column.children[0]?.data ?? null : column.data;
    case "items":
      return column.children[0]?.offsets ?? null;
    case "itemsValid":
      return column.children[0]?.validity ?? null;
    case "offsets":
      return column.offsets;
    case "validity":
      return column.validity;
    case "words":
      return wordArray(column.type, ...fixedBytes(column, numRows));
    case "floats": {
      const bits = column.type.kind === "float" ? column.type.bits : 64;
      return floatArray(bits, ...fixedBytes(column, numRows));
    }
  }
}

/**
 * Returns the array for some rows, given the array for all `numRows` rows: a view of the part of
 * those rows, or all bytes of text, since offsets locate the rows.
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

/** Whether an array is the bytes of a text column. */
export function isTextOf(
  { columnTypes }: RowKernel,
  wanted: KernelArray,
): wanted is KernelArray & { readonly array: "data" } {
  return wanted.array === "data" && columnTypes[wanted.column]?.kind === "string";
}

/** Returns the index of a column's offsets among the arrays; -1 if the kernel takes none. */
export function offsetsIndex({ arrays }: CallingConvention, column: number): number {
  return arrays.findIndex((wanted) => wanted.array === "offsets" && wanted.column === column);
}

function bitsOf(bytes: NumberArray, start: number, stop: number): NumberArray {
  return bytes.subarray(start >> 3, (stop + 7) >> 3);
}

/** Returns the bytes of an array. */
export function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Copies constant bytes, with spare bytes after them that kernels may read. */
function withRoom(bytes: Uint8Array): Uint8Array {
  const roomy = new Uint8Array(bytes.length + COPY_ROOM);
  roomy.set(bytes);
  return roomy;
}

/** Returns the buffer, the place and the bytes of a fixed-width column's values. */
function fixedBytes(column: HostColumn, numRows: number): [ArrayBufferLike, number, number] {
  const { data } = column;
  return [data.buffer, data.byteOffset, numRows * byteWidth(column.type)];
}

/** Creates an array of integers of the width of a type; those of 64 bits are pairs. */
function wordArray(
  type: ColumnType,
  buffer: ArrayBufferLike,
  offset: number = 0,
  bytes: number = buffer.byteLength,
): ArrayBufferView {
  const isSigned = type.kind === "int" && type.signed;
  switch (byteWidth(type)) {
    case 1:
      return isSigned
        ? new Int8Array(buffer, offset, bytes)
        : new Uint8Array(buffer, offset, bytes);
    case 2:
      return isSigned
        ? new Int16Array(buffer, offset, bytes / 2)
        : new Uint16Array(buffer, offset, bytes / 2);
    default:
      return new Int32Array(buffer, offset, bytes / 4);
  }
}

function floatArray(
  bits: 16 | 32 | 64,
  buffer: ArrayBufferLike,
  offset: number = 0,
  bytes: number = buffer.byteLength,
): ArrayBufferView {
  if (bits === 16) return new Float16Array(buffer, offset, bytes / 2);
  return bits === 32
    ? new Float32Array(buffer, offset, bytes / 4)
    : new Float64Array(buffer, offset, bytes / 8);
}
