/**
 * The interface of what writes a Parquet file piece by piece: parquet-wasm here, or on another thread.
 *
 * @module
 */

/** Writes the pages of a Parquet file and a footer, from pieces of batches. */
export interface PieceWriter {
  /** Writes a piece: an Arrow stream in chunks, whose memory may be reused afterwards. */
  write(piece: readonly Uint8Array[]): Promise<void>;
  /** Writes the rest of the file. */
  end(): Promise<void>;
  /** Frees what was written; the file is not wanted any more. */
  abort(): void;
  /** Returns the bytes of the file since the last call. */
  take(): Uint8Array[];
}
