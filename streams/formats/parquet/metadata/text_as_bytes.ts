/**
 * Reads text columns as bytes and converts them back: parquet-wasm rejects invalid UTF-8 without
 * saying where it is.
 *
 * @module
 */

import {
  Binary,
  type Data,
  DataType,
  type Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
} from "apache-arrow";
import { cellError } from "../../../../base/errors/wrap_error.ts";
import { nestedType } from "../../../data/offset_type.ts";
import { firstInvalid } from "../../../text/valid_utf8.ts";
import { decodeHint, encodeHint, hintKey } from "./hint.ts";
import { convertedType, type FileMetadata, physicalType, textOf } from "./metadata.ts";

/**
 * Returns metadata in which columns of text are columns of bytes; in the hint, dictionaries of text
 * stay.
 */
export function withTextAsBytes(metadata: FileMetadata): FileMetadata {
  const schema = metadata.schema!.map((element) => {
    const { type, convertedType: converted, logicalType } = element;
    const isText = converted === convertedType.utf8 || converted === convertedType.json ||
      logicalType?.string !== undefined || logicalType?.json !== undefined;
    if (type !== physicalType.byteArray || !isText) return element;
    return { ...element, convertedType: undefined, logicalType: undefined };
  });
  const keyValues = metadata.keyValues?.map((entry) => {
    const hint = textOf(entry.key) === hintKey ? decodeHint(entry.value)?.schema : undefined;
    if (hint === undefined) return entry;
    return { ...entry, value: encodeHint(new Schema(hint.fields.map(bytesField), hint.metadata)) };
  });
  return { ...metadata, schema, keyValues };
}

function bytesField(field: Field): Field {
  return field.clone({ type: bytesType(field.type) });
}

function bytesType(type: DataType): DataType {
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type)) {
    return new Binary();
  }
  if (DataType.isDictionary(type) || (type.children ?? []).length === 0) return type;
  return nestedType(type, type.children.map(bytesField));
}

/**
 * Converts columns of bytes back to the text of the batch's schema. The batch begins at row
 * `firstRow` of the file. Throws an error that names the row and column of the first invalid UTF-8,
 * unless `mayPass`.
 */
export function bytesAsText(batch: RecordBatch, firstRow: number, mayPass: boolean): RecordBatch {
  const { schema, data } = batch;
  const children = data.children.map((child, index) => {
    const { name, type } = schema.fields[index]!;
    const text = retyped(child, type);
    const row = mayPass ? -1 : firstInvalidRow(text);
    if (row < 0) return text;
    throw cellError(new RangeError("invalid UTF-8"), firstRow + row, name);
  });
  const type = new Struct(schema.fields);
  const { length } = batch.data;
  return new RecordBatch(schema, makeData({ type, length, nullCount: 0, children }));
}

/** Returns a column with another type: text has the same buffers as bytes. */
function retyped(data: Data, type: DataType): Data {
  const { offset, length, nullCount, buffers } = data;
  const children = data.children.map((child, index) => retyped(child, type.children[index]!.type));
  return data.clone(type, offset, length, nullCount, buffers, children);
}

/** Returns the first row with invalid UTF-8, also in lists and structs; -1 if there is none. */
function firstInvalidRow(data: Data): number {
  const type: DataType = data.type;
  const { length } = data;
  if (DataType.isUtf8(type)) {
    const offsets = (data.valueOffsets as Int32Array).subarray(0, length + 1);
    return length === 0 ? -1 : firstInvalid({ data: data.values as Uint8Array, offsets });
  }
  const rows = data.children.map((child) => {
    const value = firstInvalidRow(child);
    return value < 0 ? -1 : rowOf(data, value);
  }).filter((row) => row >= 0);
  return rows.length === 0 ? -1 : Math.min(...rows);
}

/** Returns the row of a list or struct that contains value `value` of its child. */
function rowOf({ type, valueOffsets, length }: Data, value: number): number {
  if (DataType.isFixedSizeList(type)) return Math.floor(value / type.listSize);
  const offsets = valueOffsets as Int32Array | undefined;
  if (offsets === undefined) return value;
  for (let row = 0; row < length; row++) if (value < offsets[row + 1]!) return row;
  return length - 1;
}
