/**
 * Yields rows of several buffered batches in another order.
 *
 * @module
 */

import { lowerBound } from "../../base/search.ts";
import type { Backend } from "../../gpu/backend.ts";
import { addRun, type RowRun } from "../../streams/rows/row_run.ts";
import { type Batch, concatBatches } from "../batch/batch.ts";

/** Rows of a stream that are buffered in one batch, ascending. */
export interface BufferedRows {
  readonly batch: Batch;
  /** The position in the stream of its first row. */
  readonly start: number;
  /** The place of that row in the batch, where the other buffered rows follow it. */
  readonly row: number;
  /** The number of rows that are buffered. */
  readonly count: number;
  /** Their positions in the stream, if they are not consecutive there; `row` is then 0. */
  readonly positions?: Float64Array;
  /** Bytes of the batch and of the positions. */
  readonly numBytes: number;
}

/** Rows of one buffer that are consecutive in the result, by their places in the batch. */
interface Group {
  readonly buffer: BufferedRows;
  readonly runs: RowRun[];
  count: number;
}

/** Groups with fewer rows than this on average are not worth a batch each. */
const FEW_ROWS = 256;
/** Small groups are joined into batches of about this many rows or bytes. */
const TOGETHER_ROWS = 65_536;
const TOGETHER_BYTES = 16 << 20;

/** Yields the rows of runs in their order; `find` returns the buffer that has a row. */
export async function* rowsInOrder(
  runs: readonly RowRun[],
  find: (row: number) => BufferedRows,
  backend: Backend,
): AsyncGenerator<Batch, void, void> {
  let groups: Group[] = [];
  let [numRows, numBytes] = [0, 0];
  for (const { buffer, run } of located(runs, find)) {
    if (numRows >= TOGETHER_ROWS || numBytes >= TOGETHER_BYTES) {
      yield* batchesOf(groups, numRows, backend);
      groups = [];
      [numRows, numBytes] = [0, 0];
    }
    let group = groups.at(-1);
    if (group?.buffer !== buffer) groups.push(group = { buffer, runs: [], count: 0 });
    addRun(group.runs, run);
    group.count += run.count;
    numRows += run.count;
    numBytes += run.count * (buffer.numBytes / buffer.batch.numRows);
  }
  yield* batchesOf(groups, numRows, backend);
}

/** Splits runs by buffer, with places in its batch. */
function* located(
  runs: readonly RowRun[],
  find: (row: number) => BufferedRows,
): Generator<{ readonly buffer: BufferedRows; readonly run: RowRun }, void, void> {
  for (const { start, step, count } of runs) {
    for (let taken = 0; taken < count;) {
      const row = start + step * taken;
      const buffer = find(row);
      const behind = row - buffer.start;
      const room = step > 0 ? buffer.count - 1 - behind : behind;
      const together = buffer.positions === undefined
        ? Math.min(count - taken, Math.floor(room / Math.abs(step)) + 1)
        : 1;
      const place = buffer.positions === undefined ? behind : lowerBound(buffer.positions, row);
      const run = { start: buffer.row + place, step: together === 1 ? 1 : step, count: together };
      yield { buffer, run };
      taken += together;
    }
  }
}

async function* batchesOf(
  groups: readonly Group[],
  numRows: number,
  backend: Backend,
): AsyncGenerator<Batch, void, void> {
  if (groups.length > 1 && numRows < FEW_ROWS * groups.length) {
    yield await joinedGroups(groups, numRows, backend);
    return;
  }
  for (const { buffer, runs } of groups) yield await buffer.batch.rows(backend, runs);
}

/**
 * Returns the rows of small groups as one batch: gathers those of each buffer together, then puts
 * them in order.
 */
async function joinedGroups(
  groups: readonly Group[],
  numRows: number,
  backend: Backend,
): Promise<Batch> {
  const byBuffer = Map.groupBy(groups, ({ buffer }) => buffer);
  const parts: Batch[] = [];
  const starts = new Map<BufferedRows, number>();
  let start = 0;
  try {
    for (const [buffer, own] of byBuffer) {
      starts.set(buffer, start);
      const runs: RowRun[] = [];
      for (const run of own.flatMap(({ runs }) => runs)) addRun(runs, run);
      const part = await buffer.batch.rows(backend, runs);
      parts.push(part);
      await part.toHost(backend);
      start += part.numRows;
    }
    const joined = concatBatches(parts[0]!.schema, parts);
    if (groups.length === byBuffer.size) return joined;
    const order = new Int32Array(numRows);
    let at = 0;
    for (const { buffer, count } of groups) {
      const first = starts.get(buffer)!;
      for (let index = 0; index < count; index++) order[at++] = first + index;
      starts.set(buffer, first + count);
    }
    return joined.gather(order);
  } finally {
    for (const part of parts) part.release();
  }
}
