/**
 * Which rows of a stream of unknown length a slice takes, as the rows come by.
 *
 * @module
 */

import type { RowRange } from "../../streams/select_columns.ts";
import type { RowSlice } from "../../streams/rows/row_slice.ts";

/** What to do after some rows arrived; positions count from the first row of the stream. */
interface SliceStep {
  /** Rows to give now, before any that are given later. */
  readonly give: RowRange;
  /** The first row that may still be given; what lies before can be forgotten. */
  readonly keepFrom: number;
  /** No further row can be given: stop reading. */
  readonly done: boolean;
}

/**
 * Decides for a slice with a positive step, from the number of rows seen so far, which rows are
 * certain. Rows from the front are given as soon as the end allows (`10:-5` lags by 5 rows); those
 * that count from the end are given there, and at most their own number is kept. It holds no rows
 * itself.
 */
export class SliceMachine {
  readonly #slice: RowSlice;
  #given = 0;
  #seen = 0;

  constructor(slice: RowSlice) {
    this.#slice = slice;
  }

  /** `numRows` more rows have come. */
  push(numRows: number): SliceStep {
    this.#seen += numRows;
    const { skip, last, first, drop } = this.#slice;
    if (last < Infinity) {
      const start = Math.max(skip, this.#seen - last, 0);
      return { give: empty, keepFrom: start, done: start >= first };
    }
    const certain = Math.min(first, this.#seen - drop);
    const give = this.#upTo(Math.max(skip, this.#given), certain);
    return { give, keepFrom: Math.max(skip, this.#given), done: certain >= first };
  }

  /** The stream has ended: the rows that were still open. */
  end(): RowRange {
    const { skip, last, first, drop } = this.#slice;
    const start = Math.max(skip, this.#given, this.#seen - last);
    return this.#upTo(start, Math.min(first, this.#seen - drop));
  }

  /** Position of the first row of the slice, for the step; known once a row is given. */
  get origin(): number {
    const { skip, last } = this.#slice;
    return Math.max(skip, this.#seen - last);
  }

  #upTo(start: number, stop: number): RowRange {
    if (stop <= start) return empty;
    this.#given = stop;
    return { start, stop };
  }
}

const empty: RowRange = Object.freeze({ start: 0, stop: 0 });
