/**
 * The interface of the inputs of a source: a file or a pipe, named by its path, or a URL.
 *
 * @module
 */

import type { FileInput } from "../bytes/file_input.ts";
import type { SeekingDecoder } from "./file_decoder.ts";

/** The inputs of one source. An input that can seek is closed after each use; a pipe is kept. */
export interface SourceInputs {
  /** The size in bytes, if known. */
  readonly numBytes: number | undefined;
  /** The number of network requests so far. */
  readonly numRequests: number | undefined;
  /** The bytes read so far. Metadata that a file reads again with the rows counts once. */
  readonly bytesRead: number;
  /**
   * Whether the input has a known size, unlike a pipe. Calls `connect` to open it where necessary.
   */
  hasSize(connect: () => Promise<unknown>): Promise<boolean>;
  /**
   * Whether successive reads may each cost a round trip, so that a format may prefer not to seek.
   */
  readonly isRemote: boolean;
  /**
   * Lends an input at its first byte to read metadata, `chunkBytes` at a time. `seeking` is that of
   * the decoder. Without it, the metadata consists of bytes that a file reads again with the rows,
   * and that count only there.
   */
  forMetadata<T>(
    chunkBytes: number,
    use: (input: FileInput) => Promise<T>,
    seeking: SeekingDecoder | undefined,
  ): Promise<T>;
  /** Opens an input at its first byte to read rows. The caller closes it. */
  forRows(chunkBytes: number | undefined, signal: AbortSignal | undefined): Promise<FileInput>;
  /** Ends the buffering of a pipe for a rewind, once its metadata was read. */
  forget(pipe: FileInput): void;
}
