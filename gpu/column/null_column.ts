/**
 * A column of nothing but nulls.
 *
 * @module
 */

import { byteWidth, type ColumnType, type HostColumn } from "./column.ts";
import { bitmapBytes } from "./bitmap.ts";

/** A column of `length` nulls; the values below the nulls are zeros, text and lists are empty. */
export function nullColumn(type: ColumnType, length: number): HostColumn {
  return {
    place: "host",
    type,
    length,
    nullCount: length,
    validity: length === 0 ? null : new Uint8Array(bitmapBytes(length)),
    data: new Uint8Array(type.kind === "bool" ? bitmapBytes(length) : length * byteWidth(type)),
    offsets: type.kind === "string" || type.kind === "list" ? new Int32Array(length + 1) : null,
    children: childTypes(type).map((child) =>
      nullColumn(child, type.kind === "struct" ? length : 0)
    ),
  };
}

function childTypes(type: ColumnType): readonly ColumnType[] {
  switch (type.kind) {
    case "list":
      return [type.item];
    case "struct":
      return type.fields;
    default:
      return [];
  }
}
