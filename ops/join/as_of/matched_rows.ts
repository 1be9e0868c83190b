/**
 * Rows of the build side of an as-of join that rows of a batch meet.
 *
 * @module
 */

import type { HostColumn } from "../../../gpu/column/column.ts";
import { longestRow } from "../../../gpu/column/row_bytes.ts";
import type { TimedRows } from "./sides.ts";

/** Rows [start, stop) of a batch of the probe side, and the rows of the build side that they meet. */
export interface MatchedRows {
  readonly start: number;
  readonly stop: number;
  /** For each of them a row of the piece, or -1. */
  readonly rows: Int32Array;
  readonly piece: Piece;
}

/** A build side that batches of the probe side are matched with, in order. */
export interface AsOfBuild {
  /** All rows of a batch, in parts; ends early where the join was cancelled. */
  match(probe: TimedRows): AsyncGenerator<MatchedRows, void, void>;
}

/** The payload of some rows of the build side. */
export class Piece {
  readonly columns: readonly HostColumn[];
  #longestRow: number | undefined;

  constructor(columns: readonly HostColumn[]) {
    this.columns = columns;
  }

  /** Bytes of the largest row; they are not counted before somebody asks. */
  get longestRow(): number {
    return this.#longestRow ??= longestRow(this.columns);
  }
}

/** The rows that rows [start, stop) of a batch meet, where those at `rows`, if not all, have a time. */
export function rowsOfBatch(
  matches: Int32Array,
  rows: Int32Array | undefined,
  start: number,
  stop: number,
): Int32Array {
  if (rows === undefined) return matches;
  const found = new Int32Array(stop - start).fill(-1);
  for (let i = 0; i < rows.length; i++) found[rows[i]! - start] = matches[i]!;
  return found;
}

/** Rows from `start` on, and what they meet in a piece. */
export function partOf(piece: Piece, rows: Int32Array, start: number): MatchedRows {
  return { start, stop: start + rows.length, rows, piece };
}

/** Rows one part after the other. */
export function concatRows(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
