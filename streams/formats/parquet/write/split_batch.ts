/**
 * Splits batches into parts that fit the 4 GiB of memory of parquet-wasm.
 *
 * @module
 */

import type { Data, RecordBatch } from "apache-arrow";
import { Regrouper } from "../../../sink/regrouper.ts";
import { rowBytesOf } from "../module/row_bytes.ts";

/** The most rows and bytes passed to the module at a time. */
const mostPartRows = 1 << 16;
const mostPartBytes = 8 << 20;
/**
 * The most bytes of a single row, and of a dictionary: the module makes up to eight copies of a
 * value while it writes it.
 */
const mostBytes = 1 << 28;

/**
 * Splits a batch; an empty one stays whole. Throws a RangeError that names
 * the row, counted from `rowsBefore`, if a row is too large for the module.
 */
export function* splitBatch(
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
  const bytes = Math.min(mostPartBytes, groupBytes);
  const regrouper = new Regrouper({ kind: "size", rows: mostPartRows, bytes });
  for (const { start, stop } of regrouper.push({ numRows, rowBytes })) {
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

/** Returns the bytes of the largest dictionary of a column. */
function dictionaryBytes({ dictionary, children }: Data): number {
  const own = dictionary?.data.reduce((sum, { byteLength }) => sum + byteLength, 0) ?? 0;
  // In tables without rows, apache-arrow creates columns without a list of children.
  const nested = children as readonly Data[] | undefined;
  return Math.max(own, ...(nested ?? []).map(dictionaryBytes));
}
