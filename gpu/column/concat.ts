/**
 * Concatenates columns.
 *
 * @module
 */

import { byteWidth, type ColumnType, type HostColumn, type Offsets, sameType } from "./column.ts";
import { OverflowError } from "../../base/errors/value_error.ts";
import { bitmapBytes, filledBitmap, writeBits } from "./bitmap.ts";
import { isWide, MAX_NARROW_OFFSET, newOffsets } from "./offsets.ts";
import { sliceColumn } from "./slice.ts";

/**
 * Concatenates the rows of all columns, with one allocation for each buffer. Returns a single
 * column unchanged.
 *
 * Text of more than 2^31 - 1 bytes gets 64-bit offsets. Throws a TypeError if there are no columns
 * or their types differ, and an OverflowError for more than 2^31 - 1 list items.
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
  checkItems(columns, offsets);
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
  offsets: Offsets | null,
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

/** Returns the bytes of text that the rows of a string column use. */
function textOf(column: HostColumn): Uint8Array {
  const offsets = column.offsets!;
  return column.data.subarray(offsets[0]!, offsets[column.length]!);
}

/** Returns the items that the rows of a list column use. */
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

/** Concatenates the offsets of all columns, rebased to 0. */
function concatOffsets(columns: readonly HostColumn[], length: number): Offsets {
  const offsets = newOffsets(length, sum(columns, spanOf));
  let row = 0;
  let position = 0;
  for (const column of columns) {
    const own = column.offsets!;
    const shift = position - own[0]!;
    position += spanOf(column);
    if (isWide(own) || isWide(offsets)) appendWide(offsets, row, own, column.length, shift);
    else appendNarrow(offsets, row, own, column.length, shift);
    row += column.length;
  }
  return offsets;
}

/** Writes the ends of `length` rows, moved by `shift`, after those of the first `row` rows. */
function appendNarrow(
  offsets: Int32Array,
  row: number,
  own: Int32Array,
  length: number,
  shift: number,
): void {
  for (let i = 1; i <= length; i++) offsets[row + i] = own[i]! + shift;
}

/**
 * Like `appendNarrow`, for any widths. It is separate, since code that has met both widths is
 * slower for 32 bits too.
 */
function appendWide(
  offsets: Offsets,
  row: number,
  own: Offsets,
  length: number,
  shift: number,
): void {
  for (let i = 1; i <= length; i++) offsets[row + i] = own[i]! + shift;
}

/** Returns the bytes of text, or the items of lists. */
function spanOf({ offsets, length }: HostColumn): number {
  return offsets![length]! - offsets![0]!;
}

/** Throws if lists have more items than 32-bit offsets can count. */
function checkItems(columns: readonly HostColumn[], offsets: Offsets | null): void {
  if (columns[0]?.type.kind !== "list" || offsets === null) return;
  const row = offsets.findIndex((position) => position > MAX_NARROW_OFFSET) - 1;
  if (row < 0) return;
  throw new OverflowError(
    `Size of output exceeds ${MAX_NARROW_OFFSET} items of lists at row ${row}`,
    row,
    offsets[row + 1]!,
  );
}

function sum(columns: readonly HostColumn[], of: (column: HostColumn) => number): number {
  return columns.reduce((total, column) => total + of(column), 0);
}
