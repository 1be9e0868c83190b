/**
 * The build side of an as-of join without groups, read along with the probe side.
 *
 * @module
 */

import { TimeWindow } from "../../../gpu/order/as_of/time_window.ts";
import { gatherColumns } from "../../../gpu/column/gather.ts";
import type { BoundAsOf } from "./bound.ts";
import { emptyPayload, type TimedBuild } from "./timed_build.ts";
import {
  type AsOfBuild,
  type MatchedRows,
  matchedRows,
  Payload,
  rowsOfBatch,
} from "./matched_rows.ts";
import type { TimedRows } from "./sides.ts";

/**
 * A build side that is read along with the probe side. It keeps one batch, and the payload of at most one
 * row before it. It reads the next batch only when a row cannot be matched without it.
 */
export class StreamedBuild implements AsOfBuild {
  readonly #batches: AsyncIterator<TimedBuild, void>;
  readonly #signal: AbortSignal;
  readonly #window: TimeWindow;
  /** The payload of the first row of the window, if it is from an earlier batch, then of the others. */
  #kept: Payload;
  #numKept: 0 | 1 = 0;
  #payload: Payload;
  /** The rows of the last batch that have a time; null if all have. */
  #timedRows: Int32Array | null = null;

  /** The batches are sorted by time, all of one group or without groups. */
  constructor(bound: BoundAsOf, batches: AsyncIterator<TimedBuild, void>, signal: AbortSignal) {
    this.#batches = batches;
    this.#signal = signal;
    this.#window = new TimeWindow(bound.rule, bound.form);
    this.#payload = new Payload(emptyPayload(bound));
    this.#kept = this.#payload;
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

  /** Yields matches in the window as rows of its two payloads: those of the kept one come first. */
  *#parts(found: Int32Array, start: number): Generator<MatchedRows, void, void> {
    const numKept = this.#numKept;
    const turn = numKept === 0 ? 0 : found.findIndex((row) => row >= numKept);
    const split = turn < 0 ? found.length : turn;
    if (split > 0) yield matchedRows(this.#kept, found.subarray(0, split), start);
    if (split < found.length) {
      const rest = found.subarray(split);
      if (numKept > 0 || this.#timedRows !== null) {
        for (let i = 0; i < rest.length; i++) {
          if (rest[i]! >= 0) rest[i] = this.#rowOfBatch(rest[i]!);
        }
      }
      yield matchedRows(this.#payload, rest, start + split);
    }
  }

  #rowOfBatch(row: number): number {
    const rows = this.#timedRows;
    return rows === null ? row - this.#numKept : rows[row - this.#numKept]!;
  }

  /** Reads the next batch. Returns false if the join was cancelled. */
  async #pull(): Promise<boolean> {
    const next = await this.#batches.next();
    if (this.#signal.aborted) return false;
    if (next.done) {
      this.#window.end();
      return true;
    }
    const { timed: { times, rows }, payload } = next.value;
    const lastRow = this.#window.length - 1;
    const keepsLast = this.#window.push(times);
    // The kept row stays if the last batch had no row.
    if (keepsLast && lastRow >= this.#numKept) this.#keep(this.#rowOfBatch(lastRow));
    this.#numKept = keepsLast ? 1 : 0;
    this.#payload = new Payload(payload);
    this.#timedRows = rows;
    return true;
  }

  /** Copies the payload of a row, whose batch is about to be replaced. */
  #keep(row: number): void {
    this.#kept = new Payload(gatherColumns(this.#payload.columns, Int32Array.of(row)));
  }
}
