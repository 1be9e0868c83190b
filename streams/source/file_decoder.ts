/**
 * The interface of file decoders. The source over the file (see `fileSource`) handles files, pipes,
 * URLs, cancellation, and errors that name the file.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { FileInput } from "../bytes/file_input.ts";
import type { FirstRange } from "../bytes/http/open_url.ts";
import type { OpenOptions, SourceRows, UntypedColumns } from "../plan/source.ts";
import type { RowRequest } from "../rows/row_request.ts";

/** The description of how files of a format are decoded. */
export interface FileDecoding {
  /** The kind of file, as errors name it. Files of other known kinds are rejected. */
  readonly kind: string;
  /** The bytes to request first from a server. */
  readonly firstRange: FirstRange;
  /** Opens the decoder of one file; called once. */
  readonly openDecoder: () => FileDecoder | Promise<FileDecoder>;
}

/**
 * The decoder of one file, which may be read many times. Each method gets the input at its first
 * byte.
 */
export interface FileDecoder {
  schema(input: FileInput): Promise<Schema>;
  /** The columns without a value that shows their type. */
  readonly untyped?: UntypedColumns;
  /**
   * Returns the number of rows, if that is known without reading them all; called only for inputs
   * with a size.
   */
  numRows?(input: FileInput, options?: OpenOptions): Promise<number | undefined>;
  /** Reads the rows of a request. Without `seeking`, the request is always for all rows. */
  rows(
    input: FileInput,
    request: RowRequest,
    options: OpenOptions,
  ): AsyncIterable<SourceRows> | Promise<AsyncIterable<SourceRows>>;
  /** The part of a decoder whose format can be read from the middle. Absent if it cannot. */
  readonly seeking?: SeekingDecoder;
}

/** The part of a decoder that can read rows from the middle of a file. */
export interface SeekingDecoder {
  /** Whether a file on a server that serves ranges can be read from the middle. Default: it can. */
  canSeek?(input: FileInput): Promise<boolean>;
  /** Describes the part of the file that a request reads, such as "1 of 160 batches". */
  describe?(input: FileInput, request: RowRequest): Promise<string | undefined>;
  /** Whether reading rows reads all metadata again, to detect that the file has changed. */
  readonly rereads?: boolean;
}
