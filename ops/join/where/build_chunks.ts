/**
 * The rows of a build side in chunks that fit into memory with what is made of them.
 *
 * @module
 */

import {
  concatRows,
  freeRows,
  type HostRows,
  rowsBytes,
  sliceRows,
} from "../../spill/host_rows.ts";
import type { WherePlan } from "./where_plan.ts";

/** Bytes that a row takes for each value that is searched: its value, rank and place. */
const VALUE_BYTES = 40;
/** Bytes that a row takes for its place and its matches. */
const PLACE_BYTES = 16;

/** Below that a chunk would hardly be worth a pass over the stream. */
const LEAST_BYTES = 4 << 10;

/** About the bytes that rows take in memory: they are there twice while they are put together. */
export function bytesInMemory({ keys, values }: WherePlan, rows: HostRows): number {
  const rowBytes = PLACE_BYTES + VALUE_BYTES * (keys.length + values.length);
  return 2 * rowsBytes(rows) + rowBytes * rows.numRows;
}

/** Some of the rows. */
interface BuildChunk {
  readonly rows: HostRows;
  /** The number of the first of them. */
  readonly firstRow: number;
}

/**
 * The rows of pieces whose buffers nobody else holds, in order, in chunks that take about `numBytes`
 * of memory or less. The memory of a chunk is given back when the next one is asked for.
 */
export async function* buildChunks(
  plan: WherePlan,
  pieces: AsyncIterable<HostRows>,
  numBytes: number,
): AsyncGenerator<BuildChunk, void, void> {
  const mostBytes = Math.max(numBytes, LEAST_BYTES);
  let held: HostRows[] = [];
  let heldBytes = 0;
  let firstRow = 0;
  for await (const rows of pieces) {
    // Small parts, so that a chunk is nearly as large as it may be.
    const numParts = Math.ceil(8 * bytesInMemory(plan, rows) / mostBytes);
    const each = Math.ceil(rows.numRows / numParts);
    for (let start = 0; start < rows.numRows; start += each) {
      const part = sliceRows(rows, start, Math.min(start + each, rows.numRows));
      const partBytes = bytesInMemory(plan, part);
      if (held.length > 0 && heldBytes + partBytes > mostBytes) {
        yield* chunkOf(held, firstRow);
        firstRow += held.reduce((sum, { numRows }) => sum + numRows, 0);
        held = [];
        heldBytes = 0;
      }
      held.push(part);
      heldBytes += partBytes;
    }
  }
  if (held.length > 0) yield* chunkOf(held, firstRow);
}

function* chunkOf(parts: readonly HostRows[], firstRow: number): Generator<BuildChunk, void, void> {
  const rows = concatRows(parts);
  yield { rows, firstRow };
  if (parts.length > 1) freeRows(rows);
}
