/**
 * Decides on single rows of a stream of unknown length, as rows come.
 *
 * @module
 */

import { lowerBound } from "../../base/search.ts";
import { MissingRowError } from "../../base/errors/step_error.ts";
import { addRun, type RowRun } from "../../streams/rows/row_run.ts";

/**
 * Decides for positions in any order, negative ones from the end, which rows are certain and which
 * must be kept. A row comes out once those before it in the list have; ascending positions keep no
 * rows.
 */
export class PositionsMachine {
  readonly #rows: readonly number[];
  /** The positions from the front, ascending, each once. */
  readonly #front: readonly number[];
  /** For each of them, its last index in the list. */
  readonly #lastUse: readonly number[];
  readonly #last: number;
  /** The index of the next position in the list. */
  #next = 0;

  constructor(rows: readonly number[]) {
    this.#rows = rows;
    const lastUse = new Map<number, number>();
    let last = 0;
    for (const [index, row] of rows.entries()) {
      if (row >= 0) lastUse.set(row, index);
      else last = Math.max(last, -row);
    }
    this.#front = [...lastUse.keys()].sort((left, right) => left - right);
    this.#lastUse = this.#front.map((row) => lastUse.get(row)!);
    this.#last = last;
  }

  /** Whether all rows have come out. */
  get isComplete(): boolean {
    return this.#next === this.#rows.length;
  }

  /** Returns the rows that have become certain once `seen` rows have come. */
  push(seen: number): readonly RowRun[] {
    const runs: RowRun[] = [];
    for (; !this.isComplete; this.#next++) {
      const row = this.#rows[this.#next]!;
      if (row < 0 || row >= seen) break;
      addRun(runs, { start: row, step: 1, count: 1 });
    }
    return runs;
  }

  /**
   * Returns the other rows, once the stream has ended after `numRows` rows. Throws a
   * MissingRowError if one does not exist.
   */
  end(numRows: number): readonly RowRun[] {
    const runs: RowRun[] = [];
    for (; !this.isComplete; this.#next++) {
      const row = this.#rows[this.#next]!;
      const start = row < 0 ? row + numRows : row;
      if (start < 0 || start >= numRows) throw new MissingRowError(row, numRows, 0);
      addRun(runs, { start, step: 1, count: 1 });
    }
    return runs;
  }

  /**
   * Returns the number of last rows that it may still return because of their distance from the
   * end.
   */
  lastRows(): number {
    return this.#last;
  }

  /**
   * Returns the rows that must still come out, among those from `start` to `seen` that have just
   * come in.
   */
  pins(start: number, seen: number): readonly RowRun[] {
    const runs: RowRun[] = [];
    for (let index = lowerBound(this.#front, start); index < this.#front.length; index++) {
      const row = this.#front[index]!;
      if (row >= seen) break;
      if (this.#lastUse[index]! >= this.#next) addRun(runs, { start: row, step: 1, count: 1 });
    }
    return runs;
  }
}
