/**
 * Rows in blocks that are worth the work of dividing them, and small enough to be copied.
 *
 * @module
 */

import { concatRows, cutRows, type HostRows, rowsBytes } from "./host_rows.ts";

/** The batches, those of more than about `numBytes` cut. Batches without rows are left out. */
export async function* cutBlocks(
  batches: AsyncIterable<HostRows>,
  numBytes: number,
): AsyncGenerator<HostRows, void, void> {
  for await (const rows of batches) {
    if (rows.numRows > 0) yield* cutRows(rows, numBytes);
  }
}

/** The rows in blocks of about `numBytes`: large batches are cut, and small ones joined. */
export async function* evenBlocks(
  batches: AsyncIterable<HostRows>,
  numBytes: number,
): AsyncGenerator<HostRows, void, void> {
  let waiting: HostRows[] = [];
  let waitingBytes = 0;
  for await (const rows of cutBlocks(batches, numBytes)) {
    waiting.push(rows);
    waitingBytes += rowsBytes(rows);
    if (2 * waitingBytes < numBytes) continue;
    yield concatRows(waiting);
    waiting = [];
    waitingBytes = 0;
  }
  if (waiting.length > 0) yield concatRows(waiting);
}
