/**
 * The inputs and outputs of a pass: Zarr arrays, or intermediate stores.
 *
 * @module
 */

/** A source of chunks. */
export interface ChunkInput {
  /** The number of bytes read from files so far, where they are counted. */
  readonly bytesRead?: number;
  /**
   * Reads a chunk into memory of its full size. Returns false if it is missing; the memory is then
   * unspecified.
   */
  readChunk(index: readonly number[], into: Uint8Array): boolean | Promise<boolean>;
}

/** A destination of chunks. */
export interface ChunkOutput {
  readonly bytesWritten?: number;
  /** Writes a chunk of full size, completely or not at all. */
  writeChunk(index: readonly number[], items: Uint8Array): void | Promise<void>;
  /** Whether a complete chunk was written. `scratch` has the size of a chunk, and may be overwritten. */
  hasChunk(index: readonly number[], scratch: Uint8Array): boolean | Promise<boolean>;
  /** Makes all chunks visible that wait until they are on disk. */
  flush?(): Promise<void>;
  /** Flushes everything written to disk. */
  sync?(): Promise<void>;
}
