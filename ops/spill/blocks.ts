/**
 * Cuts rows into blocks: large enough to be worth dividing, and small enough to copy.
 *
 * @module
 */

import { concatRows, cutRows, type HostRows, rowsBytes } from "./host_rows.ts";

/** Yields batches, and cuts those that exceed about `numBytes`. Leaves out batches without rows. */
export async function* cutBlocks(
  batches: AsyncIterable<HostRows>,
  numBytes: number,
): AsyncGenerator<HostRows, void, void> {
  for await (const rows of batches) {
    if (rows.numRows > 0) yield* cutRows(rows, numBytes);
  }
}

/** Yields rows in blocks of about `numBytes`: cuts large batches, and concatenates small ones. */
export async function* evenBlocks(
  batches: AsyncIterable<HostRows>,
  numBytes: number,
): AsyncGenerator<HostRows, void, void> {
  let buffered: HostRows[] = [];
  let bufferedBytes = 0;
  for await (const rows of cutBlocks(batches, numBytes)) {
    buffered.push(rows);
    bufferedBytes += rowsBytes(rows);
    if (2 * bufferedBytes < numBytes) continue;
    yield concatRows(buffered);
    buffered = [];
    bufferedBytes = 0;
  }
  if (buffered.length > 0) yield concatRows(buffered);
}
