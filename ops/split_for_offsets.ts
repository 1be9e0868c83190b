/** @module */

import { type Data, DataType, type RecordBatch } from "apache-arrow";
import { OverflowError } from "../gpu/errors.ts";

const MAX_TEXT_BYTES = 2 ** 31 - 1;

/**
 * The rows of a record batch in pieces whose text fits 32-bit offsets; nearly always the batch
 * itself. Only 64-bit offsets can pass the limit. A row that alone does is an OverflowError.
 */
export function splitForOffsets(batch: RecordBatch): RecordBatch[] {
  const wide = batch.data.children.filter(isTooLarge);
  if (wide.length === 0) return [batch];
  const pieces: RecordBatch[] = [];
  for (let start = 0; start < batch.numRows;) {
    const stop = Math.min(...wide.map((data) => lastFit(data, start)));
    if (stop === start) {
      const bytes = Math.max(...wide.map((data) => textBytes(data, start, start + 1)));
      throw new OverflowError(`Text of one row has ${bytes} bytes, over 2147483647`, start, bytes);
    }
    pieces.push(batch.slice(start, stop));
    start = stop;
  }
  return pieces;
}

function isTooLarge(data: Data): boolean {
  const type: DataType = data.type;
  const wide = DataType.isLargeUtf8(type) || DataType.isLargeBinary(type);
  return wide && data.length > 0 && textBytes(data, 0, data.length) > MAX_TEXT_BYTES;
}

/** The last stop such that the text of the rows from `start` fits. */
function lastFit(data: Data, start: number): number {
  let low = start;
  let high = data.length + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (textBytes(data, start, middle) <= MAX_TEXT_BYTES) low = middle;
    else high = middle;
  }
  return low;
}

function textBytes(data: Data, start: number, stop: number): number {
  const offsets = data.valueOffsets as unknown as BigInt64Array;
  return Number(offsets[stop]! - offsets[start]!);
}
