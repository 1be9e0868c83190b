/**
 * Sends batches between threads: buffers are transferred, not copied.
 *
 * @module
 */

import {
  Data,
  type DataType,
  type Dictionary,
  makeData,
  RecordBatch,
  type Schema,
  Struct,
  Vector,
} from "apache-arrow";
import type { ColumnMessage, RowsAnswer } from "./messages.ts";

/** Returns a batch as a message, and the memory to transfer with it. */
export function batchMessage(
  batch: RecordBatch,
): { columns: ColumnMessage[]; transfer: ArrayBuffer[]; numBytes: number } {
  const memory = new Set<ArrayBuffer>();
  const columns = batch.data.children.map((data) => columnMessage(data, memory));
  const transfer = [...memory];
  const numBytes = transfer.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { columns, transfer, numBytes };
}

function columnMessage(data: Data, memory: Set<ArrayBuffer>): ColumnMessage {
  const { offset, length, nullCount, valueOffsets, values, nullBitmap, typeIds } = data;
  const buffers = [valueOffsets, values, nullBitmap, typeIds] as ColumnMessage["buffers"];
  // Empty views may share a buffer that others need.
  for (const view of buffers) {
    if (view !== undefined && view.byteLength > 0) memory.add(view.buffer);
  }
  const children = data.children.map((child) => columnMessage(child, memory));
  const dictionary = data.dictionary?.data.map((chunk) => columnMessage(chunk, memory));
  const column = { offset, length, nullCount, buffers, children };
  return dictionary === undefined ? column : { ...column, dictionary };
}

/** Rebuilds the batch of a message, whose columns are those of `schema`. */
export function batchOf({ columns, numRows }: RowsAnswer, schema: Schema): RecordBatch {
  const children = columns.map((column, index) => dataOf(column, schema.fields[index]!.type));
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: numRows, nullCount: 0, children }));
}

function dataOf(message: ColumnMessage, type: DataType): Data {
  const { offset, length, nullCount, buffers, dictionary } = message;
  const children = message.children.map((child, index) =>
    dataOf(child, type.children[index]!.type)
  );
  const values = dictionary?.map((chunk) => dataOf(chunk, (type as Dictionary).dictionary));
  const words = values === undefined ? [] : [new Vector(values)] as const;
  return new Data(type, offset, length, nullCount, buffers as never, children, ...words);
}
