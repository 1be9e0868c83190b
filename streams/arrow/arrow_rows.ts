/**
 * Reads the rows of a request from files, and from streams in files.
 *
 * @module
 */

import type { FileInput } from "../file_input.ts";
import { boundsOfSlice, locateRows } from "../rows/locate_rows.ts";
import type { RowRequest } from "../rows/row_request.ts";
import { isEmptySlice, type RowSlice } from "../rows/row_slice.ts";
import type { OpenOptions, SourceRows } from "../source.ts";
import type { ArrowIndex } from "./arrow_index.ts";
import { FileBatches } from "./file_batches.ts";
import { readMessages } from "./read_messages.ts";
import type { OpenedArrow } from "./stream_layout.ts";

/** The rows of a request, where the place of each batch is known. */
export async function* readRows(
  input: FileInput,
  index: ArrowIndex,
  request: RowRequest,
  options: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  const [pick, ...later] = request;
  if (later.length === 0 && pick.kind === "slice" && pick.step === 1) {
    return yield* readSlice(input, index, pick, options);
  }
  const batches = new FileBatches(input, index, options.columns);
  let last: { readonly chunk: number; readonly batch: SourceRows["batch"] } | undefined;
  for await (
    const { chunk, runs, firstRow } of locateRows(request, index.lengths(input, options))
  ) {
    if (last?.chunk !== chunk) last = { chunk, batch: await batches.read(chunk) };
    yield { batch: last.batch, runs, firstRow };
  }
}

/** The rows of a slice of step 1: batches of one after the other, of which small ones are joined. */
async function* readSlice(
  input: FileInput,
  index: ArrowIndex,
  slice: RowSlice,
  options: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  if (isEmptySlice(slice)) return;
  const lengths = index.lengths(input, options);
  const { start, stop, mostRows, ...bounds } = await boundsOfSlice(slice, lengths);
  const isBehind = start.row > 0 && start.row === lengths.known(start.chunk);
  const [chunk, row] = isBehind ? [start.chunk + 1, 0] : [start.chunk, start.row];
  const end = stop.row > 0 ? stop.chunk + 1 : stop.chunk;
  if (chunk >= end) return;
  const range = {
    start: row,
    stop: row + mostRows,
    ...(stop.row > 0 && { last: { batch: stop.chunk - chunk, rows: stop.row } }),
  };
  const arrow = index.open(input, chunk, end);
  let { firstRow } = bounds;
  for await (const batch of readMessages(input, arrow, options, range)) {
    yield { batch, firstRow };
    firstRow += batch.numRows;
  }
}

/** Whether a slice of a stream can be read from its front to its end, without all headers first. */
export function isForward({ last, drop, step }: RowSlice): boolean {
  return last === Infinity && drop === 0 && step > 0;
}

/** The rows of a slice for which `isForward` holds, message by message. */
export async function* readForward(
  input: FileInput,
  arrow: OpenedArrow,
  { skip, first, step }: RowSlice,
  options: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  let firstRow = skip;
  for await (
    const batch of readMessages(input, arrow, options, { start: skip, stop: first, isFar: true })
  ) {
    // Rows until the next one that the step meets.
    const start = (step - (firstRow - skip) % step) % step;
    const count = Math.max(0, Math.ceil((batch.numRows - start) / step));
    if (step === 1) yield { batch, firstRow };
    else if (count > 0) {
      yield { batch, runs: [{ start, step: count === 1 ? 1 : step, count }], firstRow };
    }
    firstRow += batch.numRows;
  }
}
