/**
 * Columns of text that repeat a few rows over and over: as large as wanted, and yet what any row of
 * a result must hold is known.
 */

import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { type Data, DataType, LargeUtf8, makeData } from "apache-arrow";
import { MAX_THRESHOLD } from "../../../ops/batch/offset_rule.ts";

/** The approximate number of bytes of one comparison. */
const BLOCK_BYTES = 1 << 24;

const encoder = new TextEncoder();

/** The texts over and over, `times` times, as a LargeUtf8 column. */
export function repeatedText(texts: readonly string[], times: number): Data<LargeUtf8> {
  const rows = texts.map((text) => encoder.encode(text));
  const period = rows.reduce((sum, { length }) => sum + length, 0);
  const data = new Uint8Array(times * period);
  const valueOffsets = new BigInt64Array(times * texts.length + 1);
  let at = 0;
  for (const [row, bytes] of rows.entries()) {
    data.set(bytes, at);
    at += bytes.length;
    valueOffsets[row + 1] = BigInt(at);
  }
  for (let filled = period; filled < data.length; filled *= 2) {
    data.copyWithin(filled, 0, Math.min(filled, data.length - filled));
  }
  for (let row = texts.length; row + 1 < valueOffsets.length; row++) {
    valueOffsets[row + 1] = valueOffsets[row + 1 - texts.length]! + BigInt(period);
  }
  const length = times * texts.length;
  return makeData({ type: new LargeUtf8(), length, nullCount: 0, data, valueOffsets });
}

/**
 * Asserts that a column holds the texts over and over, `numRows` rows in all: every null, every
 * offset, every byte, and that its offsets have 64 bits just where its text reaches the threshold.
 */
export function assertRepeatedText(
  data: Data,
  texts: readonly (string | null)[],
  numRows: number,
  threshold: number = MAX_THRESHOLD,
): void {
  assertEquals(data.length, numRows);
  assertNulls(data, texts.map((text) => text === null));
  const rows = texts.map((text) => encoder.encode(text ?? ""));
  const numBytes = assertOffsets(data, rows.map(({ length }) => length));
  const isWide = numBytes >= threshold;
  assert(isWide ? DataType.isLargeUtf8(data.type) : DataType.isUtf8(data.type), `${data.type}`);
  assertBytes(data, rows, numBytes);
}

function assertNulls(data: Data, nulls: readonly boolean[]): void {
  if (!nulls.includes(true)) {
    assertEquals(data.nullCount, 0);
    return;
  }
  for (let row = 0; row < data.length; row++) {
    if (data.getValid(row) === nulls[row % nulls.length]) throw new Error(`Row ${row} is wrong`);
  }
}

/** Asserts that rows have the given sizes over and over; returns the bytes of all of them. */
function assertOffsets({ valueOffsets, length }: Data, sizes: readonly number[]): number {
  // Offsets of 64 bits are read as two words, which is faster than as integers of that size.
  const stride = valueOffsets instanceof BigInt64Array ? 2 : 1;
  const words = new Int32Array(valueOffsets.buffer, valueOffsets.byteOffset, stride * (length + 1));
  const offsetAt = (row: number) =>
    stride === 1 ? words[row]! : words[2 * row + 1]! * 2 ** 32 + (words[2 * row]! >>> 0);
  const first = offsetAt(0);
  let position = 0;
  let index = 0;
  for (let row = 0; row < length; row++) {
    if (offsetAt(row) - first !== position) {
      throw new Error(`Row ${row} starts at byte ${offsetAt(row) - first}, not ${position}`);
    }
    position += sizes[index]!;
    if (++index === sizes.length) index = 0;
  }
  assertEquals(offsetAt(length) - first, position);
  return position;
}

function assertBytes(data: Data, rows: readonly Uint8Array[], numBytes: number): void {
  const first = Number(data.valueOffsets[0]);
  const values: Uint8Array = data.values.subarray(first, first + numBytes);
  const period = rows.reduce((sum, { length }) => sum + length, 0);
  const block = new Uint8Array(period * Math.ceil(BLOCK_BYTES / Math.max(1, period)));
  let at = 0;
  for (let row = 0; at < block.length; row++) {
    block.set(rows[row % rows.length]!, at);
    at += rows[row % rows.length]!.length;
  }
  for (let start = 0; start < numBytes; start += block.length) {
    const part = values.subarray(start, start + block.length);
    if (Buffer.compare(part, block.subarray(0, part.length)) !== 0) {
      const wrong = part.findIndex((byte, index) => byte !== block[index]);
      throw new Error(`Byte ${start + wrong} of ${numBytes} is wrong`);
    }
  }
}
