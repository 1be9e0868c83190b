/**
 * Buffers rows of a stream until it is certain which of them a pick takes.
 *
 * @module
 */

import { firstWhere } from "../../base/search.ts";
import type { Backend } from "../../gpu/backend.ts";
import { lastRow, numRowsOf, positionsOf, type RowRun } from "../../streams/rows/row_run.ts";
import { type Batch, concatBatches } from "../batch/batch.ts";
import { type BufferedRows, rowsInOrder } from "./rows_in_order.ts";

/** Small buffers are joined up to these sizes, at which the overhead of a buffer is negligible. */
const TOGETHER_ROWS = 8192;
const TOGETHER_BYTES = 1 << 20;
/**
 * If a batch has at least this many rows for each kept row, the kept ones are copied immediately,
 * to free the others.
 */
const FEW = 8;

/** The newest batch, whole. */
interface Newest {
  readonly buffer: BufferedRows;
  readonly pins: readonly RowRun[];
}

/**
 * Buffers the last rows of a stream, and rows that were pinned, each by its position in the stream. It
 * keeps rows, not batches: where less than half of a batch is needed, it copies those rows, so that the
 * rest of the memory is free. The newest batch stays whole until the next one comes, since most of its
 * rows need not leave the device.
 */
export class RowBuffer {
  readonly #backend: Backend;
  /** All rows from some row on, up to the newest batch. */
  #last: BufferedRows[] = [];
  /** Pinned rows, ascending. */
  #pinned: BufferedRows[] = [];
  #newest: Newest | undefined;
  #seen = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** The bytes of the rows, and of anything else in their memory. */
  get numBytes(): number {
    const buffers = [...this.#last, ...this.#pinned];
    const newest = this.#newest?.buffer.numBytes ?? 0;
    return buffers.reduce((sum, { numBytes }) => sum + numBytes, newest);
  }

  /**
   * Takes ownership of a batch. Of earlier batches, keeps the rows from `from` on and pinned rows.
   */
  async add(batch: Batch, pins: readonly RowRun[], from: number): Promise<void> {
    const before = this.#newest;
    this.#newest = { buffer: bufferOf(batch, this.#seen), pins };
    this.#seen += batch.numRows;
    this.#shorten(from);
    if (before !== undefined) await this.#keep(before, from);
  }

  /** Frees the rows before `from`, except pinned ones if these are kept. */
  async forget(from: number, keepsPins: boolean): Promise<void> {
    if (!keepsPins) release(this.#pinned.splice(0));
    this.#shorten(from);
    const newest = this.#newest;
    if (newest === undefined) return;
    const { batch, start } = newest.buffer;
    const pins = keepsPins ? newest.pins : [];
    const numKept = Math.max(0, this.#seen - Math.max(start, from)) + numRowsOf(pins);
    const isCheap = FEW * numKept <= batch.numRows && !isOnDevice(batch);
    if (numKept > 0 && !isCheap) return;
    this.#newest = undefined;
    await this.#keep({ ...newest, pins }, from);
  }

  /** Yields the rows of runs in their order; all of them must be buffered. */
  rows(runs: readonly RowRun[]): AsyncGenerator<Batch, void, void> {
    return rowsInOrder(runs, (row) => this.#find(row), this.#backend);
  }

  /** Releases all rows. */
  release(): void {
    release([...this.#last, ...this.#pinned]);
    this.#newest?.buffer.batch.release();
    [this.#last, this.#pinned, this.#newest] = [[], [], undefined];
  }

  #find(row: number): BufferedRows {
    const newest = this.#newest?.buffer;
    if (newest !== undefined && row >= newest.start) return newest;
    const isLast = this.#last.length > 0 && row >= this.#last[0]!.start;
    return findBuffer(isLast ? this.#last : this.#pinned, row);
  }

  /** Frees the last rows before `from`. */
  #shorten(from: number): void {
    const kept = this.#last.findIndex((buffer) => buffer.start + buffer.count > from);
    release(this.#last.splice(0, kept < 0 ? this.#last.length : kept));
    const first = this.#last[0];
    if (first !== undefined && first.start < from) this.#last[0] = shortened(first, from);
  }

  /** Keeps the rows of a batch that are needed, and releases it. */
  async #keep({ buffer: { batch, start }, pins }: Newest, from: number): Promise<void> {
    try {
      const first = Math.max(start, from);
      const count = start + batch.numRows - first;
      if (count > 0) {
        append(this.#last, await this.#part(batch, start, [{ start: first, step: 1, count }]));
      }
      if (pins.length > 0) append(this.#pinned, await this.#part(batch, start, pins));
    } finally {
      batch.release();
    }
  }

  /** Returns some rows of a batch, on the host. */
  async #part(batch: Batch, start: number, rows: readonly RowRun[]): Promise<BufferedRows> {
    const first = rows[0]!.start;
    const count = numRowsOf(rows);
    const isRange = rows.length === 1 && rows[0]!.step === 1;
    if (isRange && 2 * count >= batch.numRows) {
      await batch.toHost(this.#backend);
      return { ...bufferOf(batch.share(), first), row: first - start, count };
    }
    const local = rows.map((run) => ({ ...run, start: run.start - start }));
    const part = await copied(batch, local, this.#backend);
    return isRange
      ? bufferOf(part, first)
      : bufferOf(part, first, positionsOf(rows, new Float64Array(count)));
  }
}

function isOnDevice({ columns }: Batch): boolean {
  return columns.some(({ isOnDevice }) => isOnDevice);
}

/** Returns a buffer of all rows of a batch. */
function bufferOf(batch: Batch, start: number, positions?: Float64Array): BufferedRows {
  const numBytes = batch.numBytes + (positions?.byteLength ?? 0);
  const buffer = { batch, start, row: 0, count: batch.numRows, numBytes };
  return positions === undefined ? buffer : { ...buffer, positions };
}

/** Copies rows of a batch to memory of their own, on the host. */
async function copied(batch: Batch, runs: readonly RowRun[], backend: Backend): Promise<Batch> {
  if (!isOnDevice(batch)) {
    // Only the slice of Arrow data is converted.
    const start = runs[0]!.start;
    const around = batch.slice(start, lastRow(runs.at(-1)!) + 1);
    const positions = positionsOf(runs, new Float64Array(numRowsOf(runs)));
    return around.gather(Int32Array.from(positions, (row) => row - start));
  }
  const part = await batch.rows(backend, runs);
  try {
    await part.toHost(backend);
    return part.gather(Int32Array.from({ length: part.numRows }, (_, row) => row));
  } finally {
    part.release();
  }
}

/** Returns the rows of a buffer from row `from` on, copied if that frees half of the memory. */
function shortened(buffer: BufferedRows, from: number): BufferedRows {
  const skipped = from - buffer.start;
  const row = buffer.row + skipped;
  const count = buffer.count - skipped;
  const { batch } = buffer;
  if (2 * count >= batch.numRows) return { ...buffer, start: from, row, count };
  const rows = Int32Array.from({ length: count }, (_, index) => row + index);
  const copy = batch.gather(rows);
  batch.release();
  return bufferOf(copy, from);
}

/**
 * Appends a buffer to others. Joins it with small buffers before it, as long as these have no more
 * rows: so a row is copied only when the size of its buffer at least doubles.
 */
function append(buffers: BufferedRows[], buffer: BufferedRows): void {
  let added = buffer;
  for (;;) {
    const before = buffers.at(-1);
    const isSmall = before !== undefined && before.count <= added.count &&
      before.count + added.count <= TOGETHER_ROWS &&
      before.numBytes + added.numBytes <= TOGETHER_BYTES;
    if (!isSmall) break;
    buffers.pop();
    added = joined(before, added);
  }
  buffers.push(added);
}

function joined(first: BufferedRows, second: BufferedRows): BufferedRows {
  const batches = [first, second].map(({ batch, row, count }) => batch.slice(row, row + count));
  const batch = concatBatches(first.batch.schema, batches);
  release([first, second]);
  const goesOn = first.start + first.count === second.start &&
    first.positions === undefined && second.positions === undefined;
  if (goesOn) return bufferOf(batch, first.start);
  const positions = new Float64Array(batch.numRows);
  let at = 0;
  for (const buffer of [first, second]) {
    for (let index = 0; index < buffer.count; index++) {
      positions[at++] = buffer.positions?.[index] ?? buffer.start + index;
    }
  }
  return bufferOf(batch, first.start, positions);
}

function release(buffers: readonly BufferedRows[]): void {
  for (const { batch } of buffers) batch.release();
}

/** Returns the buffer with a row: the last one that does not begin after it. */
function findBuffer(buffers: readonly BufferedRows[], row: number): BufferedRows {
  return buffers[firstWhere(1, buffers.length, (index) => buffers[index]!.start > row) - 1]!;
}
