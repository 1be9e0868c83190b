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
  /** For each of them a row of `columns`, or -1. */
  readonly rows: Int32Array;
  /** The payload. */
  readonly columns: readonly HostColumn[];
  /** Bytes of the largest row of the payload. */
  readonly longestRow: number;
}

/** A build side that batches of the probe side are matched with, in order. */
export interface AsOfBuild {
  /** All rows of a batch, in parts; ends early where the join was cancelled. */
  match(probe: TimedRows): AsyncGenerator<MatchedRows, void, void>;
}

/** Columns, and which of their rows are met. */
export interface Piece {
  readonly columns: readonly HostColumn[];
  readonly longestRow: number;
  /** The rows that have a time; null if all of them. */
  readonly rows: Int32Array | null;
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

/** Columns as a piece of a build side. */
export function pieceOf(columns: readonly HostColumn[], rows: Int32Array | null): Piece {
  return { columns, longestRow: longestRow(columns), rows };
}

/** Rows from `start` on, and what they meet in a piece. */
export function partOf(
  { columns, longestRow }: Piece,
  rows: Int32Array,
  start: number,
): MatchedRows {
  return { start, stop: start + rows.length, rows, columns, longestRow };
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
