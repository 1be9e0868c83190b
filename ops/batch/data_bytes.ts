/**
 * Measures Arrow data and columns in bytes.
 *
 * @module
 */

import { type Data, DataType, Type } from "apache-arrow";
import { type Column, isTextList, stringDataBytes } from "../../gpu/column/column.ts";

/**
 * Returns the bytes of Arrow data; for text and bits, only those of the slice. apache-arrow's own
 * sum fails for empty nested data, which may lack children or buffers.
 */
export function dataBytes(data: Data): number {
  if (data.length === 0) return 0;
  const { values, valueOffsets, nullBitmap, typeIds, variadicBuffers, children } = data;
  let bytes = isPlainText(data)
    ? ownTextBytes(data)
    : DataType.isBool(data.type)
    ? bitBytes(values, data.length)
    : values?.byteLength ?? 0;
  bytes += bitBytes(nullBitmap, data.length);
  bytes += (valueOffsets?.byteLength ?? 0) + (typeIds?.byteLength ?? 0);
  for (const buffer of variadicBuffers ?? []) bytes += buffer?.byteLength ?? 0;
  for (const child of children ?? []) bytes += child === undefined ? 0 : dataBytes(child);
  return bytes;
}

function bitBytes(bits: Uint8Array | undefined, numBits: number): number {
  return Math.min(bits?.byteLength ?? 0, Math.ceil(numBits / 8));
}

/**
 * Returns the bytes of text in Arrow data; for nested text, those of the largest child. 0 without
 * text, or if the text is in views or dictionaries, which have no text offsets.
 */
export function arrowTextBytes(data: Data): number {
  if (data.length === 0 || DataType.isDictionary(data.type)) return 0;
  if (isPlainText(data)) return ownTextBytes(data);
  let most = 0;
  for (const child of data.children) {
    if (child !== undefined) most = Math.max(most, arrowTextBytes(child));
  }
  return most;
}

function isPlainText({ typeId }: Data): boolean {
  return typeId === Type.Utf8 || typeId === Type.Binary || typeId === Type.LargeUtf8 ||
    typeId === Type.LargeBinary;
}

function ownTextBytes({ length, valueOffsets }: Data): number {
  return length === 0 ? 0 : Number(valueOffsets[length]) - Number(valueOffsets[0]);
}

/**
 * Returns the bytes of text in a column; for nested text, those of the largest child. 0 without
 * text.
 */
export function columnTextBytes(column: Column): number {
  if (column.type.kind === "string") {
    return column.place === "host" ? stringDataBytes(column) : column.dataBytes;
  }
  if (column.place === "host") {
    let most = 0;
    for (const child of column.children) most = Math.max(most, columnTextBytes(child));
    return most;
  }
  return isTextList(column.type) ? column.dataBytes : 0;
}
