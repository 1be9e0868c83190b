/**
 * From the rows of a source to those of its chunks.
 *
 * @module
 */

import type { ChunkLengths } from "./chunk_lengths.ts";
import { resolveRows, type RowRequest } from "./row_request.ts";
import { addRun, type RowRun } from "./row_run.ts";

/** Rows of one chunk, in the order in which they are wanted. */
export interface ChunkRows {
  readonly chunk: number;
  /** Positions in the chunk. */
  readonly runs: readonly RowRun[];
  /** Row of the source at which the chunk begins; negative: counted from an end whose place is unknown. */
  readonly firstRow: number;
}

/**
 * The rows of a request, chunk by chunk in the order of the request: consecutive rows of a chunk come
 * together. Throws a MissingRowError.
 */
export async function* locateRows(
  request: RowRequest,
  lengths: ChunkLengths,
): AsyncGenerator<ChunkRows, void, void> {
  const { numChunks } = lengths;
  await lengths.learn(0, numChunks);
  const starts = [0];
  for (let chunk = 0; chunk < numChunks; chunk++) {
    starts.push(starts[chunk]! + lengths.known(chunk)!);
  }
  let open: { readonly chunk: number; readonly runs: RowRun[] } | undefined;
  for (const run of resolveRows(request, starts[numChunks]!)) {
    let { start } = run;
    for (let left = run.count; left > 0;) {
      const chunk = chunkOf(starts, start);
      const [before, behind] = [starts[chunk]!, starts[chunk + 1]!];
      const room = run.step > 0 ? behind - 1 - start : start - before;
      const count = Math.min(left, Math.floor(room / Math.abs(run.step)) + 1);
      if (open?.chunk !== chunk) {
        if (open !== undefined) yield { ...open, firstRow: starts[open.chunk]! };
        open = { chunk, runs: [] };
      }
      addRun(open.runs, { start: start - before, step: count === 1 ? 1 : run.step, count });
      start += run.step * count;
      left -= count;
    }
  }
  if (open !== undefined) yield { ...open, firstRow: starts[open.chunk]! };
}

/** The chunk that has a row. */
function chunkOf(starts: readonly number[], row: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle + 1]! > row) high = middle;
    else low = middle + 1;
  }
  return low;
}
