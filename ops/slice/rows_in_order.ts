/**
 * Rows out of several batches, in any order, as batches.
 *
 * @module
 */

import { lowerBound } from "../../base/search.ts";
import type { Backend } from "../../gpu/backend.ts";
import { addRun, type RowRun } from "../../streams/rows/row_run.ts";
import { type Batch, concatBatches } from "../batch/batch.ts";

/** Rows of a stream that are held in one batch: ascending. */
export interface Piece {
  readonly batch: Batch;
  /** The position in the stream of its first row. */
  readonly start: number;
  /** Where that row is in the batch; those that are held follow it. */
  readonly row: number;
  /** The number of rows that are buffered. */
  readonly count: number;
  /** Their positions in the stream where they do not follow each other; `row` is 0 then. */
  readonly positions?: Float64Array;
  /** Bytes of the batch and of the positions. */
  readonly numBytes: number;
}

/** Rows of one piece that follow each other in the result, by their place in the batch. */
interface Group {
  readonly piece: Piece;
  readonly runs: RowRun[];
  count: number;
}

/** Groups smaller than this on average are not worth a batch each. */
const FEW_ROWS = 256;
/** So many rows or bytes of small groups come as one batch. */
const TOGETHER_ROWS = 65_536;
const TOGETHER_BYTES = 16 << 20;

/** The rows of runs in their order; `find` says which piece has a row. */
export async function* rowsInOrder(
  runs: readonly RowRun[],
  find: (row: number) => Piece,
  backend: Backend,
): AsyncGenerator<Batch, void, void> {
  let groups: Group[] = [];
  let [numRows, numBytes] = [0, 0];
  for (const { piece, run } of located(runs, find)) {
    if (numRows >= TOGETHER_ROWS || numBytes >= TOGETHER_BYTES) {
      yield* batchesOf(groups, numRows, backend);
      groups = [];
      [numRows, numBytes] = [0, 0];
    }
    let group = groups.at(-1);
    if (group?.piece !== piece) groups.push(group = { piece, runs: [], count: 0 });
    addRun(group.runs, run);
    group.count += run.count;
    numRows += run.count;
    numBytes += run.count * (piece.numBytes / piece.batch.numRows);
  }
  yield* batchesOf(groups, numRows, backend);
}

/** The runs by piece, with places in its batch. */
function* located(
  runs: readonly RowRun[],
  find: (row: number) => Piece,
): Generator<{ readonly piece: Piece; readonly run: RowRun }, void, void> {
  for (const { start, step, count } of runs) {
    for (let taken = 0; taken < count;) {
      const row = start + step * taken;
      const piece = find(row);
      const behind = row - piece.start;
      const room = step > 0 ? piece.count - 1 - behind : behind;
      const together = piece.positions === undefined
        ? Math.min(count - taken, Math.floor(room / Math.abs(step)) + 1)
        : 1;
      const place = piece.positions === undefined ? behind : lowerBound(piece.positions, row);
      const run = { start: piece.row + place, step: together === 1 ? 1 : step, count: together };
      yield { piece, run };
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
  for (const { piece, runs } of groups) yield await piece.batch.rows(backend, runs);
}

/** The rows of small groups as one batch: those of each piece at once, then put in order. */
async function joinedGroups(
  groups: readonly Group[],
  numRows: number,
  backend: Backend,
): Promise<Batch> {
  const byPiece = Map.groupBy(groups, ({ piece }) => piece);
  const parts: Batch[] = [];
  const starts = new Map<Piece, number>();
  let start = 0;
  try {
    for (const [piece, own] of byPiece) {
      starts.set(piece, start);
      const runs: RowRun[] = [];
      for (const run of own.flatMap(({ runs }) => runs)) addRun(runs, run);
      const part = await piece.batch.rows(backend, runs);
      parts.push(part);
      await part.toHost(backend);
      start += part.numRows;
    }
    const joined = concatBatches(parts[0]!.schema, parts);
    if (groups.length === byPiece.size) return joined;
    const order = new Int32Array(numRows);
    let at = 0;
    for (const { piece, count } of groups) {
      const first = starts.get(piece)!;
      for (let index = 0; index < count; index++) order[at++] = first + index;
      starts.set(piece, first + count);
    }
    return joined.gather(order);
  } finally {
    for (const part of parts) part.release();
  }
}
