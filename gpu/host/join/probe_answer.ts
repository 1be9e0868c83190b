/**
 * The answer to a probe batch.
 *
 * @module
 */

import type { CopiedColumn } from "../parts/take_rows.ts";

/** The answer to a batch: its matches, or its rows. */
export interface ProbeAnswer {
  /** For each row, the first row + 1 of the build side that it matches, or 0; null with results. */
  readonly found: Int32Array | null;
  readonly results: readonly ProbedRows[] | null;
}

/** Some of the rows that come out of a batch. */
export interface ProbedRows {
  readonly numRows: number;
  /** The columns of the batch; null if all rows come out unchanged. */
  readonly columns: readonly CopiedColumn[] | null;
  /** The fields of the records; null without records. */
  readonly payload: readonly CopiedColumn[] | null;
  /** The rows, if they are wanted; -1 for no build row. */
  readonly probeRows: Int32Array | null;
  readonly buildRows: Int32Array | null;
  /** Whether no probe row occurs twice. */
  readonly ascending: boolean;
}
