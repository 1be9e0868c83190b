/**
 * An array in a Zarr hierarchy as those who move its chunks see it: items are bytes in the order of
 * the host, chunks are dense in C order and always of full size (what lies beyond the array is
 * padding). Formats, codecs and files are the business of those who implement it.
 *
 * @module
 */

import type { Grid } from "../grid/grid.ts";
import type { ZarrMetadata } from "../metadata/array_spec.ts";

/** What an array is, and stays when its chunks change. */
export interface ZarrArrayInfo {
  /** Its path as the user named it, for errors. */
  readonly name: string;
  /** Its shape, and the chunks that can be read alone: those inside of shards. */
  readonly grid: Grid;
  /** The boxes that are written whole: shards, or else chunks; multiples of the chunks. */
  readonly writeGrid: Grid;
  /** The type as Zarr 3 names it: "float32", "complex64", "numpy.datetime64", "r24". */
  readonly dataType: string;
  readonly itemBytes: number;
  /** One item: what missing chunks consist of. */
  readonly fill: Uint8Array<ArrayBuffer>;
  /** Names of the axes, where there are any. */
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An array whose chunks are rows. */
export interface ChunkedArray extends ZarrArrayInfo {
  /** Its metadata, for one that is stored; other lengths of chunks in there mean nothing. */
  readonly metadata?: ZarrMetadata | undefined;
}

/** An array whose chunks can be read. */
export interface ZarrReader extends ZarrArrayInfo {
  /**
   * Bytes that `readChunk` takes besides its result, and keeps for the next one: the encoded chunk, and
   * what codecs need. 0 where it reads straight into the result.
   */
  readonly scratchBytes: number;
  /** Bytes read so far from files. */
  readonly bytesRead: number;
  /** Counts bytes of its files that another thread has read. */
  addBytesRead?(numBytes: number): void;
  /**
   * Reads the chunk at a place of `grid` into `into`, which has the bytes of a full chunk. False,
   * and nothing written to `into`, where the chunk is missing. Throws a FileError for a damaged one.
   */
  readChunk(index: readonly number[], into: Uint8Array): Promise<boolean>;
}

/** An array whose chunks can be written. */
export interface ZarrWriter extends ZarrArrayInfo {
  /** As for `readChunk`: bytes that writing takes besides what is written. */
  readonly scratchBytes: number;
  readonly bytesWritten: number;
  /** Counts bytes of its files that another thread has written. */
  addBytesWritten?(numBytes: number): void;
  /**
   * Writes what lies at a place of `writeGrid`: a chunk, or a shard in C order as one box. It
   * appears whole or not at all, in the place of what was there. The items are padded to full size
   * by the caller. Where all items are the fill value nothing is written, and what was there goes.
   */
  writeChunk(index: readonly number[], items: Uint8Array): Promise<void>;
  /**
   * Whether a whole chunk or shard lies at a place: for those who go on after a break. What is there is
   * decoded to know it. `room` has the bytes of a chunk of `grid` at least; without it they
   * are taken.
   */
  hasChunk(index: readonly number[], room?: Uint8Array): Promise<boolean>;
  /** Brings all that was written to the disk. */
  sync?(): Promise<void>;
}
