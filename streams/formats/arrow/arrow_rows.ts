/**
 * Reads the rows of a request from Arrow files, and from Arrow streams that are stored in files.
 *
 * @module
 */

import type { FileInput } from "../../bytes/file_input.ts";
import { boundsOfSlice, locateRows, type SliceBounds } from "../../rows/locate_rows.ts";
import type { RowRequest } from "../../rows/row_request.ts";
import { lastRow, type RowRun } from "../../rows/row_run.ts";
import { isEmptySlice, isWholeSlice, type RowSlice } from "../../rows/row_slice.ts";
import type { RowRange } from "../../types/select_columns.ts";
import type { OpenOptions, SourceRows } from "../../plan/source.ts";
import type { ArrowIndex } from "./arrow_index.ts";
import { type BatchPart, FileBatches } from "./file_batches.ts";
import { isLargeBody } from "./read_part.ts";
import { readMessages } from "./read_messages.ts";
import type { OpenedArrow } from "./stream_layout.ts";

/** Reads the rows of a request from a file whose batches are indexed. */
export async function readRows(
  input: FileInput,
  index: ArrowIndex,
  request: RowRequest,
  options: OpenOptions,
): Promise<AsyncGenerator<SourceRows, void, void>> {
  const [pick, ...later] = request;
  if (later.length === 0 && pick.kind === "slice" && pick.step === 1 && !isEmptySlice(pick)) {
    const bounds = await boundsOfSlice(pick, index.lengths(input, options));
    if (isWholeSlice(pick) || !await isFew(bounds, input, index)) {
      return readSlice(bounds, input, index, options);
    }
  }
  return readScattered(input, index, request, options);
}

/**
 * Reads the rows of a request batch by batch; of a large batch only the parts that contain wanted
 * rows.
 */
async function* readScattered(
  input: FileInput,
  index: ArrowIndex,
  request: RowRequest,
  options: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  const lengths = index.lengths(input, options);
  const batches = new FileBatches(input, index, options.columns);
  let last: BatchPart & { readonly chunk: number } | undefined;
  for await (const { chunk, runs, firstRow } of locateRows(request, lengths)) {
    const { bodyLength } = index.batches[chunk]!;
    const apart = nearRuns(runs);
    const isApart = isLargeBody(input, bodyLength / apart.length);
    for (const near of isApart ? apart : [runs]) {
      const rows = rangeOfRuns(near);
      const isRead = last?.chunk === chunk && last.firstRow <= rows.start &&
        rows.stop <= last.firstRow + last.batch.numRows;
      if (!isRead) last = { chunk, ...await batches.read(chunk, rows) };
      const { batch, firstRow: before } = last!;
      const own = near.map((run) => ({ ...run, start: run.start - before }));
      yield { batch, runs: own, firstRow: firstRow + before };
    }
  }
}

/**
 * Rows farther apart than `farRows` are read separately, in at most `mostApart` reads for each
 * batch.
 */
const farRows = 4096;
const mostApart = 16;

/**
 * Groups runs, in order, into lists whose rows lie near each other; one list if there would be too
 * many.
 */
function nearRuns(runs: readonly RowRun[]): readonly (readonly RowRun[])[] {
  const lists: RowRun[][] = [];
  for (const run of runs) {
    const isFar = Math.abs(run.step) > farRows && run.count <= mostApart;
    const parts = isFar
      ? Array.from(
        { length: run.count },
        (_, index) => ({ start: run.start + index * run.step, step: 1, count: 1 }),
      )
      : [run];
    for (const part of parts) {
      const before = lists.at(-1)?.at(-1);
      const isNear = before !== undefined && Math.abs(part.start - lastRow(before)) <= farRows;
      if (isNear) lists.at(-1)!.push(part);
      else lists.push([part]);
    }
    if (lists.length > mostApart) return [runs];
  }
  return lists;
}

/** Returns the smallest row range that covers all runs. */
function rangeOfRuns(runs: readonly RowRun[]): RowRange {
  let [start, stop] = [Infinity, 0];
  for (const run of runs) {
    const last = lastRow(run);
    start = Math.min(start, run.start, last);
    stop = Math.max(stop, run.start + 1, last + 1);
  }
  return { start, stop };
}

/**
 * Whether a slice lies within two batches, the first so large that reading a part of it may pay.
 */
async function isFew(
  { start, stop, mostRows }: SliceBounds,
  input: FileInput,
  index: ArrowIndex,
): Promise<boolean> {
  const { chunk, row } = start;
  const block = index.batches[chunk];
  if (block === undefined || !isLargeBody(input, block.bodyLength)) return false;
  if (stop.chunk <= chunk + 1) return true;
  const lengths = index.lengths(input);
  await lengths.learn(chunk, chunk + 1);
  return row + mostRows <= lengths.known(chunk)! + (lengths.known(chunk + 1) ?? 0);
}

/** Yields the rows of a slice with step 1, batch after batch; small batches are joined. */
async function* readSlice(
  { start, stop, mostRows, ...bounds }: SliceBounds,
  input: FileInput,
  index: ArrowIndex,
  options: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  const isBehind = start.row > 0 && start.row === index.lengths(input).known(start.chunk);
  const [chunk, row] = isBehind ? [start.chunk + 1, 0] : [start.chunk, start.row];
  const end = stop.row > 0 ? stop.chunk + 1 : stop.chunk;
  if (chunk >= end) return;
  const range = {
    start: row,
    stop: row + mostRows,
    ...(stop.row > 0 && { last: { batch: stop.chunk - chunk, rows: stop.row } }),
  };
  const arrow = index.open(input, options, chunk, end);
  let { firstRow } = bounds;
  for await (const batch of readMessages(input, arrow, options, range)) {
    yield { batch, firstRow };
    firstRow += batch.numRows;
  }
}

/** Whether a slice of a stream can be read front to back, without reading all headers first. */
export function isForward({ last, drop, step }: RowSlice): boolean {
  return last === Infinity && drop === 0 && step > 0;
}

/** Yields the rows of a slice for which `isForward` holds, message by message. */
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
    // Rows to skip up to the next one that the step selects.
    const start = (step - (firstRow - skip) % step) % step;
    const count = Math.max(0, Math.ceil((batch.numRows - start) / step));
    if (step === 1) yield { batch, firstRow };
    else if (count > 0) {
      yield { batch, runs: [{ start, step: count === 1 ? 1 : step, count }], firstRow };
    }
    firstRow += batch.numRows;
  }
}
