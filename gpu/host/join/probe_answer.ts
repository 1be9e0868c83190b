/**
 * What comes of a probe batch.
 *
 * @module
 */

import type { CopiedColumn } from "../parts/take_rows.ts";

/** What came of a batch. */
export interface ProbeAnswer {
  /** For each row the first row + 1 of the build side with its key, or 0; null where there are pieces. */
  readonly found: Int32Array | null;
  readonly pieces: readonly ProbedPiece[] | null;
}

/** Some of the rows that come out of a batch. */
export interface ProbedPiece {
  readonly numRows: number;
  /** The columns of the batch; null where all rows come out as they are. */
  readonly columns: readonly CopiedColumn[] | null;
  /** The fields of the records; null where there are none. */
  readonly payload: readonly CopiedColumn[] | null;
  /** The rows, where they are wanted: of the build side -1 for no row. */
  readonly probeRows: Int32Array | null;
  readonly buildRows: Int32Array | null;
  /** Whether no probe row occurs twice. */
  readonly ascending: boolean;
}
