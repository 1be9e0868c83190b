/**
 * Finds the chunks of a source that have given rows. It learns lengths of chunks only as far as it needs
 * them: for the first rows from the front, for the last rows from the end.
 *
 * @module
 */

import { upperBound } from "../../base/search.ts";
import type { ChunkLengths } from "./chunk_lengths.ts";
import { ChunkSums, type Place, reversedLengths } from "./chunk_sums.ts";
import { resolveRows, type RowList, type RowRequest } from "./row_request.ts";
import { addRun, type RowRun } from "./row_run.ts";
import { isEmptySlice, mirror, type RowSlice } from "./row_slice.ts";

/** Rows of one chunk, in the order in which they are wanted. */
export interface ChunkRows {
  readonly chunk: number;
  /** Positions in the chunk. */
  readonly runs: readonly RowRun[];
  /** The row of the source at which the chunk begins; negative: counted from the end, if its place is unknown. */
  readonly firstRow: number;
}

/**
 * Yields the rows of a request, chunk by chunk in the order of the request: consecutive rows of a chunk come
 * together. One slice, and positions that all count from the same end, need only the lengths up to their
 * rows; other requests need all lengths. Throws a MissingRowError.
 */
export async function* locateRows(
  request: RowRequest,
  lengths: ChunkLengths,
): AsyncGenerator<ChunkRows, void, void> {
  const { numChunks } = lengths;
  const [pick, ...later] = request;
  const ends = new BothEnds(lengths);
  if (later.length === 0 && pick.kind === "slice") return yield* rowsOfSlice(pick, ends);
  const reach = later.length === 0 && pick.kind === "list" ? reachOf(pick) : undefined;
  // A list means the same rows with the chunks that it reaches as with all chunks.
  if (reach === undefined) {
    await lengths.learn(0, numChunks);
    yield* rowsWithin(request, ends, 0, numChunks);
  } else if (reach.isBack) {
    const counted = await ends.back.learn(reach.rows);
    yield* rowsWithin(request, ends, numChunks - counted, numChunks);
  } else {
    yield* rowsWithin(request, ends, 0, await ends.front.learn(reach.rows));
  }
}

/** The range in which the rows of a slice lie, whatever its step. */
export interface SliceBounds {
  readonly start: Place;
  /** Row of the source at the start; negative: counted from an end whose place is unknown. */
  readonly firstRow: number;
  /** In a later chunk than `start`, or not before it, if there are rows. */
  readonly stop: Place;
  /** The most rows from `start` on, which may end before `stop`; Infinity: no limit. */
  readonly mostRows: number;
}

/**
 * Returns the bounds of a slice. Learns lengths up to its start, and those after it only where the stop
 * counts from the other end.
 */
export function boundsOfSlice(slice: RowSlice, lengths: ChunkLengths): Promise<SliceBounds> {
  return boundsIn(slice, new BothEnds(lengths));
}

/** Counts rows from the front of chunks, and from their end. */
class BothEnds {
  readonly lengths: ChunkLengths;
  readonly front: ChunkSums;
  /** Over the chunks in reverse order. */
  readonly back: ChunkSums;

  constructor(
    lengths: ChunkLengths,
    front: ChunkSums = new ChunkSums(lengths),
    back: ChunkSums = new ChunkSums(reversedLengths(lengths)),
  ) {
    this.lengths = lengths;
    this.front = front;
    this.back = back;
  }

  /** Returns the same chunks, the last one first. */
  reversed(): BothEnds {
    return new BothEnds(reversedLengths(this.lengths), this.back, this.front);
  }

  /** Returns the place before the last `rows` rows; the front if there are no more. */
  async beforeLast(rows: number): Promise<Place> {
    const { numChunks } = this.lengths;
    const { chunk, row } = await this.back.behind(rows);
    if (row === 0) return { chunk: numChunks - chunk, row: 0 };
    const front = numChunks - 1 - chunk;
    return { chunk: front, row: this.lengths.known(front)! - row };
  }

  /** Returns the row at which a chunk begins; negative: counted from the end. */
  firstRow(chunk: number): number {
    return this.front.before(chunk) ?? -this.back.before(this.lengths.numChunks - chunk)!;
  }
}

async function boundsIn(slice: RowSlice, ends: BothEnds): Promise<SliceBounds> {
  const { skip, last, first, drop } = slice;
  const { front } = ends;
  const start = later(await front.behind(skip), await ends.beforeLast(last));
  const stop = await ends.beforeLast(drop);
  const firstRow = ends.firstRow(start.chunk) + start.row;
  if (first === Infinity || last === Infinity) {
    return { start, firstRow, stop, mostRows: first - skip };
  }
  const end = earlier(stop, await front.behind(first));
  return { start, firstRow, stop: end, mostRows: Infinity };
}

