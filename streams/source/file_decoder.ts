/**
 * The interface of the decoder of a file. Files, pipes, URLs, cancelling, and errors that name the file are the
 * business of the source over it (see `fileSource`).
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { FileInput } from "../bytes/file_input.ts";
import type { FirstRange } from "../bytes/http/open_url.ts";
import type { OpenOptions, SourceRows, UntypedColumns } from "../plan/source.ts";
import type { RowRequest } from "../rows/row_request.ts";

/** The way in which the files of a format are decoded. */
export interface FileDecoding {
  /** The kind of file, as errors name it; files of other kinds are refused. */
  readonly kind: string;
  /** The bytes that are requested first of a file on a server. */
  readonly firstRange: FirstRange;
  /** Opens the decoder of one file, which is called once. */
  readonly openDecoder: () => FileDecoder | Promise<FileDecoder>;
}

/** The decoder of one file, which may be read many times. Each method gets the file at its first byte. */
export interface FileDecoder {
  schema(input: FileInput): Promise<Schema>;
  /** The columns of which no value shows the type. */
  readonly untyped?: UntypedColumns;
  /** The number of rows, if known without reading all; called for regular files only. */
  numRows?(input: FileInput, options?: OpenOptions): Promise<number | undefined>;
  /** Reads the rows of a request: of all rows alone if the format cannot seek. */
  rows(
    input: FileInput,
    request: RowRequest,
    options: OpenOptions,
  ): AsyncIterable<SourceRows> | Promise<AsyncIterable<SourceRows>>;
  /** The part of formats with metadata, by which they read rows from the middle; absent: there is none. */
  readonly seeking?: SeekingDecoder;
}

/** The part of a decoder that can read rows from the middle of a file. */
export interface SeekingDecoder {
  /** Whether a file on a server can be read from the middle, if ranges of it can. Default: it can. */
  canSeek?(input: FileInput): Promise<boolean>;
  /** Returns what of the file a request reads, such as "1 of 160 batches". */
  describe?(input: FileInput, request: RowRequest): Promise<string | undefined>;
  /** Whether all metadata is read once more with the rows, to see whether the file has changed. */
  readonly rereads?: boolean;
}
