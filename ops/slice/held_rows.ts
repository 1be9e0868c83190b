/**
 * Rows of a stream that are held until it is certain which of them are given.
 *
 * @module
 */

import { firstWhere } from "../../base/search.ts";
import type { Backend } from "../../gpu/backend.ts";
import { lastRow, numRowsOf, positionsOf, type RowRun } from "../../streams/rows/row_run.ts";
import { type Batch, concatBatches } from "../batch/batch.ts";
import { type Piece, rowsInOrder } from "./rows_in_order.ts";

/** Small pieces are joined up to these sizes, at which the overhead per piece is negligible. */
const TOGETHER_ROWS = 8192;
const TOGETHER_BYTES = 1 << 20;
/** Rows of a batch for each kept row from which these are copied at once, to free the others. */
const FEW = 8;

/** The batch that came last, whole. */
interface Newest {
  readonly piece: Piece;
  readonly pins: readonly RowRun[];
}

/**
 * Holds the last rows of a stream, and rows that were pinned, each by its position in the stream. Rows
 * are held, not batches: where less than half of a batch is needed, those rows are copied, so that the
 * rest of its memory is free. The batch that came last stays as it is until the next one comes, since
 * most of its rows need not leave the device.
 */
export class HeldRows {
  readonly #backend: Backend;
  /** Pieces of all rows from one on that are before the newest batch. */
  #last: Piece[] = [];
  /** Pieces of pinned rows, ascending. */
  #pinned: Piece[] = [];
  #newest: Newest | undefined;
  #seen = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Bytes of the rows, with what else is in their memory. */
  get numBytes(): number {
    const pieces = [...this.#last, ...this.#pinned];
    const newest = this.#newest?.piece.numBytes ?? 0;
    return pieces.reduce((sum, { numBytes }) => sum + numBytes, newest);
  }

  /**
   * Takes over the batch that has come. Of those before it rows from `from` on are kept, and those that
   * were pinned.
   */
  async add(batch: Batch, pins: readonly RowRun[], from: number): Promise<void> {
    const before = this.#newest;
    this.#newest = { piece: pieceOf(batch, this.#seen), pins };
    this.#seen += batch.numRows;
    this.#shorten(from);
    if (before !== undefined) await this.#keep(before, from);
  }

  /** Forgets the rows before `from`, but for pinned ones if these are kept. */
  async forget(from: number, keepsPins: boolean): Promise<void> {
    if (!keepsPins) release(this.#pinned.splice(0));
    this.#shorten(from);
    const newest = this.#newest;
    if (newest === undefined) return;
    const { batch, start } = newest.piece;
    const pins = keepsPins ? newest.pins : [];
    const numKept = Math.max(0, this.#seen - Math.max(start, from)) + numRowsOf(pins);
    const isCheap = FEW * numKept <= batch.numRows && !isOnDevice(batch);
    if (numKept > 0 && !isCheap) return;
    this.#newest = undefined;
    await this.#keep({ ...newest, pins }, from);
  }

  /** The rows of runs in their order, which must be held. */
  rows(runs: readonly RowRun[]): AsyncGenerator<Batch, void, void> {
    return rowsInOrder(runs, (row) => this.#find(row), this.#backend);
  }

  /** Releases all rows. */
  release(): void {
    release([...this.#last, ...this.#pinned]);
    this.#newest?.piece.batch.release();
    [this.#last, this.#pinned, this.#newest] = [[], [], undefined];
  }

  #find(row: number): Piece {
    const newest = this.#newest?.piece;
    if (newest !== undefined && row >= newest.start) return newest;
    const isLast = this.#last.length > 0 && row >= this.#last[0]!.start;
    return findPiece(isLast ? this.#last : this.#pinned, row);
  }

  /** Forgets the last rows before `from`. */
  #shorten(from: number): void {
    const kept = this.#last.findIndex((piece) => piece.start + piece.count > from);
    release(this.#last.splice(0, kept < 0 ? this.#last.length : kept));
    const first = this.#last[0];
    if (first !== undefined && first.start < from) this.#last[0] = shortened(first, from);
  }

  /** Keeps what is needed of a batch, and releases it. */
  async #keep({ piece: { batch, start }, pins }: Newest, from: number): Promise<void> {
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

  /** Some rows of a batch, on the host. */
  async #part(batch: Batch, start: number, rows: readonly RowRun[]): Promise<Piece> {
    const first = rows[0]!.start;
    const count = numRowsOf(rows);
    const isRange = rows.length === 1 && rows[0]!.step === 1;
    if (isRange && 2 * count >= batch.numRows) {
      await batch.toHost(this.#backend);
      return { ...pieceOf(batch.share(), first), row: first - start, count };
    }
    const local = rows.map((run) => ({ ...run, start: run.start - start }));
    const part = await copied(batch, local, this.#backend);
    return isRange
      ? pieceOf(part, first)
      : pieceOf(part, first, positionsOf(rows, new Float64Array(count)));
  }
}

function isOnDevice({ columns }: Batch): boolean {
  return columns.some(({ isOnDevice }) => isOnDevice);
}

/** All rows of a batch. */
function pieceOf(batch: Batch, start: number, positions?: Float64Array): Piece {
  const numBytes = batch.numBytes + (positions?.byteLength ?? 0);
  const piece = { batch, start, row: 0, count: batch.numRows, numBytes };
  return positions === undefined ? piece : { ...piece, positions };
}

/** Rows of a batch in buffers of their own, on the host. */
async function copied(batch: Batch, runs: readonly RowRun[], backend: Backend): Promise<Batch> {
  if (!isOnDevice(batch)) {
    // Arrow's data is converted as far as it is sliced.
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

/** The rows of a piece from one on; they are copied where that frees half of the memory. */
function shortened(piece: Piece, from: number): Piece {
  const skipped = from - piece.start;
  const row = piece.row + skipped;
  const count = piece.count - skipped;
  const { batch } = piece;
  if (2 * count >= batch.numRows) return { ...piece, start: from, row, count };
  const rows = Int32Array.from({ length: count }, (_, index) => row + index);
  const copy = batch.gather(rows);
  batch.release();
  return pieceOf(copy, from);
}

/**
 * Adds a piece behind others. Small ones are joined with those before them, as long as these have no
 * more rows: each row is copied at most as often as its number of rows can be doubled.
 */
function append(pieces: Piece[], piece: Piece): void {
  let added = piece;
  for (;;) {
    const before = pieces.at(-1);
    const isSmall = before !== undefined && before.count <= added.count &&
      before.count + added.count <= TOGETHER_ROWS &&
      before.numBytes + added.numBytes <= TOGETHER_BYTES;
    if (!isSmall) break;
    pieces.pop();
    added = joined(before, added);
  }
  pieces.push(added);
}

function joined(first: Piece, second: Piece): Piece {
  const batches = [first, second].map(({ batch, row, count }) => batch.slice(row, row + count));
  const batch = concatBatches(first.batch.schema, batches);
  release([first, second]);
  const goesOn = first.start + first.count === second.start &&
    first.positions === undefined && second.positions === undefined;
  if (goesOn) return pieceOf(batch, first.start);
  const positions = new Float64Array(batch.numRows);
  let at = 0;
  for (const piece of [first, second]) {
    for (let index = 0; index < piece.count; index++) {
      positions[at++] = piece.positions?.[index] ?? piece.start + index;
    }
  }
  return pieceOf(batch, first.start, positions);
}

function release(pieces: readonly Piece[]): void {
  for (const { batch } of pieces) batch.release();
}

/** The piece with a row: the last that does not begin behind it. */
function findPiece(pieces: readonly Piece[], row: number): Piece {
  return pieces[firstWhere(1, pieces.length, (index) => pieces[index]!.start > row) - 1]!;
}
