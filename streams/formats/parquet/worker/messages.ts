/**
 * What a thread that reads a Parquet file and one that decodes it say to each other.
 *
 * @module
 */

import type { RowRequest } from "../../../rows/row_request.ts";
import type { RowRun } from "../../../rows/row_run.ts";

/** A file that is to be read. */
interface FileJob {
  readonly path: string;
  /** Bytes of one read (see `FileInput`). */
  readonly chunkBytes: number;
}

/** Asks for the schema and the length of a file. */
export interface DescribeJob extends FileJob {
  readonly kind: "describe";
}

/** Asks for rows of a file. */
export interface RowsJob extends FileJob {
  readonly kind: "rows";
  /** The file that the path has to name. */
  readonly device: number;
  readonly inode: number | null;
  /** Bytes of the file when it was opened. */
  readonly size: number;
  readonly request: RowRequest;
  /** The wanted columns; absent: all. */
  readonly columns?: readonly string[];
  /** Bytes that may be decoded before the reader has taken them; one batch always may. */
  readonly aheadBytes: number;
}

/** What a worker is to do; one thing at a time. */
export type Job = DescribeJob | RowsJob;

/** The first message to a worker. */
export interface ControlMessage {
  readonly kind: "control";
  /** The memory of the life of the worker (see `ThreadLife`). */
  readonly life: Int32Array;
  /** Whether the worker waits for ever for its next job. */
  readonly stays: boolean;
  /** Files of which all rows will be asked for, probably, in this order. */
  readonly expected: readonly string[];
}

/** To a worker. */
export type ToDecodeWorker =
  | Job
  | ControlMessage
  /** The reader has taken a batch. */
  | { readonly kind: "took"; readonly numBytes: number };

/** The schema, as a stream of Arrow without batches. */
interface SchemaAnswer {
  readonly kind: "schema";
  readonly schema: Uint8Array;
  readonly numRows: number;
}

/** A column without its type, which the schema has. */
export interface ColumnMessage {
  readonly offset: number;
  readonly length: number;
  readonly nullCount: number;
  /** Offsets, values, validity and type ids, as far as there are any. */
  readonly buffers: readonly (ArrayBufferView<ArrayBuffer> | undefined)[];
  readonly children: readonly ColumnMessage[];
  /** The chunks of a dictionary. */
  readonly dictionary?: readonly ColumnMessage[];
}

/** A batch, whose memory now belongs to the reader. */
export interface RowsAnswer {
  readonly kind: "rows";
  readonly firstRow: number;
  readonly numRows: number;
  readonly columns: readonly ColumnMessage[];
  readonly runs?: readonly RowRun[];
  /** Bytes that "took" returns to the budget. */
  readonly numBytes: number;
}

/** Why a job ended early; `problem` is what a FileError says behind the name of the file. */
interface FailedAnswer {
  readonly kind: "failed";
  readonly problem: string;
  readonly row: number | undefined;
  readonly column: string | undefined;
  /** Where the file ended before its size. */
  readonly shortEnd: number | undefined;
}

/** From a worker: the last answer of a job is "end", "failed" or "unable". */
export type FromDecodeWorker =
  & (
    | SchemaAnswer
    | RowsAnswer
    | FailedAnswer
    | { readonly kind: "end" }
    /** The worker may not read the file, which the thread that started it may by now. */
    | { readonly kind: "unable" }
  )
  /** Bytes of the file that were read since the last answer. */
  & { readonly bytesRead: number };
