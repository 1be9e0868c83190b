/** @module */

/** Writes the pages of a Parquet file and a footer, from pieces of batches. */
export interface PieceWriter {
  /** Writes a piece: an Arrow stream in chunks, whose memory may be reused afterwards. */
  write(piece: readonly Uint8Array[]): Promise<void>;
  /** Writes the rest of the file. */
  end(): Promise<void>;
  /** Lets go of all that was written. */
  abort(): void;
  /** The bytes of the file since the last call. */
  take(): Uint8Array[];
}
