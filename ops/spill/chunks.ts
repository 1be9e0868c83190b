/**
 * Rows in chunks that fit into memory.
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
  /** Whether nobody else has its buffers. */
  readonly isCopy: boolean;
}

/** A chunk is filled with parts of at most this share of it, so that it is nearly as large as it may be. */
const PARTS = 8;

/** The rows of all pieces, in order, in chunks that fit. A row that does not fit is a chunk alone. */
export async function* chunksOf(
  pieces: AsyncIterable<HostRows>,
  fits: Fits,
): AsyncGenerator<RowChunk, void, void> {
  let parts: HostRows[] = [];
  let numRows = 0;
  let numBytes = 0;
  let firstRow = 0;
  const take = (): RowChunk => {
    const chunk = { rows: concatRows(parts), firstRow, isCopy: parts.length > 1 };
    firstRow += numRows;
    parts = [];
    numRows = numBytes = 0;
    return chunk;
  };
  for await (const rows of pieces) {
    for (const part of smallParts(rows, fits)) {
      const partBytes = rowsBytes(part);
      if (parts.length > 0 && !fits(numRows + part.numRows, numBytes + partBytes)) yield take();
      parts.push(part);
      numRows += part.numRows;
      numBytes += partBytes;
    }
  }
  if (parts.length > 0) yield take();
}

function* smallParts(rows: HostRows, fits: Fits): Generator<HostRows, void, void> {
  const { numRows } = rows;
  const bytesPerRow = rowsBytes(rows) / numRows;
  let each = numRows;
  while (each > 1 && !fits(PARTS * each, PARTS * each * bytesPerRow)) each = Math.ceil(each / 2);
  for (let start = 0; start < numRows; start += each) {
    yield sliceRows(rows, start, Math.min(start + each, numRows));
  }
}
