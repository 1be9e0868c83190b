/**
 * The interface of the inputs of a source over bytes: a file or a pipe by its path, or a URL.
 *
 * @module
 */

import type { FileInput } from "../bytes/file_input.ts";
import type { SeekingDecoder } from "./file_decoder.ts";

/** The inputs of one source. Those of what can seek are closed after each use, a pipe is kept. */
export interface SourceInputs {
  /** Size in bytes, if known. */
  readonly numBytes: number | undefined;
  /** Requests so far, over a network. */
  readonly numRequests: number | undefined;
  /** Bytes read so far. Bytes of metadata that are read again with the rows count once. */
  readonly bytesRead: number;
  /** Whether it has a size, and so no end that only reading shows; `connect` opens it if need be. */
  hasSize(connect: () => Promise<unknown>): Promise<boolean>;
  /** Whether a read in a row may cost a round trip, so that a format may rather not seek. */
  readonly isRemote: boolean;
  /**
   * Lends an input at its first byte to read metadata of it, `chunkBytes` at a time. `seeking` is that of the decoder: if it has
   * none, the rows have the same bytes, which are counted with them.
   */
  forMetadata<T>(
    chunkBytes: number,
    use: (input: FileInput) => Promise<T>,
    seeking: SeekingDecoder | undefined,
  ): Promise<T>;
  /** Opens an input at its first byte to read rows; whoever opens it closes it. */
  forRows(chunkBytes: number | undefined, signal: AbortSignal | undefined): Promise<FileInput>;
  /** Stops keeping the pipe that `forRows` has returned: its metadata was read. */
  forget(pipe: FileInput): void;
}
