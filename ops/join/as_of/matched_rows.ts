/**
 * The matches of the rows of a batch in the build side of an as-of join.
 *
 * @module
 */

import type { HostColumn } from "../../../gpu/column/column.ts";
import { longestRow } from "../../../gpu/column/row_bytes.ts";
import type { TimedRows } from "./sides.ts";

/** The rows [start, stop) of a batch of the probe side, and the rows of the build side that they match. */
export interface MatchedRows {
  readonly start: number;
  readonly stop: number;
  /** A row of the payload for each of the rows, or -1. */
  readonly rows: Int32Array;
  readonly payload: Payload;
}

/** A build side, with which the batches of the probe side are matched in order. */
export interface AsOfBuild {
  /** Matches all rows of a batch, and yields them in ranges; ends early if the join was cancelled. */
  match(probe: TimedRows): AsyncGenerator<MatchedRows, void, void>;
}

/** The payload of some rows of the build side. */
export class Payload {
  readonly columns: readonly HostColumn[];
  #longestRow: number | undefined;

  constructor(columns: readonly HostColumn[]) {
    this.columns = columns;
  }

  /** The number of bytes of the largest row, computed with the first use. */
  get longestRow(): number {
    return this.#longestRow ??= longestRow(this.columns);
  }
}

/** Returns the matches of the rows [start, stop) of a batch. Only those at `rows`, or all, have a time. */
export function rowsOfBatch(
  matches: Int32Array,
  rows: Int32Array | undefined,
  start: number,
  stop: number,
): Int32Array {
  if (rows === undefined) return matches;
  const matched = new Int32Array(stop - start).fill(-1);
  for (let i = 0; i < rows.length; i++) matched[rows[i]! - start] = matches[i]!;
  return matched;
}

/** Returns the rows from `start` on with their matches in a payload. */
export function matchedRows(payload: Payload, rows: Int32Array, start: number): MatchedRows {
  return { start, stop: start + rows.length, rows, payload };
}

/** Concatenates row numbers. */
export function concatSelections(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
