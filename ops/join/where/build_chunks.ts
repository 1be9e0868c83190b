/**
 * The rows of a build side in chunks that fit into memory together with their index.
 *
 * @module
 */

import { chunksOf, type RowChunk } from "../../spill/chunks.ts";
import { freeRows, type HostRows, rowsBytes } from "../../spill/host_rows.ts";
import type { WherePlan } from "./where_plan.ts";

/** The bytes that a row takes for each value with bounds: value, rank and place. */
const VALUE_BYTES = 40;
/** The bytes that a row takes for its place and its matches. */
const PLACE_BYTES = 16;

/** The least size of a chunk, below which a pass over the stream is not worthwhile. */
const LEAST_BYTES = 4 << 10;

/** Estimates the bytes of rows in memory, which holds them twice while they are concatenated. */
export function bytesInMemory(plan: WherePlan, rows: HostRows): number {
  return 2 * rowsBytes(rows) + indexBytes(plan) * rows.numRows;
}

/** Estimates the bytes of the index for each row. */
function indexBytes({ keys, values }: WherePlan): number {
  return PLACE_BYTES + VALUE_BYTES * (keys.length + values.length);
}

/**
 * Yields the rows of batches in order, in chunks that take at most about `numBytes` of memory. The batches
 * must own their buffers. A chunk is freed when the next one is requested.
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