/** Returns the later of two places. Two names of one place may be either. */
function later(left: Place, right: Place): Place {
  return isBefore(left, right) ? right : left;
}

function earlier(left: Place, right: Place): Place {
  return isBefore(left, right) ? left : right;
}

function isBefore(left: Place, right: Place): boolean {
  return left.chunk < right.chunk || left.chunk === right.chunk && left.row < right.row;
}

async function* rowsOfSlice(
  slice: RowSlice,
  ends: BothEnds,
): AsyncGenerator<ChunkRows, void, void> {
  if (isEmptySlice(slice)) return;
  if (slice.step > 0) return yield* walk(slice, ends);
  const { lengths } = ends;
  for await (const { chunk, runs } of walk(mirror(slice), ends.reversed())) {
    const front = lengths.numChunks - 1 - chunk;
    const last = lengths.known(front)! - 1;
    yield {
      chunk: front,
      runs: runs.map(({ start, step, count }) => ({ start: last - start, step: -step, count })),
      firstRow: ends.firstRow(front),
    };
  }
}

/** Yields the rows of a slice of positive step. */
async function* walk(slice: RowSlice, ends: BothEnds): AsyncGenerator<ChunkRows, void, void> {
  const { lengths } = ends;
  const { step } = slice;
  const { start, stop, mostRows } = await boundsIn(slice, ends);
  const end = Math.min(lengths.numChunks, stop.row > 0 ? stop.chunk + 1 : stop.chunk);
  // The next row, and the end of the rows, counted from the start of the chunk.
  let row = start.row;
  let left = start.row + mostRows;
  for (let { chunk } = start; chunk < end && left > 0; chunk++) {
    if (lengths.known(chunk) === undefined) await lengths.learn(chunk, chunk + 1);
    const length = lengths.known(chunk)!;
    const rows = Math.min(length, left, chunk === stop.chunk ? stop.row : Infinity);
    const count = Math.max(0, Math.ceil((rows - row) / step));
    if (count > 0) {
      const run = { start: row, step: count === 1 ? 1 : step, count };
      yield { chunk, runs: [run], firstRow: ends.firstRow(chunk) };
    }
    row += count * step - length;
    left -= length;
  }
}

/** Returns the number of first rows that decide which rows a request means; Infinity: perhaps all. */
export function decidingRows([pick, ...later]: RowRequest): number {
  if (later.length > 0) return Infinity;
  const reach = reachOf(pick.kind === "list" ? pick : { kind: "list", parts: [pick] });
  return reach === undefined || reach.isBack ? Infinity : reach.rows;
}

/** The reach of a list from one end. */
interface Reach {
  readonly rows: number;
  readonly isBack: boolean;
}

/** Returns the reach of a list; undefined where its parts count from both ends, or have no limit. */
function reachOf({ parts }: RowList): Reach | undefined {
  let [front, back] = [0, 0];
  for (const part of parts) {
    if (typeof part === "number") {
      if (part < 0) back = Math.max(back, -part);
      else front = Math.max(front, part + 1);
    } else if (part.last === Infinity && part.drop === 0) front = Math.max(front, part.first);
    else if (part.first === Infinity && part.skip === 0) back = Math.max(back, part.last);
    else return undefined;
  }
  if (front > 0 && back > 0 || Math.max(front, back) === Infinity) return undefined;
  return { rows: Math.max(front, back), isBack: back > 0 };
}

/** Yields the rows of a request in the chunks [from, to), whose lengths are known. */
function* rowsWithin(
  request: RowRequest,
  ends: BothEnds,
  from: number,
  to: number,
): Generator<ChunkRows, void, void> {
  const starts = [0];
  for (let chunk = from; chunk < to; chunk++) {
    starts.push(starts.at(-1)! + ends.lengths.known(chunk)!);
  }
  let open: { readonly chunk: number; readonly runs: RowRun[] } | undefined;
  const located = ({ chunk, runs }: NonNullable<typeof open>): ChunkRows => {
    return { chunk: from + chunk, runs, firstRow: ends.firstRow(from + chunk) };
  };
  for (const run of resolveRows(request, starts.at(-1)!)) {
    let { start } = run;
    for (let left = run.count; left > 0;) {
      const chunk = upperBound(starts, start) - 1;
      const [before, behind] = [starts[chunk]!, starts[chunk + 1]!];
      const room = run.step > 0 ? behind - 1 - start : start - before;
      const count = Math.min(left, Math.floor(room / Math.abs(run.step)) + 1);
      if (open?.chunk !== chunk) {
        if (open !== undefined) yield located(open);
        open = { chunk, runs: [] };
      }
      addRun(open.runs, { start: start - before, step: count === 1 ? 1 : run.step, count });
      start += run.step * count;
      left -= count;
    }
  }
  if (open !== undefined) yield located(open);
}
