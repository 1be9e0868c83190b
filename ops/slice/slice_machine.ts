/**
 * Picks the rows of a slice from a stream of unknown length, as the rows come by.
 *
 * @module
 */

import { resolveSlice, type RowSlice } from "../../streams/rows/row_slice.ts";
import type { RowRun } from "../../streams/rows/row_run.ts";

/**
 * Decides for a slice, from the number of rows seen so far, which rows are certain, and which must be
 * kept. Positions count from the first row of the stream. It holds no rows itself.
 *
 * A slice whose bounds count from the front gives its rows as they come, `10:-5` five rows later. One
 * that goes backwards from a row gives all of them when that row has come. The others give their rows
 * at the end of the stream.
 */
export class SliceMachine {
  /** Whether its rows are certain as they come, in the order in which they come. */
  readonly streams: boolean;
  readonly #slice: RowSlice;
  /** The next row to come out, where rows come out as they come in. */
  #next: number;
  #isComplete = false;

  /** The slice must take rows of some stream. */
  constructor(slice: RowSlice) {
    const { skip, first, last, step } = slice;
    this.streams = step > 0 && last === Infinity;
    // Of 0:11:6 the last row is 6: those behind it need not come.
    const isLong = this.streams && first < Infinity;
    this.#slice = isLong ? { ...slice, first: first - (first - 1 - skip) % step } : slice;
    this.#next = skip;
  }

  /** Whether no more rows come out. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The rows that have become certain, when `seen` rows have come. */
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

  /** The rows that were still open when the stream has ended after `numRows` rows. */
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
   * Of the rows from `start` on that have just come, those that it may give whatever follows; `waits`
   * says that it must not give rows before others have been given. Rows of `lastRows` may be missing.
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
