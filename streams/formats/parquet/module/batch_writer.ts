/**
 * The interface of Parquet writers that take batches: parquet-wasm on this thread or
 * another.
 *
 * @module
 */

/** Writes the pages of a Parquet file and a footer, from batches. */
export interface BatchWriter {
  /** Writes a batch: an Arrow stream in chunks, whose memory may be reused afterwards. */
  write(stream: readonly Uint8Array[]): Promise<void>;
  /** Writes the rest of the file. */
  end(): Promise<void>;
  /** Abandons the file and frees its memory. */
  abort(): void;
  /** Returns the bytes of the file that were encoded since the last call. */
  take(): Uint8Array[];
}
