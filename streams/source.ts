/**
 * Where record batches come from. A source knows its schema before its rows, and says what it can
 * save: rows (by seeking) and columns (by not reading them).
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";

/** What the engine asks of a source. */
export interface OpenOptions {
  /** Names of the columns to give, in the order of the schema; absent: all. */
  readonly columns?: readonly string[];
  /** Rows [start, stop) to give. Only sources that can seek are asked. */
  readonly start?: number;
  /** See `start`. */
  readonly stop?: number;
  /**
   * How many rows and bytes small batches may have together where they are given as one. A source
   * joins what it has, and never waits for more; absent, batches are given as they are.
   */
  readonly together?: { readonly rows: number; readonly bytes: number };
  /**
   * Aborted when nobody wants the rows any more: a waiting read must end, and so does the
   * iteration. One that is aborted from the start reads nothing and lets go of what it holds.
   */
  readonly signal?: AbortSignal;
}

/** A source of record batches. Plain data apart from `open`; one object may be opened many times. */
export interface Source {
  /** What errors and `explain` call it: the name of the file. */
  readonly name: string;
  /** Whether `open` takes `start` and `stop` without reading what lies before. */
  readonly canSeek: boolean;
  /** Bytes read so far, by all openings together; for progress. */
  readonly bytesRead: number;
  /** Size in bytes, where known. */
  readonly numBytes?: number | undefined;
  /**
   * The schema, from metadata; reads no rows where the format allows. Undefined only for a foreign
   * stream that ended before its first batch.
   */
  schema(): Promise<Schema | undefined>;
  /** The number of rows, where metadata tells it without reading rows. */
  numRows(): Promise<number | undefined>;
  /**
   * The rows, batch by batch, pulled one at a time. Ending the iteration early closes what was
   * opened. Errors name the source.
   */
  open(options: OpenOptions): AsyncGenerator<RecordBatch, void, void>;
}
