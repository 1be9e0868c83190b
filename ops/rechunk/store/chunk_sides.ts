/**
 * What a pass reads chunks from and writes them to: arrays of Zarr, or the stores in between.
 *
 * @module
 */

/** Where chunks come from. */
export interface ChunkInput {
  /** Bytes read so far from files, where they are counted. */
  readonly bytesRead?: number;
  /**
   * Reads a chunk into memory of its full size. False, and nothing is written there that matters,
   * where it is missing.
   */
  readChunk(index: readonly number[], into: Uint8Array): boolean | Promise<boolean>;
}

/** Where chunks go to. */
export interface ChunkOutput {
  readonly bytesWritten?: number;
  /** Writes a chunk of full size, whole or not at all. */
  writeChunk(index: readonly number[], items: Uint8Array): void | Promise<void>;
  /** Whether a whole chunk was written; `room` has the bytes of one, and may be written to. */
  hasChunk(index: readonly number[], room: Uint8Array): boolean | Promise<boolean>;
  /** Lets all chunks appear that wait until they are on the disk. */
  flush?(): Promise<void>;
  /** Brings all that was written to the disk. */
  sync?(): Promise<void>;
}
