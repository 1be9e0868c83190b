/**
 * The build side of an as-of join without groups, read along with the probe side.
 *
 * @module
 */

import { TimeWindow } from "../../../gpu/column/as_of/time_window.ts";
import { type HostColumn, nullColumn } from "../../../gpu/column/column.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import { gatherColumns } from "../../../gpu/column/gather.ts";
import { columnTypeOf } from "../../batch/arrow_types.ts";
import type { Batch } from "../../batch/batch.ts";
import type { BoundAsOf } from "./bound.ts";
import {
  type AsOfBuild,
  inBuildSide,
  type MatchedRows,
  partOf,
  payloadOf,
  type Piece,
  pieceOf,
  rowsOfBatch,
} from "./matched_rows.ts";
import { SideReader, type TimedRows } from "./sides.ts";

/**
 * A build side that is read along with the probe side. It holds one batch, and the payload of at most
 * two rows before it; the next batch is read when a row cannot be matched without it, and never
 * before.
 */
export class StreamedBuild implements AsOfBuild {
  readonly #bound: BoundAsOf;
  readonly #batches: AsyncIterator<Batch, void>;
  readonly #signal: AbortSignal;
  readonly #reader: SideReader;
  readonly #window: TimeWindow;
  /** The first rows of the window, kept from batches before, and the others. */
  #kept: Piece;
  #numKept = 0;
  #piece: Piece;

  constructor(bound: BoundAsOf, batches: AsyncIterator<Batch, void>, signal: AbortSignal) {
    this.#bound = bound;
    this.#batches = batches;
    this.#signal = signal;
    this.#reader = new SideReader(bound.built, bound.form, null);
    this.#window = new TimeWindow(bound.rule, bound.form);
    const { payload, read } = bound;
    this.#piece = pieceOf(
      payload.map((place) => nullColumn(columnTypeOf(read.fields[place]!.type), 0)),
      null,
    );
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
      if (numKept > 0 || this.#piece.rows !== null) {
        for (let i = 0; i < rest.length; i++) {
          if (rest[i]! >= 0) rest[i] = this.#rowOfPiece(rest[i]!);
        }
      }
      yield partOf(this.#piece, rest, start + split);
    }
  }

  #rowOfPiece(row: number): number {
    const { rows } = this.#piece;
    return rows === null ? row - this.#numKept : rows[row - this.#numKept]!;
  }

  /** Reads the next batch; false once the join was cancelled. */
  async #pull(): Promise<boolean> {
    const next = await this.#batches.next();
    if (this.#signal.aborted) return false;
    if (next.done) {
      this.#window.end();
      return true;
    }
    const batch = next.value;
    const { time } = this.#bound.built;
    const { times, rows } = inBuildSide(() =>
      this.#reader.read(batch.columns[time]!.column as HostColumn, [], batch)
    );
    this.#keep(this.#window.push(times));
    this.#piece = pieceOf(payloadOf(this.#bound, batch), rows);
    return true;
  }

  /** Copies the payload of rows of the window, which is about to be replaced. */
  #keep(windowRows: Int32Array): void {
    const old = windowRows.filter((row) => row < this.#numKept);
    const last = windowRows.filter((row) => row >= this.#numKept)
      .map((row) => this.#rowOfPiece(row));
    const ofOld = gatherColumns(this.#kept.columns, old);
    const ofLast = gatherColumns(this.#piece.columns, last);
    this.#kept = pieceOf(
      old.length === 0
        ? ofLast
        : ofOld.map((column, index) => concatColumns([column, ofLast[index]!])),
      null,
    );
    this.#numKept = windowRows.length;
  }
}
