/**
 * The interface of sources of record batches. A source knows its schema before its rows, and may skip
 * rows (by seeking) and columns (by not reading them).
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";

/** What the engine requests from a source. */
export interface OpenOptions {
  /** Names of the wanted columns, in the order of the schema; absent: all. */
  readonly columns?: readonly string[];
  /** The wanted rows [start, stop). Set only for sources that can seek. */
  readonly start?: number;
  /** See `start`. */
  readonly stop?: number;
  /**
   * How many rows and bytes small batches may have when joined. A source joins only what it has, and
   * never waits for more; absent: batches are not joined.
   */
  readonly together?: { readonly rows: number; readonly bytes: number };
  /**
   * Aborted when the rows are not wanted any more: a pending read and the iteration must end. If it is
   * aborted from the start, the source reads nothing and releases its resources.
   */
  readonly signal?: AbortSignal;
}

/** A source of record batches; one object may be opened many times. */
export interface Source {
  /** The name of the file, for errors and `explain`. */
  readonly name: string;
  /** Whether `open` accepts `start` and `stop`, without reading the rows before. */
  readonly canSeek: boolean;
  /** Bytes read so far by all iterations together, for progress. */
  readonly bytesRead: number;
  /** Size in bytes, if known. */
  readonly numBytes?: number | undefined;
  /**
   * The schema; reads no rows if the format allows. Undefined only for a foreign stream that ended
   * before its first batch.
   */
  schema(): Promise<Schema | undefined>;
  /** The number of rows, if metadata has it. */
  numRows(): Promise<number | undefined>;
  /**
   * The rows, batch by batch, on demand. Ending the iteration early closes what was opened. Errors name
   * the source.
   */
  open(options: OpenOptions): AsyncGenerator<RecordBatch, void, void>;
}
