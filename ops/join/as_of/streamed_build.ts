/**
 * The build side of an as-of join without groups, read along with the probe side.
 *
 * @module
 */

import { TimeWindow } from "../../../gpu/order/as_of/time_window.ts";
import { gatherColumns } from "../../../gpu/column/gather.ts";
import type { BoundAsOf } from "./bound.ts";
import { type BuildPiece, emptyPayload } from "./build_pieces.ts";
import { type AsOfBuild, type MatchedRows, partOf, Piece, rowsOfBatch } from "./matched_rows.ts";
import type { TimedRows } from "./sides.ts";

/**
 * A build side that is read along with the probe side. It holds one batch, and the payload of at most
 * one row before it; the next batch is read when a row cannot be matched without it, and never
 * before.
 */
export class StreamedBuild implements AsOfBuild {
  readonly #pieces: AsyncIterator<BuildPiece, void>;
  readonly #signal: AbortSignal;
  readonly #window: TimeWindow;
  /** The first row of the window, if kept from a batch before, and the others. */
  #kept: Piece;
  #numKept: 0 | 1 = 0;
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
    const lastRow = this.#window.length - 1;
    const keepsLast = this.#window.push(times);
    // The last row stays where it is if the last piece had none.
    if (keepsLast && lastRow >= this.#numKept) this.#keep(this.#rowOfPiece(lastRow));
    this.#numKept = keepsLast ? 1 : 0;
    this.#piece = new Piece(payload);
    this.#timedRows = rows;
    return true;
  }

  /** Copies the payload of a row, whose piece is about to be replaced. */
  #keep(row: number): void {
    this.#kept = new Piece(gatherColumns(this.#piece.columns, Int32Array.of(row)));
  }
}
