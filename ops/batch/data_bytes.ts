/**
 * How much memory the rows of a column hold, as Arrow data and as a column.
 *
 * @module
 */

import { type Data, DataType } from "apache-arrow";
import { type Column, isTextList, stringDataBytes } from "../../gpu/column/column.ts";

/**
 * Bytes of Arrow data; of text and bits, only those of the slice. apache-arrow's own sum fails for
 * nested data of no rows, which come without children or without buffers.
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
 * Bytes of the text of Arrow data; of nested text, those of the largest child. 0 where there is
 * none, or where it is in views or dictionaries, which have no offsets.
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

/** Bytes of the text of a column, or of the largest child of nested text; 0 where it has none. */
export function columnTextBytes(column: Column): number {
  if (column.type.kind === "string") {
    return column.place === "host" ? stringDataBytes(column) : column.dataBytes;
  }
  if (column.place === "host") return Math.max(0, ...column.children.map(columnTextBytes));
  return isTextList(column.type) ? column.dataBytes : 0;
}
