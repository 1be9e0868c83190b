/**
 * Memory sizes of Arrow data and of columns.
 *
 * @module
 */

import { type Data, DataType } from "apache-arrow";
import { type Column, isTextList, stringDataBytes } from "../../gpu/column/column.ts";

/**
 * Bytes of Arrow data; for text and bits, only those of the slice. apache-arrow's own sum fails for
 * empty nested data, which may lack children or buffers.
 */
export function dataBytes(data: Data): number {
  if (data.length === 0) return 0;
  const { values, valueOffsets, nullBitmap, typeIds, variadicBuffers = [], children = [] } = data;
  const bitBytes = (bits: Uint8Array | undefined) =>
    Math.min(bits?.byteLength ?? 0, Math.ceil(data.length / 8));
  let bytes = isPlainText(data)
    ? ownTextBytes(data)
    : DataType.isBool(data.type)
    ? bitBytes(values)
    : values?.byteLength ?? 0;
  bytes += bitBytes(nullBitmap);
  for (const buffer of [valueOffsets, typeIds, ...variadicBuffers]) {
    bytes += buffer?.byteLength ?? 0;
  }
  for (const child of children) bytes += child === undefined ? 0 : dataBytes(child);
  return bytes;
}

/**
 * Bytes of text in Arrow data; for nested text, those of the largest child. 0 without text, or if it
 * is in views or dictionaries, which have no offsets.
 */
export function arrowTextBytes(data: Data): number {
  if (data.length === 0 || DataType.isDictionary(data.type)) return 0;
  if (isPlainText(data)) return ownTextBytes(data);
  return Math.max(
    0,
    ...data.children.map((child) => child === undefined ? 0 : arrowTextBytes(child)),
  );
}

function isPlainText({ type }: Data): boolean {
  return DataType.isUtf8(type) || DataType.isBinary(type) || DataType.isLargeUtf8(type) ||
    DataType.isLargeBinary(type);
}

function ownTextBytes({ length, valueOffsets }: Data): number {
  return length === 0 ? 0 : Number(valueOffsets[length]) - Number(valueOffsets[0]);
}

/** Bytes of text in a column; for nested text, those of the largest child. 0 without text. */
export function columnTextBytes(column: Column): number {
  if (column.type.kind === "string") {
    return column.place === "host" ? stringDataBytes(column) : column.dataBytes;
  }
  if (column.place === "host") return Math.max(0, ...column.children.map(columnTextBytes));
  return isTextList(column.type) ? column.dataBytes : 0;
}
