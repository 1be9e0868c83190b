/**
 * A range of the rows of a column, without a copy wherever the layout allows it.
 *
 * @module
 */

import { byteWidth, type ColumnType, type HostColumn } from "./column.ts";
import { countSetBits, sliceBitmap } from "./bitmap.ts";

/** The part of a column that says which rows are null. */
interface Nulls {
  readonly nullCount: number;
  readonly validity: Uint8Array | null;
}

/**
 * The rows [start, stop) of a column. Text, children of lists and values of fixed width are
 * shared; a bitmap that would not start on a byte and values that would not start on a multiple of
 * 8 bytes are copied. All rows: the same object.
 *
 * Expects `0 <= start <= stop <= length`.
 */
export function sliceColumn(column: HostColumn, start: number, stop: number): HostColumn {
  if (start === 0 && stop === column.length) return column;
  const { offsets, children } = column;
  return {
    place: "host",
    type: column.type,
    length: stop - start,
    ...sliceNulls(column, start, stop),
    data: sliceData(column.type, column.data, start, stop),
    offsets: offsets === null ? null : offsets.subarray(start, stop + 1),
    // The offsets of a list still point into the whole child; a struct's children are its rows.
    children: column.type.kind === "struct"
      ? children.map((child) => sliceColumn(child, start, stop))
      : children,
  };
}

/** The items that the rows of a column of lists have. */
export function itemsOf(
  { children: [items], offsets, length }: HostColumn,
): HostColumn | undefined {
  if (items === undefined || offsets === null) return undefined;
  const start = offsets[0] ?? 0;
  return sliceColumn(items, start, offsets[length] ?? start);
}

function sliceNulls(column: HostColumn, start: number, stop: number): Nulls {
  const { validity } = column;
  if (validity === null || column.nullCount === 0) return { nullCount: 0, validity: null };
  const nullCount = stop - start - countSetBits(validity, start, stop);
  return {
    nullCount,
    validity: nullCount === 0 ? null : sliceBitmap(validity, start, stop),
  };
}

function sliceData(type: ColumnType, data: Uint8Array, start: number, stop: number): Uint8Array {
  if (type.kind === "bool") return sliceBitmap(data, start, stop);
  const width = byteWidth(type);
  if (width === 0) return data;
  const firstByte = start * width;
  const stopByte = stop * width;
  return (data.byteOffset + firstByte) % 8 === 0
    ? data.subarray(firstByte, stopByte)
    : data.slice(firstByte, stopByte);
}
