/**
 * Computes how to regroup a stream of pieces into groups of a given size.
 *
 * @module
 */

import type { RowRange } from "./select_columns.ts";

/** Rows whose size in bytes is known for any range. */
export interface Piece {
  readonly numRows: number;
  /** Bytes of the rows [start, stop); monotonic in the range. */
  rowBytes(start: number, stop: number): number;
}

/** Rows of one piece that belong to a group. */
export interface Part<P extends Piece> extends RowRange {
  readonly piece: P;
}

/** How large a group is. */
export interface GroupSize {
  /** Rows of each group but the last. */
  readonly rows: number;
  /** The most bytes of a group, unless a single row has more. */
  readonly bytes: number;
}

/**
 * Cuts and joins pieces so that each group has exactly `rows` rows, or fewer if one more row would
 * exceed `bytes`. The last group takes the rest. Holds only the parts of the open group.
 */
export class Regrouper<P extends Piece> {
  readonly #size: GroupSize;
  #open: Part<P>[] = [];
  #openRows = 0;
  #openBytes = 0;

  constructor(size: GroupSize) {
    this.#size = size;
  }

  /** Adds a piece; returns the groups that are now complete. */
  push(piece: P): Part<P>[][] {
    const groups: Part<P>[][] = [];
    let start = 0;
    while (start < piece.numRows) {
      const stop = this.#fit(piece, start);
      if (stop > start) {
        this.#open.push({ piece, start, stop });
        this.#openRows += stop - start;
        this.#openBytes += piece.rowBytes(start, stop);
        start = stop;
      }
      const full = this.#openRows >= this.#size.rows || start < piece.numRows;
      if (full) groups.push(this.#close());
    }
    return groups;
  }

  /** Ends the input; returns the last group, which may be empty. */
  end(): Part<P>[] {
    return this.#close();
  }

  #close(): Part<P>[] {
    const group = this.#open;
    this.#open = [];
    this.#openRows = 0;
    this.#openBytes = 0;
    return group;
  }

  /** The last stop such that the rows from `start` still fit the open group. */
  #fit(piece: P, start: number): number {
    const most = Math.min(piece.numRows, start + this.#size.rows - this.#openRows);
    const room = this.#size.bytes - this.#openBytes;
    if (piece.rowBytes(start, most) <= room) return most;
    let low = start;
    let high = most;
    // Invariant: the rows up to `low` fit, the rows up to `high` do not.
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (piece.rowBytes(start, middle) <= room) low = middle;
      else high = middle;
    }
    return low === start && this.#openRows === 0 ? start + 1 : low;
  }
}
