/**
 * Batches in pieces that fit the memory of parquet-wasm, which has 4 GiB.
 *
 * @module
 */

import type { Data, RecordBatch } from "apache-arrow";
import { Regrouper } from "../regrouper.ts";
import { rowBytesOf } from "./row_bytes.ts";

/** Rows and bytes that are handed to the module at a time. */
const pieceRows = 1 << 16;
const pieceBytes = 8 << 20;
/**
 * The most bytes of a single row, and of a dictionary. The module holds a value up to eight times
 * while it writes it: read, in the page of the dictionary, in the page, compressed.
 */
const mostBytes = 1 << 28;

/**
 * The rows of a batch, which follow `rowsBefore` others, in pieces; a batch of no rows is one piece.
 * Throws a RangeError that names the row where a row is larger than the module can take.
 */
export function* parquetPieces(
  batch: RecordBatch,
  rowsBefore: number,
  groupBytes: number,
): Generator<RecordBatch, void, void> {
  const { numRows } = batch;
  for (const [index, data] of batch.data.children.entries()) {
    check(dictionaryBytes(data), `the dictionary of column ${batch.schema.fields[index]!.name}`);
  }
  if (numRows === 0) return yield batch;
  const rowBytes = rowBytesOf(batch);
  const regrouper = new Regrouper({ rows: pieceRows, bytes: Math.min(pieceBytes, groupBytes) });
  const parts = [...regrouper.push({ numRows, rowBytes }), regrouper.end()].flat();
  for (const { start, stop } of parts) {
    check(rowBytes(start, stop), `row ${rowsBefore + start}`);
    yield stop - start === numRows ? batch : batch.slice(start, stop);
  }
}

function check(numBytes: number, what: string): void {
  if (numBytes <= mostBytes) return;
  throw new RangeError(
    `${what} has ${numBytes} bytes, more than the ${mostBytes} that can be written as Parquet here`,
  );
}

/** Bytes of the largest dictionary of a column. */
function dictionaryBytes({ dictionary, children }: Data): number {
  const own = dictionary?.data.reduce((sum, { byteLength }) => sum + byteLength, 0) ?? 0;
  return Math.max(own, ...children.map(dictionaryBytes));
}
