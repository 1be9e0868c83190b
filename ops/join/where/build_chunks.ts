/**
 * The rows of a build side in chunks that fit into memory with the index that is made of them.
 *
 * @module
 */

import { chunksOf, type RowChunk } from "../../spill/chunks.ts";
import { freeRows, type HostRows, rowsBytes } from "../../spill/host_rows.ts";
import type { WherePlan } from "./where_plan.ts";

/** Bytes that a row takes for each value that is searched: its value, rank and place. */
const VALUE_BYTES = 40;
/** Bytes that a row takes for its place and its matches. */
const PLACE_BYTES = 16;

/** A smaller chunk would hardly be worth a pass over the stream. */
const LEAST_BYTES = 4 << 10;

/** Returns about the bytes that rows take in memory, where they are twice while they are concatenated. */
export function bytesInMemory(plan: WherePlan, rows: HostRows): number {
  return 2 * rowsBytes(rows) + indexBytes(plan) * rows.numRows;
}

/** Returns about the bytes of the index for each row. */
function indexBytes({ keys, values }: WherePlan): number {
  return PLACE_BYTES + VALUE_BYTES * (keys.length + values.length);
}

/**
 * Yields the rows of batches whose buffers nobody else has, in order, in chunks that take about `numBytes`
 * of memory or less. Frees a chunk when the next one is asked for.
 */
export async function* buildChunks(
  plan: WherePlan,
  batches: AsyncIterable<HostRows>,
  numBytes: number,
): AsyncGenerator<RowChunk, void, void> {
  const mostBytes = Math.max(numBytes, LEAST_BYTES);
  const rowBytes = indexBytes(plan);
  const fits = (rows: number, bytes: number) => 2 * bytes + rowBytes * rows <= mostBytes;
  for await (const chunk of chunksOf(batches, fits)) {
    yield chunk;
    if (chunk.isCopy) freeRows(chunk.rows);
  }
}
