/**
 * Slices columns, without a copy wherever the layout allows it.
 *
 * @module
 */

import { byteWidth, type ColumnType, type HostColumn } from "./column.ts";
import { countSetBits, sliceBitmap } from "./bitmap.ts";

/** The nulls of a column. */
interface Nulls {
  readonly nullCount: number;
  readonly validity: Uint8Array | null;
}

/**
 * Returns the rows [start, stop) of a column. Shares text, children of lists and values of fixed
 * width; copies a bitmap that would not start on a byte, and values that would not start on a
 * multiple of 8 bytes. For all rows, returns the same object.
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
    // The offsets of a list still point into the whole child; the children of a struct are sliced
    // too.
    children: column.type.kind === "struct"
      ? children.map((child) => sliceColumn(child, start, stop))
      : children,
  };
}

/** Returns the items in the rows of a column of lists; undefined for other columns. */
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
