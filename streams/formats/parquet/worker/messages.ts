/**
 * The messages between the thread that reads a Parquet file and the worker that decodes it.
 *
 * @module
 */

import type { RowRequest } from "../../../rows/row_request.ts";
import type { RowRun } from "../../../rows/row_run.ts";

/** The file of a job. */
interface FileJob {
  readonly path: string;
  /** The bytes of one read (see `FileInput`). */
  readonly chunkBytes: number;
}

/** Requests the schema and the number of rows of a file. */
export interface DescribeJob extends FileJob {
  readonly kind: "describe";
}

/** Requests rows of a file. */
export interface RowsJob extends FileJob {
  readonly kind: "rows";
  /** The identity of the file, which the path must still name. */
  readonly device: number;
  readonly inode: number | null;
  /** The bytes of the file when it was opened. */
  readonly size: number;
  readonly request: RowRequest;
  /** The wanted columns. Default: all. */
  readonly columns?: readonly string[];
  /** The bytes that may be decoded ahead of the reader; one batch always may. */
  readonly aheadBytes: number;
}

/** A job for a worker, which does one at a time. */
export type Job = DescribeJob | RowsJob;

/** The first message to a worker. */
export interface ControlMessage {
  readonly kind: "control";
  /** The shared memory of the worker's `ThreadLife`. */
  readonly life: Int32Array;
  /** Whether the worker waits for its next job without limit. */
  readonly stays: boolean;
  /** Files all of whose rows will probably be requested, in this order. */
  readonly expected: readonly string[];
}

/** Messages to a worker. */
export type ToDecodeWorker =
  | Job
  | ControlMessage
  /** The reader has taken a batch. */
  | { readonly kind: "took"; readonly numBytes: number };

/** The schema, as an Arrow stream without batches, and the number of rows. */
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
  /** Offsets, values, validity and type ids; undefined where the column has none. */
  readonly buffers: readonly (ArrayBufferView<ArrayBuffer> | undefined)[];
  readonly children: readonly ColumnMessage[];
  /** The chunks of a dictionary. */
  readonly dictionary?: readonly ColumnMessage[];
}

/** A batch, whose memory is transferred to the reader. */
export interface RowsAnswer {
  readonly kind: "rows";
  readonly firstRow: number;
  readonly numRows: number;
  readonly columns: readonly ColumnMessage[];
  readonly runs?: readonly RowRun[];
  /** The bytes that "took" returns to the byte budget. */
  readonly numBytes: number;
}

/**
 * The reason why a job ended early; `problem` is the text of a FileError after the name of the
 * file.
 */
interface FailedAnswer {
  readonly kind: "failed";
  readonly problem: string;
  readonly row: number | undefined;
  readonly column: string | undefined;
  /** The byte at which the file ended early. */
  readonly shortEnd: number | undefined;
}

/** Messages from a worker. The last answer to a job is "end", "failed" or "unable". */
export type FromDecodeWorker =
  & (
    | SchemaAnswer
    | RowsAnswer
    | FailedAnswer
    | { readonly kind: "end" }
    /**
     * The worker may not read the file; the thread that started it may have got permission since.
     */
    | { readonly kind: "unable" }
  )
  /** The bytes of the file read since the last answer. */
  & { readonly bytesRead: number };
