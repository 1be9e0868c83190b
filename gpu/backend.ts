/**
 * The operations of a backend: columns in, columns out. The results of all backends are
 * byte-identical.
 *
 * Ownership: a backend borrows its inputs. The caller owns the results and must release each of
 * them (a backend that passes an input through retains it). Calls may overlap; `depth` is the
 * useful number of batches in flight.
 *
 * @module
 */

import type { BoxesRequest } from "./column/boxes/box_columns.ts";
import type { Column, HostColumn } from "./column/column.ts";
import type { JoinHow } from "./join_kind.ts";
import type { KeyType } from "./key/key_layout.ts";
import type { Program } from "./kernel/tree/tree.ts";

export type { BoxesRequest, KeyType };

/** A request for a join table. */
export interface TableRequest {
  /** The keys of the build side, of `keyType` or of a narrower integer type. */
  readonly key: HostColumn;
  /** The type to which the keys of both sides are widened. */
  readonly keyType: KeyType;
  /** The columns of the build side that every result has, after those of the probe side. */
  readonly payload: readonly HostColumn[];
  /** The columns that only build-only rows have, after the payload. */
  readonly buildOnlyPayload: readonly HostColumn[];
  readonly how: JoinHow;
  /** Whether a null key equals a null key. If not, it matches nothing. */
  readonly nullsEqual: boolean;
}

/** The most rows and bytes of one result of a join. A larger row comes alone. */
export interface ResultLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** A hash table over the build side, ready to probe. It owns the columns of the build side. */
export interface JoinTable {
  /** The useful number of batches in flight, which may change. Default: that of the backend. */
  readonly depth?: number;
  /** Frees the table and its columns of the build side. */
  release(): void;
}

/** Counters of a backend's work, for `--stats` and for tests. */
export interface BackendCounters {
  /** Dispatches of compute shaders; 0 on the host. */
  dispatches: number;
  /** Waits for the readback of a small buffer of totals. */
  readbacks: number;
  /** Buffers uploaded from the host. */
  uploads: number;
  /** Bytes uploaded from the host. */
  uploadedBytes: number;
  /** Waits for columns downloaded to the host. */
  downloads: number;
  /** Bytes of those columns. */
  downloadedBytes: number;
  /** Compiled pipelines, or host functions. */
  compilations: number;
  /**
   * Parts of batches that failed on one thread and succeeded on another. The results are correct,
   * but the expected number is 0.
   */
  failedParts: number;
  /** Buffers that exist on the device, in use and pooled. */
  liveBuffers: number;
  /** Bytes of those buffers. */
  liveBytes: number;
}

/** Returns the counters of a backend that has done nothing yet. */
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

/** The speed of a device, as seen from the host. */
export interface DeviceProbe {
  /** The milliseconds from a submit until 4 bytes are back. */
  readonly waitMs: number;
  readonly uploadBytesPerMs: number;
  readonly downloadBytesPerMs: number;
  /** The bytes of text that a simple kernel reads in a millisecond. */
  readonly kernelBytesPerMs: number;
}

/** A device that computes: the host or a GPU. */
export interface Backend {
  /** The kind of backend; `check` computes on both others and compares. */
  readonly kind: "host" | "webgpu" | "check";
  /** The human-readable name of the adapter, or of the host. */
  readonly description: string;
  /**
   * The useful number of batches in flight.
   *
   * @internal
   */
  readonly depth: number;
  /**
   * The bytes of the longest text that it certainly supports. Longer texts may be computed on the
   * host.
   *
   * @internal
   */
  readonly maxTextBytes: number;
  /**
   * The suitable number of rows in a result of a join.
   *
   * @internal
   */
  readonly resultRows: number;
  /**
   * The most bytes of join tables that fit it at a time. Default: as many as the host allows.
   *
   * @internal
   */
  readonly maxTableBytes?: number;
  /**
   * Whether copying boxes of columns on the device pays; if not, such columns move to the host
   * first.
   *
   * @internal
   */
  readonly copiesBoxes: boolean;
  /**
   * The counters of its work so far.
   *
   * @internal
   */
  readonly counters: Readonly<BackendCounters>;

  /**
   * Runs a program over the columns of one batch. If the results for all rows would be too large
   * for one batch, it returns those for the first rows, at least one; the caller then evaluates the
   * remaining rows. After an abort it rejects between two kernels, unless the result is nearly
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
   * Returns the rows of `columns` where the bool column `mask` is true, not false or null, in
   * order.
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
   * Joins one probe batch, as the kind of the table's join says: rows in probe order, the matches
   * of each row in build order; probe columns first, then the payload. Yields at least one result
   * if the kind returns probe rows, otherwise none. If the results have no columns, rows are only
   * counted, and a result may have any number.
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
   * Yields the build-only rows in the order of the build side: `payload`, then `buildOnlyPayload`.
   * Call it after every probe has ended.
   *
   * @internal
   */
  buildOnlyRows(table: JoinTable, limits: ResultLimits): AsyncIterable<ResultRows>;

  /**
   * Returns the rows of a selection that is on the host. Each column stays on its side; -1 selects
   * nulls.
   *
   * @internal
   */
  gather(columns: readonly Column[], selection: Int32Array): Promise<Column[]>;

  /**
   * Assembles a column from boxes of other columns: each row is a tensor, and tensors are split or
   * combined. Columns on the other side are transferred first. Rejects with a TypeError for nulls.
   *
   * @internal
   */
  copyBoxes(request: BoxesRequest): Promise<Column>;

  /**
   * Downloads columns to the host, all in one wait. Returns host columns unchanged.
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
