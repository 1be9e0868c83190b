/**
 * The operations of both backends: columns in, columns out. Their results are byte-identical.
 *
 * Ownership: inputs are borrowed; results are owned by the caller, who must release each of them (a
 * backend that passes an input through retains it). Calls may overlap; `depth` is the useful number
 * of batches in flight.
 *
 * @module
 */

import type { BoxesRequest } from "./column/boxes/box_columns.ts";
import type { Column, HostColumn } from "./column/column.ts";
import type { JoinHow } from "./join_kind.ts";
import type { KeyType } from "./key/key_layout.ts";
import type { Program } from "./kernel/tree/tree.ts";

export type { BoxesRequest, KeyType };

/** What a join table is made of. */
export interface TableRequest {
  /** The keys of the build side: of `keyType`, or of a narrower integer type. */
  readonly key: HostColumn;
  /** The type to which the keys of both sides are widened. */
  readonly keyType: KeyType;
  /** The columns of the build side that every result has, behind those of the probe side. */
  readonly payload: readonly HostColumn[];
  /** Columns of build-only rows alone, which follow the payload. */
  readonly buildOnlyPayload: readonly HostColumn[];
  readonly how: JoinHow;
  /** Whether a null key equals a null key; if not, it matches nothing. */
  readonly nullsEqual: boolean;
}

/** The most rows and bytes that one result of a join has; a row that is larger comes alone. */
export interface ResultLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** A hash table over the build side, ready to probe; it owns the build side's columns. */
export interface JoinTable {
  /** The useful number of batches in flight, which may change; absent: that of the backend. */
  readonly depth?: number;
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

/** The counters of a backend that has done nothing yet. */
export function zeroCounters(): BackendCounters {
  return {
    dispatches: 0,
    readbacks: 0,
    uploads: 0,
    uploadedBytes: 0,
    downloads: 0,
    downloadedBytes: 0,
    compilations: 0,
    failedParts: 0,
    liveBuffers: 0,
    liveBytes: 0,
  };
}

/** Columns, and the number of rows of each. */
export interface ResultRows {
  readonly columns: readonly Column[];
  readonly numRows: number;
}

/** How fast a device is from here. */
export interface DeviceProbe {
  /** From a submit until 4 bytes are back, in milliseconds. */
  readonly waitMs: number;
  readonly uploadBytesPerMs: number;
  readonly downloadBytesPerMs: number;
  /** Bytes of text that go into a simple kernel. */
  readonly kernelBytesPerMs: number;
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
   * Rows of a result of a join that suit it.
   *
   * @internal
   */
  readonly resultRows: number;
  /**
   * Bytes of the join tables that it can hold at one time; absent: as many as the host.
   *
   * @internal
   */
  readonly maxTableBytes?: number;
  /**
   * Whether boxes of columns that lie here are copied here, or on the host where all else of them is.
   *
   * @internal
   */
  readonly copiesBoxes: boolean;
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
   * Builds the hash table of a join.
   *
   * @internal
   */
  buildTable(request: TableRequest): Promise<JoinTable>;

  /**
   * Joins one probe batch as the kind of the table's join says: rows in probe order, the matches of
   * each row in build order; probe columns first, then the payload. Yields at least one result where
   * the kind gives probe rows, else none. If the results have no columns, the rows are only counted,
   * and a result may have any number.
   *
   * @internal
   */
  probe(
    table: JoinTable,
    key: Column,
    columns: readonly Column[],
    numRows: number,
    limits: ResultLimits,
  ): AsyncIterable<ResultRows>;

  /**
   * Yields the build-only rows, in the order of the build side: `payload`, then `buildOnlyPayload`. Call it
   * when every probe has ended.
   *
   * @internal
   */
  buildOnlyRows(table: JoinTable, limits: ResultLimits): AsyncIterable<ResultRows>;

  /**
   * The rows of a selection that the host made, on the side where each column lies; -1 gives nulls.
   *
   * @internal
   */
  gather(columns: readonly Column[], selection: Int32Array): Promise<Column[]>;

  /**
   * A column that is put together from boxes of other columns: tensors, one a row, that are split or
   * combined. Columns on the other side travel first. Rejects with a TypeError for nulls.
   *
   * @internal
   */
  copyBoxes(request: BoxesRequest): Promise<Column>;

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
  close(): void | Promise<void>;
}
