/**
 * Decides on the rows of a slice of a stream of unknown length, as rows come.
 *
 * @module
 */

import { resolveSlice, type RowSlice } from "../../streams/rows/row_slice.ts";
import type { RowRun } from "../../streams/rows/row_run.ts";

/**
 * Decides for a slice, from the number of rows seen so far, which rows are certain and which must
 * be kept. Positions count from the first row of the stream. It has no rows itself.
 *
 * A slice whose bounds count from the front returns its rows as they come, `10:-5` five rows later.
 * One that goes backwards from a row returns all of them once that row has come. Others return
 * their rows at the end of the stream.
 */
export class SliceMachine {
  /** Whether its rows come out as they come in, in the same order. */
  readonly streams: boolean;
  readonly #slice: RowSlice;
  /** The next row to come out, if `streams`. */
  #next: number;
  #isComplete = false;

  /** The slice must not be empty for every stream. */
  constructor(slice: RowSlice) {
    const { skip, first, last, step } = slice;
    this.streams = step > 0 && last === Infinity;
    // The last row of 0:11:6 is 6: later rows need not come.
    const isLong = this.streams && first < Infinity;
    this.#slice = isLong ? { ...slice, first: first - (first - 1 - skip) % step } : slice;
    this.#next = skip;
  }

  /** Whether all rows have come out. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Returns the rows that have become certain once `seen` rows have come. */
  push(seen: number): readonly RowRun[] {
    const { skip, last, first, drop, step } = this.#slice;
    const certain = Math.min(first, seen - drop);
    if (this.streams) {
      this.#isComplete = certain >= first;
      return this.#upTo(certain);
    }
    if (last < Infinity) {
      this.#isComplete = seen - last >= first;
      return [];
    }
    this.#isComplete = certain >= first;
    if (!this.#isComplete) return [];
    return [{ start: first - 1, step, count: Math.ceil((first - skip) / -step) }];
  }

  /** Returns the rows that were still open, once the stream has ended after `numRows` rows. */
  end(numRows: number): readonly RowRun[] {
    const { first, drop } = this.#slice;
    this.#isComplete = true;
    if (this.streams) return this.#upTo(Math.min(first, numRows - drop));
    const run = resolveSlice(this.#slice, numRows);
    return run.count === 0 ? [] : [run];
  }

  /**
   * Returns the number of last rows that it may still return because of their distance from the
   * end.
   */
  lastRows(seen: number): number {
    const { last, first, drop } = this.#slice;
    if (last < Infinity) return seen - last >= first ? 0 : last;
    return this.streams ? drop : 0;
  }

  /**
   * Returns the rows to keep among those from `start` to `seen` that have just come. `waits` says
   * that other parts must come out first. Rows that `lastRows` covers may be missing.
   */
  pins(start: number, seen: number, waits: boolean): readonly RowRun[] {
    const { skip, last, first, step } = this.#slice;
    if (last < Infinity || (this.streams && !waits)) return [];
    const apart = this.streams ? step : 1;
    const from = skip + apart * Math.ceil(Math.max(0, start - skip) / apart);
    const count = Math.ceil((Math.min(first, seen) - from) / apart);
    return count > 0 ? [{ start: from, step: count === 1 ? 1 : apart, count }] : [];
  }

  #upTo(stop: number): readonly RowRun[] {
    const { step } = this.#slice;
    const start = this.#next;
    const count = Math.ceil((stop - start) / step);
    if (count <= 0) return [];
    this.#next = start + step * count;
    return [{ start, step, count }];
  }
}
