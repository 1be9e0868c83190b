/**
 * Puts rows that were read in ascending order into the order of the request.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { Backend } from "../../gpu/backend.ts";
import type { HostColumn } from "../../gpu/column/column.ts";
import { rememberOrigin, type TextSource } from "../../gpu/column/text_origin.ts";
import { numRowsOf, positionsOf, type RowRun } from "../../streams/rows/row_run.ts";
import { type Batch, concatBatches } from "../batch/batch.ts";
import type { AscendingRows } from "./row_order.ts";

/** A batch of a source and its wanted rows. Default: all. */
export interface BatchRows {
  readonly batch: Batch;
  readonly runs?: readonly RowRun[];
}

/** The approximate rows and bytes of the batches that come out. */
const BATCH_ROWS = 65_536;
const BATCH_BYTES = 16 << 20;

/** The limit of buffered bytes, and a callback that receives their number. */
interface BufferLimit {
  readonly maxBytes: number;
  readonly onBuffered?: ((numBytes: number) => void) | undefined;
}

/**
 * Buffers all rows on the host, in memory of their own. Returns undefined as soon as they exceed
 * the limit. Takes ownership of the batches.
 */
export async function bufferRows(
  parts: AsyncIterable<BatchRows>,
  backend: Backend,
  { maxBytes, onBuffered }: BufferLimit,
): Promise<readonly Batch[] | undefined> {
  const batches: Batch[] = [];
  let numBytes = 0;
  for await (const { batch, runs } of parts) {
    const rows = await ownRows(batch, runs, backend);
    numBytes += rows.numBytes;
    if (numBytes > maxBytes) return undefined;
    batches.push(rows);
    onBuffered?.(numBytes);
  }
  return batches;
}

/** Copies rows into buffers of their own, so that no batch of the source stays in memory. */
async function ownRows(
  batch: Batch,
  runs: readonly RowRun[] = [{ start: 0, step: 1, count: batch.numRows }],
  backend: Backend,
): Promise<Batch> {
  try {
    await batch.toHost(backend);
    return batch.gather(positionsOf(runs, new Int32Array(numRowsOf(runs))));
  } finally {
    batch.release();
  }
}

/** Yields the buffered rows in the order of the request. Errors in text name the `source`. */
export function* orderedRows(
  schema: Schema,
  batches: readonly Batch[],
  { order, places, numRows, missing }: AscendingRows,
  source: TextSource,
): Generator<Batch, void, void> {
  if (batches.length === 0) return;
  const rows = concatBatches(schema, batches);
  // Leave out rows of ranges that the source does not have.
  const absent = missing === "first" ? numRows - rows.numRows : 0;
  const wanted = order.map((index) => index - absent);
  const isThere = (index: number) => index >= 0 && index < rows.numRows;
  const there = wanted.every(isThere);
  const selection = there ? wanted : wanted.filter(isThere);
  const own = there ? places : places.filter((_, at) => isThere(wanted[at]!));
  const size = batchRows(rows);
  for (let start = 0; start < selection.length; start += size) {
    const batch = rows.gather(selection.subarray(start, start + size));
    for (const [index, { column }] of batch.columns.entries()) {
      if (column.type.kind !== "string") continue;
      const origin = { source, column: schema.fields[index]!.name, row: 0 };
      rememberOrigin(column as HostColumn, origin, own.slice(start, start + size));
    }
    yield batch;
  }
}

/** Returns the number of rows of an output batch. */
function batchRows({ numBytes, numRows }: Batch): number {
  const rows = Math.floor(BATCH_BYTES / Math.max(1, numBytes / numRows));
  return Math.max(1, Math.min(BATCH_ROWS, rows));
}
