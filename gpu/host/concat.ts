/**
 * Columns one after the other, as one column.
 *
 * @module
 */

import { sameType } from "../backend.ts";
import { byteWidth, type ColumnType, type HostColumn } from "../column.ts";
import { OverflowError } from "../errors.ts";
import { bitmapBytes, filledBitmap, writeBits } from "./bitmap.ts";
import { sliceColumn } from "./slice.ts";

/** The largest position that an offset of 32 bits can hold. */
const MAX_OFFSET = 0x7fff_ffff;

/**
 * The rows of all columns, in order, each buffer in one allocation. One column alone comes back
 * as it is.
 *
 * Raises a TypeError without columns or where their types differ, and an OverflowError where the
 * text (or the items of lists) would need more than 2^31 - 1 positions.
 */
export function concatColumns(columns: readonly HostColumn[]): HostColumn {
  const first = columns[0];
  if (first === undefined) throw new TypeError("Cannot concatenate zero columns");
  if (columns.length === 1) return first;
  const type = first.type;
  if (!columns.every((column) => sameType(column.type, type))) {
    throw new TypeError("Cannot concatenate columns of different types");
  }
  const length = sum(columns, (column) => column.length);
  const offsets = first.offsets === null ? null : concatOffsets(columns, length);
  return {
    place: "host",
    type,
    length,
    nullCount: sum(columns, (column) => column.nullCount),
    validity: concatValidity(columns, length),
    data: concatData(columns, type, length, offsets),
    offsets,
    children: concatChildren(columns, type),
  };
}

function concatData(
  columns: readonly HostColumn[],
  type: ColumnType,
  length: number,
  offsets: Int32Array | null,
): Uint8Array {
  switch (type.kind) {
    case "bool":
      return concatBools(columns, length);
    case "string":
      return concatBytes(columns, offsets![length]!, textOf);
    case "list":
    case "struct":
      return new Uint8Array(0);
    default: {
      const width = byteWidth(type);
      return concatBytes(
        columns,
        length * width,
        (column) => column.data.subarray(0, column.length * width),
      );
    }
  }
}

function concatChildren(columns: readonly HostColumn[], type: ColumnType): HostColumn[] {
  switch (type.kind) {
    case "list":
      return [concatColumns(columns.map(itemsOf))];
    case "struct":
      return type.fields.map((_, field) =>
        concatColumns(columns.map((column) => column.children[field]!))
      );
    default:
      return [];
  }
}

/** The bytes of text that the rows of a string column use. */
function textOf(column: HostColumn): Uint8Array {
  const offsets = column.offsets!;
  return column.data.subarray(offsets[0]!, offsets[column.length]!);
}

/** The items that the rows of a list column use. */
function itemsOf(column: HostColumn): HostColumn {
  const offsets = column.offsets!;
  return sliceColumn(column.children[0]!, offsets[0]!, offsets[column.length]!);
}

function concatBytes(
  columns: readonly HostColumn[],
  numBytes: number,
  bytesOf: (column: HostColumn) => Uint8Array,
): Uint8Array {
  const data = new Uint8Array(numBytes);
  let position = 0;
  for (const column of columns) {
    const bytes = bytesOf(column);
    data.set(bytes, position);
    position += bytes.length;
  }
  return data;
}

function concatBools(columns: readonly HostColumn[], length: number): Uint8Array {
  const data = new Uint8Array(bitmapBytes(length));
  let position = 0;
  for (const column of columns) {
    writeBits(column.data, 0, data, position, column.length);
    position += column.length;
  }
  return data;
}

function concatValidity(columns: readonly HostColumn[], length: number): Uint8Array | null {
  if (columns.every((column) => column.nullCount === 0)) return null;
  const validity = new Uint8Array(bitmapBytes(length));
  let position = 0;
  for (const { length, nullCount, validity: part } of columns) {
    const bits = nullCount === 0 || part === null ? filledBitmap(length) : part;
    writeBits(bits, 0, validity, position, length);
    position += length;
  }
  return validity;
}

/** The offsets of all columns from 0, in one array. */
function concatOffsets(columns: readonly HostColumn[], length: number): Int32Array {
  const offsets = new Int32Array(length + 1);
  let row = 0;
  let position = 0;
  for (const column of columns) {
    const own = column.offsets!;
    const shift = position - own[0]!;
    position += own[column.length]! - own[0]!;
    if (position > MAX_OFFSET) throw overflow(column, row, shift);
    for (let i = 1; i <= column.length; i++) offsets[row + i] = own[i]! + shift;
    row += column.length;
  }
  return offsets;
}

function overflow(column: HostColumn, rowsBefore: number, shift: number): OverflowError {
  const own = column.offsets!;
  let row = 0;
  while (own[row + 1]! + shift <= MAX_OFFSET) row++;
  const stop = own[row + 1]! + shift;
  const what = column.type.kind === "string" ? "bytes of text" : "list items";
  return new OverflowError(
    `Cannot concatenate columns of more than 2147483647 ${what}`,
    rowsBefore + row,
    stop,
  );
}

function sum(columns: readonly HostColumn[], of: (column: HostColumn) => number): number {
  return columns.reduce((total, column) => total + of(column), 0);
}
