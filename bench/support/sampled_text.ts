/**
 * Digests of columns of text, to compare results.
 *
 * @module
 */

import { DataType, type RecordBatch, type Vector } from "apache-arrow";

/** Returns the rows that are compared in full, spread over all rows. */
export function sampleRows(numRows: number): number[] {
  return Array.from({ length: 20 }, (_, index) => Math.floor(index * (numRows - 1) / 19));
}

/** Formats a digest: the numbers of rows, nulls and bytes, and some rows in full. */
export function formatDigest(
  numRows: number,
  nulls: number,
  numBytes: number,
  sample: readonly (string | null)[],
): string {
  return `${numRows} rows, ${nulls} nulls, ${numBytes} bytes, ${JSON.stringify(sample)}`;
}

/** Returns the digest of a column of record batches, with its values as text. */
export function digestBatches(batches: readonly RecordBatch[], column: string): string {
  let numRows = 0;
  let nulls = 0;
  let numBytes = 0;
  const columns = batches.map((batch) => {
    const vector = batch.getChild(column)!;
    const first = numRows;
    numRows += vector.length;
    nulls += vector.nullCount;
    numBytes += bytesOf(vector);
    return { first, vector };
  });
  const sample = sampleRows(numRows).map((row) => {
    const { first, vector } = columns.findLast(({ first }) => first <= row)!;
    const value: unknown = vector.get(row - first);
    return value === null ? null : String(value);
  });
  return formatDigest(numRows, nulls, numBytes, sample);
}

/** Returns the bytes of the values as text. */
function bytesOf(vector: Vector): number {
  if (DataType.isUtf8(vector.type)) {
    const offsets = vector.data[0]!.valueOffsets;
    return offsets[vector.length]! - offsets[0]!;
  }
  let numBytes = 0;
  for (const value of vector) numBytes += value === null ? 0 : String(value).length;
  return numBytes;
}
