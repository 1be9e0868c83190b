/**
 * The operations of both backends: columns in, columns out. Their results are byte-identical.
 *
 * Ownership: inputs are borrowed; results are owned by the caller, who must release each of them (a
 * backend that passes an input through retains it). Calls may overlap; `depth` is the useful number
 * of batches in flight.
 *
 * @module
 */

import type { Column, HostColumn } from "./column/column.ts";
import type { JoinHow } from "./join_kind.ts";
import type { Program } from "./kernel/tree/tree.ts";

/** Canonical type of a join key, to which both sides are widened before the comparison. */
export type KeyType =
  | { readonly kind: "int"; readonly bits: 32 | 64 }
  | { readonly kind: "string" };

/** A hash table over the build side, ready to probe; it owns the build side's columns. */
export interface JoinTable {
  /** Frees the table and its columns of the build side. */
  release(): void;
}

/** What a backend has done, for `--stats` and for tests. */
export interface BackendCounters {
  /** Dispatches of compute shaders; 0 on the host. */
  dispatches: number;
  /** Waits for a readback of a small buffer of totals. */
  readbacks: number;
  /** Buffers uploaded from the host. */
  uploads: number;
  /** Bytes uploaded from the host. */
  uploadedBytes: number;
  /** Waits for columns downloaded to the host. */
  downloads: number;
  /** Bytes of those columns. */
  downloadedBytes: number;
  /** Compiled pipelines (or host functions). */
  compilations: number;
  /**
   * Parts of batches that failed on one thread and succeeded when retried on another. The results are
   * correct, but the expected number is 0.
   */
  failedParts: number;
  /** Buffers that exist on the device, in use and pooled. */
  liveBuffers: number;
  /** Bytes of those buffers. */
  liveBytes: number;
}

/** Columns, and the number of rows of each. */
export interface ResultRows {
  readonly columns: readonly Column[];
  readonly numRows: number;
}

/** A device that computes: the host or a GPU. */
export interface Backend {
  /** Which backend it is; `check` computes on both others and compares. */
  readonly kind: "host" | "webgpu" | "check";
  /** Human-readable name: that of the adapter, or the host. */
  readonly description: string;
  /**
   * The useful number of batches in flight.
   *
   * @internal
   */
  readonly depth: number;
  /**
   * Bytes of the longest text that it is sure to support; longer ones may run on the host.
   *
   * @internal
   */
  readonly maxTextBytes: number;
  /**
   * What it has done so far.
   *
   * @internal
   */
  readonly counters: Readonly<BackendCounters>;

  /**
   * Runs a program over the columns of one batch. Returns results for fewer rows than requested, but
   * at least one, if those of all rows would be too large for one batch; the caller then evaluates
   * the remaining rows. After an abort it rejects between two kernels, unless the result is nearly
   * complete.
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
   * Builds the hash table of a join. `key` has `keyType` or a narrower integer type; null keys match
   * nothing. `payload` is the build-side columns of the result.
   *
   * @internal
   */
  buildTable(
    key: HostColumn,
    keyType: KeyType,
    payload: readonly HostColumn[],
  ): Promise<JoinTable>;

  /**
   * Joins one probe batch: rows in probe order, the matches of each row in build order, as the kind
   * of join defines; probe columns first, then the payload. Yields one or more results of at most
   * about `maxRows` rows; the matches of one probe row may exceed that. If neither side has columns,
   * the rows are only counted, and a result may have any number.
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
   * Downloads columns to the host, all in one wait. Host columns are returned unchanged.
   *
   * @internal
   */
  download(columns: readonly Column[]): Promise<HostColumn[]>;

  /**
   * Frees the resources of the backend.
   *
   * @internal
   */
  close(): void;
}
