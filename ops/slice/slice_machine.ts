/**
 * Which rows of a stream of unknown length a slice takes, as the rows come by.
 *
 * @module
 */

import type { RowRange } from "../../streams/select_columns.ts";
import type { RowSlice } from "./row_slice.ts";

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
 * Decides for a slice, from the number of rows seen so far, which rows are certain. A start from
 * the front gives rows as soon as the stop allows (`10:-5` lags by 5 rows); a start from the end
 * gives nothing before the end and keeps at most its own number of rows. It holds no rows itself.
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
    const { start, stop } = this.#slice;
    if (start < 0) {
      const first = Math.max(this.#seen + start, 0);
      const crossed = stop !== undefined && stop >= 0 && first >= stop;
      return { give: empty, keepFrom: first, done: crossed };
    }
    const certain = stop === undefined
      ? this.#seen
      : stop < 0
      ? this.#seen + stop
      : Math.min(stop, this.#seen);
    const give = this.#upTo(Math.max(start, this.#given), certain);
    const done = stop !== undefined && stop >= 0 && this.#seen >= stop;
    return { give, keepFrom: Math.max(start, this.#given), done };
  }

  /** The stream has ended: the rows that were still open. */
  end(): RowRange {
    const { start, stop } = this.#slice;
    const first = start < 0 ? Math.max(this.#seen + start, 0) : Math.max(start, this.#given);
    const last = stop === undefined ? this.#seen : stop < 0 ? this.#seen + stop : stop;
    return this.#upTo(first, Math.min(last, this.#seen));
  }

  /** Position of the first row of the slice, for the step; known once a row is given. */
  get origin(): number {
    const { start } = this.#slice;
    return start < 0 ? Math.max(this.#seen + start, 0) : start;
  }

  #upTo(start: number, stop: number): RowRange {
    if (stop <= start) return empty;
    this.#given = stop;
    return { start, stop };
  }
}

const empty: RowRange = Object.freeze({ start: 0, stop: 0 });
