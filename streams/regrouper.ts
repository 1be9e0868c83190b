/**
 * The arithmetic of regrouping a stream of pieces into groups of a given size.
 *
 * @module
 */

import type { RowRange } from "./row_range.ts";

/** Something with rows whose bytes can be told for any range of them. */
export interface Piece {
  readonly numRows: number;
  /** Bytes of the rows [start, stop); grows with the range. */
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
  /** Bytes that no group passes, unless a single row does. */
  readonly bytes: number;
}

/**
 * Cuts pieces and puts them together so that each group has exactly `rows` rows, or fewer where
 * one more row would pass `bytes`. The last group takes the rest. It holds the parts of the group
 * that is still open and nothing else.
 */
export class Regrouper<P extends Piece> {
  readonly #size: GroupSize;
  #open: Part<P>[] = [];
  #openRows = 0;
  #openBytes = 0;

  constructor(size: GroupSize) {
    this.#size = size;
  }

  /** Adds a piece; gives the groups that are now complete. */
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

  /** The input has ended: the last group, or no parts where every row was given. */
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
