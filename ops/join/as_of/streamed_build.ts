/**
 * The build side of an as-of join without groups, read along with the probe side.
 *
 * @module
 */

import { TimeWindow } from "../../../gpu/column/as_of/time_window.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import { gatherColumns } from "../../../gpu/column/gather.ts";
import type { BoundAsOf } from "./bound.ts";
import { type BuildPiece, emptyPayload } from "./build_pieces.ts";
import { type AsOfBuild, type MatchedRows, partOf, Piece, rowsOfBatch } from "./matched_rows.ts";
import type { TimedRows } from "./sides.ts";

/**
 * A build side that is read along with the probe side. It holds one batch, and the payload of at most
 * two rows before it; the next batch is read when a row cannot be matched without it, and never
 * before.
 */
export class StreamedBuild implements AsOfBuild {
  readonly #pieces: AsyncIterator<BuildPiece, void>;
  readonly #signal: AbortSignal;
  readonly #window: TimeWindow;
  /** The first rows of the window, kept from batches before, and the others. */
  #kept: Piece;
  #numKept = 0;
  #piece: Piece;
  /** The rows of the last piece that have a time; null if all of them. */
  #timedRows: Int32Array | null = null;

  /** The pieces are sorted by time, all of one group or without any. */
  constructor(bound: BoundAsOf, pieces: AsyncIterator<BuildPiece, void>, signal: AbortSignal) {
    this.#pieces = pieces;
    this.#signal = signal;
    this.#window = new TimeWindow(bound.rule, bound.form);
    this.#piece = new Piece(emptyPayload(bound));
    this.#kept = this.#piece;
  }

  async *match({ times, rows, numRows }: TimedRows): AsyncGenerator<MatchedRows, void, void> {
    const matches = new Int32Array(times.length);
    for (let at = 0, start = 0;;) {
      const ready = this.#window.match(times, at, times.length, matches);
      const isAll = ready === times.length;
      const stop = isAll ? numRows : rows === null ? ready : rows[ready]!;
      const found = rowsOfBatch(
        matches.subarray(at, ready),
        rows?.subarray(at, ready),
        start,
        stop,
      );
      yield* this.#parts(found, start);
      if (isAll || !await this.#pull()) return;
      at = ready;
      start = stop;
    }
  }

  /** Rows of the window as rows of its two pieces: those of the kept one come first. */
  *#parts(found: Int32Array, start: number): Generator<MatchedRows, void, void> {
    const numKept = this.#numKept;
    const turn = numKept === 0 ? 0 : found.findIndex((row) => row >= numKept);
    const split = turn < 0 ? found.length : turn;
    if (split > 0) yield partOf(this.#kept, found.subarray(0, split), start);
    if (split < found.length) {
      const rest = found.subarray(split);
      if (numKept > 0 || this.#timedRows !== null) {
        for (let i = 0; i < rest.length; i++) {
          if (rest[i]! >= 0) rest[i] = this.#rowOfPiece(rest[i]!);
        }
      }
      yield partOf(this.#piece, rest, start + split);
    }
  }

  #rowOfPiece(row: number): number {
    const rows = this.#timedRows;
    return rows === null ? row - this.#numKept : rows[row - this.#numKept]!;
  }

  /** Reads the next batch; false once the join was cancelled. */
  async #pull(): Promise<boolean> {
    const next = await this.#pieces.next();
    if (this.#signal.aborted) return false;
    if (next.done) {
      this.#window.end();
      return true;
    }
    const { timed: { times, rows }, payload } = next.value;
    this.#keep(this.#window.push(times));
    this.#piece = new Piece(payload);
    this.#timedRows = rows;
    return true;
  }

  /** Copies the payload of rows of the window, which is about to be replaced. */
  #keep(windowRows: Int32Array): void {
    const old = windowRows.filter((row) => row < this.#numKept);
    const last = windowRows.filter((row) => row >= this.#numKept)
      .map((row) => this.#rowOfPiece(row));
    const ofOld = gatherColumns(this.#kept.columns, old);
    const ofLast = gatherColumns(this.#piece.columns, last);
    this.#kept = new Piece(
      old.length === 0
        ? ofLast
        : ofOld.map((column, index) => concatColumns([column, ofLast[index]!])),
    );
    this.#numKept = windowRows.length;
  }
}
