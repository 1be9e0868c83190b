/**
 * The interfaces of a Zarr array for code that moves its chunks. Items are of one of two kinds: of a
 * fixed size, such as numbers, or of a variable size, which are text or arbitrary bytes. Chunks are
 * dense in C order and always of full size, with padding beyond the end of the array. Formats, codecs
 * and files are left to the implementations.
 *
 * @module
 */

import type { Grid } from "../grid/grid.ts";
import type { ZarrMetadata } from "../metadata/array_spec.ts";

/** Items of a variable size, in C order: item `i` is the bytes from `offsets[i]` to `offsets[i + 1]`. */
export interface VariableItems {
  /** One more offset than items; the first need not be 0. */
  readonly offsets: Int32Array;
  readonly data: Uint8Array;
}

/** The items of a box: of a fixed size, contiguous and in host byte order, or with offsets. */
export type AnyItems = Uint8Array | VariableItems;

/** The items of an array of a kind. */
export type ItemsOf<A extends AnyArray> = A extends FixedArray ? Uint8Array : VariableItems;

/** The facts about an array that rechunking does not change. */
interface ArrayFacts {
  /** The path of the array as the user wrote it, for errors. */
  readonly name: string;
  /** The shape, and the chunks that can be read separately: those inside of shards. */
  readonly grid: Grid;
  /** The boxes that are written whole: shards, or else chunks; multiples of the chunks. */
  readonly writeGrid: Grid;
  /** The fill value: one item, which missing chunks repeat. */
  readonly fill: Uint8Array<ArrayBuffer>;
  /** The names of the axes, if there are any. */
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An array of items of a fixed size. */
export interface FixedArray extends ArrayFacts {
  /** The name of the type in Zarr 3: "float32", "complex64", "numpy.datetime64", "r24". */
  readonly dataType: string;
  readonly itemBytes: number;
}

/** An array of items of a variable size: text, which is UTF-8, or arbitrary bytes. */
export interface VariableArray extends ArrayFacts {
  readonly dataType: "string" | "bytes";
  readonly itemBytes?: undefined;
}

/** An array of either kind. */
export type AnyArray = FixedArray | VariableArray;

/** An array whose chunks are rows, with the metadata of a stored one, whose grid is ignored. */
export type Chunked<A extends AnyArray = AnyArray> = A & {
  readonly metadata?: ZarrMetadata | undefined;
};

/** Whether the items of an array have a fixed size. */
export function isFixed<A extends AnyArray>(array: A): array is Extract<A, FixedArray> {
  return array.itemBytes !== undefined;
}

/** The counters that every reader has. */
interface ReadCounts {
  /** The number of bytes read from files so far. */
  readonly bytesRead: number;
  /** Adds bytes of its files that another thread has read. */
  addBytesRead?(numBytes: number): void;
}

/** An array of items of a fixed size whose chunks can be read. */
export interface FixedReader extends FixedArray, ReadCounts {
  /**
   * The bytes that `readChunk` takes besides its result and keeps for the next call: the encoded chunk, and
   * the scratch of codecs. 0 where it reads directly into the result.
   */
  readonly scratchBytes: number;
  /**
   * Reads the chunk at an index of `grid` into `into`, which has the size of a full chunk. Returns false
   * for a missing chunk, without writing to `into`. Throws a FileError for a damaged one.
   */
  readChunk(index: readonly number[], into: Uint8Array): Promise<boolean>;
}

/** An array of items of a variable size whose chunks can be read. */
export interface VariableReader extends VariableArray, ReadCounts {
  /**
   * Returns the items of the chunk at an index of `grid`; undefined for a missing one. During decoding,
   * memory holds up to three copies of it. Throws a FileError for a damaged chunk. Also throws one as soon
   * as the items with their offsets prove larger than `mostBytes`, by default what offsets can count. An
   * implementation that has the items in memory anyway may ignore that limit.
   */
  readChunk(index: readonly number[], mostBytes?: number): Promise<VariableItems | undefined>;
  /** Frees the memory of items from `readChunk` that are no longer used. */
  free?(items: VariableItems): void;
}

/** An array whose chunks can be read. */
export type ArrayReader = FixedReader | VariableReader;

/** The methods that every writer has. */
interface ChunkWriting<Items> {
  readonly bytesWritten: number;
  /** Adds bytes of its files that another thread has written. */
  addBytesWritten?(numBytes: number): void;
  /**
   * Writes the chunk at an index of `writeGrid`, or a shard as one box in C order. It appears complete or
   * not at all, in place of an earlier one. The caller pads the items to full size. Where all items are
   * the fill value, nothing is written, and an earlier chunk is removed.
   */
  writeChunk(index: readonly number[], items: Items): Promise<void>;
  /**
   * Whether a complete chunk or shard is stored at an index, for a resumed run. The chunk is decoded to
   * find out. `scratch` has at least the bytes of a chunk of `grid`; without it, and for items of a variable
   * size, memory is allocated.
   */
  hasChunk(index: readonly number[], scratch?: Uint8Array): Promise<boolean>;
  /** Makes all chunks visible that wait until they are on disk, where the writer is durable. */
  flush?(): Promise<void>;
  /** Flushes everything written to disk. */
  sync?(): Promise<void>;
}

/** An array of items of a fixed size whose chunks can be written. */
export interface FixedWriter extends FixedArray, ChunkWriting<Uint8Array> {
  /** The number of bytes that writing takes besides the chunk, as for `readChunk`. */
  readonly scratchBytes: number;
}

/** An array of items of a variable size whose chunks can be written. */
export interface VariableWriter extends VariableArray, ChunkWriting<VariableItems> {}

/** An array whose chunks can be written. */
export type ArrayWriter = FixedWriter | VariableWriter;

/** A writer of items of the kind of the array. */
export type WriterOf<Items> = AnyArray & ChunkWriting<Items>;
