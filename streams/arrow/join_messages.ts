/**
 * The columns of small record batches, made once for many of them.
 *
 * @module
 */

import { type Data, makeData } from "apache-arrow";
import { setBits } from "./bits.ts";
import type { FlatColumn, FlatMessage } from "./flat_messages.ts";

/** The columns of sound messages of one schema, at least one, in new buffers. */
export function joinMessages(messages: readonly FlatMessage[]): Data[] {
  const length = messages.reduce((sum, { numRows }) => sum + numRows, 0);
  return messages[0]!.columns.map((column) =>
    makeData({
      type: column.type,
      length,
      ...joinValidity(messages, column, length),
      ...joinContent(messages, column, length),
    } as never)
  );
}

function joinValidity(messages: readonly FlatMessage[], column: FlatColumn, length: number) {
  const nullCount = messages.reduce((sum, message) => sum + message.nullCount(column), 0);
  if (nullCount === 0) return { nullCount };
  const nullBitmap = new Uint8Array(Math.ceil(length / 8)).fill(255);
  let row = 0;
  for (const message of messages) {
    const { bytes, numRows } = message;
    if (message.nullCount(column) > 0) {
      setBits(nullBitmap, row, bytes, 8 * message.startOf(column.buffer), numRows);
    }
    row += numRows;
  }
  return { nullCount, nullBitmap };
}

function joinContent(messages: readonly FlatMessage[], column: FlatColumn, length: number) {
  if (column.offsetWords === 0) return { data: joinValues(messages, column, length) };
  const ends = joinOffsets(messages, column, length);
  const valueOffsets = column.offsetWords === 1 ? ends : BigInt64Array.from(ends, BigInt);
  return { valueOffsets, data: joinText(messages, column, ends[length]!) };
}

function joinValues(
  messages: readonly FlatMessage[],
  { buffer, valueBits }: FlatColumn,
  length: number,
): Uint8Array {
  const values = new Uint8Array(Math.ceil(valueBits * length / 8));
  let row = 0;
  for (const message of messages) {
    const { bytes, numRows } = message;
    const start = message.startOf(buffer + 1);
    if (valueBits === 1) setBits(values, row, bytes, 8 * start, numRows);
    else copyBytes(values, valueBits / 8 * row, bytes, start, valueBits / 8 * numRows);
    row += numRows;
  }
  return values;
}

/** The offsets of all rows, from 0. Small batches have few bytes, even many of them. */
function joinOffsets(
  messages: readonly FlatMessage[],
  column: FlatColumn,
  length: number,
): Int32Array<ArrayBuffer> {
  const offsets = new Int32Array(length + 1);
  let row = 0;
  for (const message of messages) {
    const shift = offsets[row]! - message.offset(column, 0);
    for (let i = 1; i <= message.numRows; i++) {
      offsets[row + i] = message.offset(column, i) + shift;
    }
    row += message.numRows;
  }
  return offsets;
}

function joinText(
  messages: readonly FlatMessage[],
  column: FlatColumn,
  numBytes: number,
): Uint8Array {
  const text = new Uint8Array(numBytes);
  let position = 0;
  for (const message of messages) {
    const first = message.offset(column, 0);
    const length = message.offset(column, message.numRows) - first;
    copyBytes(text, position, message.bytes, message.startOf(column.buffer + 2) + first, length);
    position += length;
  }
  return text;
}

/** A view for every few bytes would cost more than to copy them. */
const fewBytes = 64;

function copyBytes(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  start: number,
  length: number,
): void {
  if (length > fewBytes) target.set(source.subarray(start, start + length), at);
  else for (let i = 0; i < length; i++) target[at + i] = source[start + i]!;
}
