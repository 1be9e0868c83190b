/**
 * What both backends can do, operation by operation: columns in, columns out. Results are the same
 * on both, byte for byte.
 *
 * Ownership: inputs are borrowed. Results are new owners: release each of them (a backend that
 * passes an input through retains it). Methods may be called again before an earlier call has
 * ended; `depth` says how many batches are worth having in flight.
 *
 * @module
 */

import type { Column, HostColumn } from "./column/column.ts";
import type { JoinHow } from "./join_kind.ts";
import type { Program } from "./kernel/tree/tree.ts";

/** Canonical type of a join key: what both sides are widened to before they are compared. */
export type KeyType =
  | { readonly kind: "int"; readonly bits: 32 | 64 }
  | { readonly kind: "string" };

/** A hash table over the build side, ready to be probed; it owns the build side's columns. */
export interface JoinTable {
  /** Frees the table and what it holds of the build side. */
  release(): void;
}

/** What a backend did, for `--stats` and for tests that count. */
export interface BackendCounters {
  /** Dispatches of compute shaders; 0 on the host. */
  dispatches: number;
  /** Waits for a small buffer of totals. */
  readbacks: number;
  /** Buffers that were written from the host. */
  uploads: number;
  /** Bytes that were written from the host. */
  uploadedBytes: number;
  /** Waits for columns that came back to the host. */
  downloads: number;
  /** Bytes of those columns. */
  downloadedBytes: number;
  /** Pipelines (or host functions) that were compiled. */
  compilations: number;
  /**
   * Parts of batches that failed on a thread and were computed again on another one, where they did
   * not. The result is right; but there should be none.
   */
  failedParts: number;
  /** Buffers that exist on the device, in use and pooled. */
  liveBuffers: number;
  /** Bytes of those buffers. */
  liveBytes: number;
}

/** Some columns, and how many rows each of them has. */
export interface ResultRows {
  readonly columns: readonly Column[];
  readonly numRows: number;
}

/** A place to compute. */
export interface Backend {
  /** Which of the backends it is; `check` computes on both others and compares. */
  readonly kind: "host" | "webgpu" | "check";
  /** What a person calls it: the adapter's name, or the host. */
  readonly description: string;
  /**
   * How many batches are worth having in flight.
   *
   * @internal
   */
  readonly depth: number;
  /**
   * Bytes of the longest text that it computes with in any case; longer ones may run on the host.
   *
   * @internal
   */
  readonly maxTextBytes: number;
  /**
   * What it did so far.
   *
   * @internal
   */
  readonly counters: Readonly<BackendCounters>;

  /**
   * Runs a program over the columns of one batch and gives its outputs: for fewer rows than were asked
   * for, but at least one, where one batch should not hold the results of all of them. The caller then
   * evaluates the other rows by themselves. Rejects soon after the signal is aborted, between two
   * kernels, or gives the result if it is nearly complete.
   *
   * @internal
   */
  evaluate(
    program: Program,
    inputs: readonly Column[],
    numRows: number,
    signal?: AbortSignal,
  ): Promise<ResultRows>;

  /**
   * The rows of `columns` where the bool column `mask` is true (not false, not null), in order.
   *
   * @internal
   */
  filter(
    columns: readonly Column[],
    mask: Column,
    numRows: number,
  ): Promise<ResultRows>;

  /**
   * Builds the table of a join. `key` has `keyType` or a narrower integer type; null keys match
   * nothing. `payload` are the columns that the result takes from the build side.
   *
   * @internal
   */
  buildTable(
    key: HostColumn,
    keyType: KeyType,
    payload: readonly HostColumn[],
  ): Promise<JoinTable>;

  /**
   * Joins one probe batch: rows in probe order, the matches of one row in the order of the build
   * side, and what else the kind of join gives; the probe columns come first, then the payload. Yields
   * one or more results of about `maxRows` rows at most; a probe row may have more matches than that.
   * Where neither side has columns, the rows are only counted, and a result may have any number.
   *
   * @internal
   */
  probe(
    table: JoinTable,
    key: Column,
    columns: readonly Column[],
    numRows: number,
    how: JoinHow,
    maxRows: number,
  ): AsyncIterable<ResultRows>;

  /**
   * Brings columns to the host, all in one wait. Host columns come back as they are.
   *
   * @internal
   */
  download(columns: readonly Column[]): Promise<HostColumn[]>;

  /**
   * Frees what the backend holds.
   *
   * @internal
   */
  close(): void;
}
