/**
 * Gathers rows in chunks that fit into memory.
 *
 * @module
 */

import { concatRows, type HostRows, rowsBytes, sliceRows } from "./host_rows.ts";

/** Whether some rows fit into the memory for a chunk. */
type Fits = (numRows: number, numBytes: number) => boolean;

/** One chunk. */
export interface RowChunk {
  readonly rows: HostRows;
  /** The number of its first row. */
  readonly firstRow: number;
  /** Whether nothing else uses its buffers. */
  readonly isCopy: boolean;
}

/** The least number of small batches that fill a chunk, so that little of the chunk stays empty. */
const SMALL_BATCHES = 8;

/** Yields the rows of batches, in order, in chunks that fit. A larger row is a chunk of its own. */
export async function* chunksOf(
  batches: AsyncIterable<HostRows>,
  fits: Fits,
): AsyncGenerator<RowChunk, void, void> {
  let buffered: HostRows[] = [];
  let numRows = 0;
  let numBytes = 0;
  let firstRow = 0;
  const take = (): RowChunk => {
    const chunk = { rows: concatRows(buffered), firstRow, isCopy: buffered.length > 1 };
    firstRow += numRows;
    buffered = [];
    numRows = numBytes = 0;
    return chunk;
  };
  for await (const rows of batches) {
    for (const batch of smallBatches(rows, fits)) {
      const batchBytes = rowsBytes(batch);
      if (buffered.length > 0 && !fits(numRows + batch.numRows, numBytes + batchBytes)) {
        yield take();
      }
      buffered.push(batch);
      numRows += batch.numRows;
      numBytes += batchBytes;
    }
  }
  if (buffered.length > 0) yield take();
}

function* smallBatches(rows: HostRows, fits: Fits): Generator<HostRows, void, void> {
  const { numRows } = rows;
  const bytesPerRow = rowsBytes(rows) / numRows;
  let each = numRows;
  while (each > 1 && !fits(SMALL_BATCHES * each, SMALL_BATCHES * each * bytesPerRow)) {
    each = Math.ceil(each / 2);
  }
  for (let start = 0; start < numRows; start += each) {
    yield sliceRows(rows, start, Math.min(start + each, numRows));
  }
}
