/**
 * The interface of sources of record batches. A source knows its schema before its rows, and may skip
 * rows (by seeking) and columns (by not reading them).
 *
 * @module
 */

import type { Field, RecordBatch, Schema } from "apache-arrow";
import type { ProbeEstimate } from "../rows/chunk_lengths.ts";
import { isAllRows, type RowRequest } from "../rows/row_request.ts";
import type { RowRun } from "../rows/row_run.ts";

/** The request of the engine to a source, besides the rows. */
export interface OpenOptions {
  /** Names of the wanted columns, in the order of the schema; absent: all. */
  readonly columns?: readonly string[];
  /**
   * How many rows and bytes small batches may have when joined. A source joins only what it has, and
   * never waits for more; absent: batches are not joined.
   */
  readonly together?: { readonly rows: number; readonly bytes: number };
  /**
   * Aborted when the rows are not wanted any more: a pending read and the iteration then end. If it is
   * aborted from the start, the source reads nothing and releases its resources.
   */
  readonly signal?: AbortSignal;
  /**
   * Called before metadata is read that takes long, at most once.
   *
   * @internal
   */
  readonly onProbe?: (estimate: ProbeEstimate) => void;
}

/** Rows of a source, in one batch. */
export interface SourceRows {
  /** A batch that has the rows. */
  readonly batch: RecordBatch;
  /** Which rows of the batch, in which order; absent: all, in order. */
  readonly runs?: readonly RowRun[];
  /**
   * Row of the source with which the batch begins, or counted from its end (negative). With `runs` it
   * and `step` hold for their rows alone: others may come from anywhere.
   */
  readonly firstRow: number;
  /** How far the rows of the batch lie apart in the source, not 0; absent: 1. */
  readonly step?: number;
}

/** The columns of a text source whose types no value shows. */
export interface UntypedColumns {
  /** Their names, once the schema is known. */
  readonly names: ReadonlySet<string>;
  /** Makes the source read a column as a field says; returns false if the format has no such type. */
  adopt(field: Field): boolean;
}

/** A source of record batches; one object may be opened many times. */
export interface Source {
  /** The name of the file, for errors and `explain`. */
  readonly name: string;
  /** Bytes read so far by all iterations together, for progress. */
  readonly bytesRead: number;
  /** Size in bytes, if known. */
  readonly numBytes?: number | undefined;
  /** Requests so far, of a source over a network. */
  readonly numRequests?: number | undefined;
  /**
   * Returns the schema; reads no rows if the format allows. Undefined only for a foreign stream that ended
   * before its first batch.
   */
  schema(): Promise<Schema | undefined>;
  /**
   * Columns that take the types of other sources which are read as one with this.
   *
   * @internal
   */
  readonly untyped?: UntypedColumns | undefined;
  /** Whether `rows` takes requests for a part of the rows. Call it after the schema. */
  canSeek(): Promise<boolean>;
  /** Returns the number of rows, if metadata has it. */
  numRows(options?: OpenOptions): Promise<number | undefined>;
  /**
   * Reads the rows of a request batch by batch, on demand, in the order of the request; by default all
   * rows. Reads only metadata and what the rows lie in. Ending the iteration early closes what was
   * opened. Errors name the source. Throws a MissingRowError for a single row that does not exist, and a
   * TypeError for a part of the rows of a source that cannot seek.
   */
  rows(request?: RowRequest, options?: OpenOptions): AsyncGenerator<SourceRows, void, void>;
  /**
   * Returns the file that has a row, of several that are read as one, and the place of the row there. Both
   * are known of rows that were read.
   *
   * @internal
   */
  placeOf?(row: number): { readonly name: string; readonly row: number };
  /**
   * Describes the part of the source that a request reads, such as "1 of 160 batches". Reads only metadata.
   *
   * @internal
   */
  describeRows?(request: RowRequest): Promise<string | undefined>;
}

/** Throws a TypeError if a request to a source that cannot seek is not for all rows. */
export function checkAllRows(name: string, request: RowRequest): void {
  if (!isAllRows(request)) throw new TypeError(`${name}: can be read only from its first row on`);
}
