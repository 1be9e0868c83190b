/**
 * An array of text or bytes in a Zarr hierarchy as those who move its chunks see it: items have any
 * length, chunks are dense in C order and always of full size (what lies beyond the array is
 * padding). Formats, codecs and files are the business of those who implement it.
 *
 * @module
 */

import type { Grid } from "../grid/grid.ts";
import type { ZarrMetadata } from "../metadata/array_spec.ts";
import type { ChunkedArray } from "./zarr_array.ts";

/** The items of a box in C order: item `i` is the bytes from `offsets[i]` to before `offsets[i + 1]`. */
export interface TextItems {
  /** One more than there are items; the first may be any place in the data. */
  readonly offsets: Int32Array;
  readonly data: Uint8Array;
}

/** What an array is, and stays when its chunks change. */
export interface TextArrayInfo {
  /** Its path as the user named it, for errors. */
  readonly name: string;
  /** Its shape, and the chunks that can be read alone: those inside of shards. */
  readonly grid: Grid;
  /** The boxes that are written whole: shards, or else chunks; multiples of the chunks. */
  readonly writeGrid: Grid;
  /** Whether the items are text, which is UTF-8, or any bytes. */
  readonly dataType: "string" | "bytes";
  /** The bytes of one item: what missing chunks consist of. */
  readonly fill: Uint8Array;
  /** Names of the axes, where there are any. */
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An array of text or bytes whose chunks are rows. */
export interface ChunkedText extends TextArrayInfo {
  readonly metadata?: ZarrMetadata | undefined;
}

/** Whether items have any length. */
export function isChunkedText(array: ChunkedArray | ChunkedText): array is ChunkedText {
  return !("itemBytes" in array);
}

/** An array whose chunks can be read. */
export interface TextReader extends TextArrayInfo {
  /** Bytes read so far from files. */
  readonly bytesRead: number;
  /**
   * The items of the chunk at a place of `grid`; undefined where it is missing. While it is decoded,
   * it lies in memory up to three times. Throws a FileError for a damaged one, and for one whose items
   * have more than `mostBytes` bytes with their offsets, as soon as that is seen; default: what offsets
   * can count. Who holds what it gives anyway may leave that out of account.
   */
  readChunk(index: readonly number[], mostBytes?: number): Promise<TextItems | undefined>;
  /** Frees the memory of items that it read, which nobody uses any more. */
  free?(items: TextItems): void;
}

/** An array whose chunks can be written. */
export interface TextWriter extends TextArrayInfo {
  readonly bytesWritten: number;
  /**
   * Writes what lies at a place of `writeGrid`, padded to full size by the caller. It appears whole
   * or not at all, in the place of what was there. Where all items are the fill value nothing is
   * written, and what was there goes.
   */
  writeChunk(index: readonly number[], items: TextItems): Promise<void>;
  /**
   * Whether a whole chunk or shard lies at a place: for those who go on after a break. What is there is
   * decoded to know it.
   */
  hasChunk(index: readonly number[]): Promise<boolean>;
  /** Brings all that was written to the disk. */
  sync?(): Promise<void>;
}
