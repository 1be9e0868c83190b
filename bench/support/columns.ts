/**
 * Makes columns for benches directly from numbers: ten million JavaScript strings would take longer than the
 * measured work.
 *
 * @module
 */

import {
  type Data,
  type DataType,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";

/** Makes a column of int32. */
export function int32Column(values: Int32Array): Data {
  return makeData({ type: new Int32(), length: values.length, nullCount: 0, data: values });
}

/** Makes a column of int64. */
export function int64Column(values: Int32Array): Data {
  const words = new Int32Array(2 * values.length);
  values.forEach((value, row) => {
    words[2 * row] = value;
    words[2 * row + 1] = value >> 31;
  });
  const data = new BigInt64Array(words.buffer);
  return makeData({ type: new Int64(), length: values.length, nullCount: 0, data });
}

/** Makes a column of float64. */
export function float64Column(values: Float64Array): Data {
  return makeData({ type: new Float64(), length: values.length, nullCount: 0, data: values });
}

/** Makes a column of text: each row is the text with that index. */
export function textColumn(texts: readonly string[], rows: Int32Array): Data {
  const encoder = new TextEncoder();
  const encoded = texts.map((text) => encoder.encode(text));
  const numBytes = rows.reduce((sum, row) => sum + encoded[row]!.length, 0);
  const data = new Uint8Array(numBytes);
  const valueOffsets = new Int32Array(rows.length + 1);
  let at = 0;
  rows.forEach((row, index) => {
    data.set(encoded[row]!, at);
    valueOffsets[index + 1] = at += encoded[row]!.length;
  });
  return makeData({ type: new Utf8(), length: rows.length, nullCount: 0, valueOffsets, data });
}

/** Makes a column of texts: a prefix and a number that is not negative, of at least `digits` digits. */
export function numberedColumn(prefix: string, values: Int32Array, digits = 1): Data {
  const head = new TextEncoder().encode(prefix);
  const valueOffsets = new Int32Array(values.length + 1);
  const room = new Uint8Array(values.length * (head.length + Math.max(digits, 10)));
  let at = 0;
  values.forEach((value, row) => {
    room.set(head, at);
    at += head.length;
    let size = digits;
    while (value >= 10 ** size) size++;
    for (let i = size - 1, left = value; i >= 0; i--, left = Math.floor(left / 10)) {
      room[at + i] = 0x30 + left % 10;
    }
    valueOffsets[row + 1] = at += size;
  });
  const data = room.slice(0, at);
  return makeData({ type: new Utf8(), length: values.length, nullCount: 0, valueOffsets, data });
}

/** Makes a record batch of columns without nulls. */
export function recordBatch(columns: Readonly<Record<string, Data>>): RecordBatch {
  const fields = Object.entries(columns).map(([name, { type }]) =>
    new Field(name, type as DataType, true)
  );
  const children = Object.values(columns);
  const length = children[0]?.length ?? 0;
  const data = makeData({ type: new Struct(fields), length, nullCount: 0, children });
  return new RecordBatch(new Schema(fields), data);
}

/** Returns the bytes of the columns of record batches. */
export function batchBytes(batches: readonly RecordBatch[]): number {
  let numBytes = 0;
  for (const { data: { children } } of batches) {
    for (const child of children) numBytes += child.byteLength;
  }
  return numBytes;
}
