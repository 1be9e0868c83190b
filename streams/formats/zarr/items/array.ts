/**
 * An array in a Zarr hierarchy as those who move its chunks see it. Its items are of one of two kinds: of a
 * fixed size, such as numbers, or of a variable size, which are text or any bytes. Chunks are dense in C
 * order and always of full size: what lies beyond the array is padding. Formats, codecs and files are the
 * business of those who implement it.
 *
 * @module
 */

import type { Grid } from "../grid/grid.ts";
import type { ZarrMetadata } from "../metadata/array_spec.ts";

/** Items of a variable size, in C order: item `i` is the bytes from `offsets[i]` to `offsets[i + 1]`. */
export interface VariableItems {
  /** One more than there are items; the first may be any place in the data. */
  readonly offsets: Int32Array;
  readonly data: Uint8Array;
}

/** The items of a box: of a fixed size one behind the other, in the order of the host; or with offsets. */
export type AnyItems = Uint8Array | VariableItems;

/** The items of an array of some kind. */
export type ItemsOf<A extends AnyArray> = A extends FixedArray ? Uint8Array : VariableItems;

/** The facts of an array that do not change when it is rechunked. */
interface ArrayFacts {
  /** Its path as the user named it, for errors. */
  readonly name: string;
  /** Its shape, and the chunks that can be read alone: those inside of shards. */
  readonly grid: Grid;
  /** The boxes that are written whole: shards, or else chunks; multiples of the chunks. */
  readonly writeGrid: Grid;
  /** One item: what missing chunks consist of. */
  readonly fill: Uint8Array<ArrayBuffer>;
  /** Names of the axes, where there are any. */
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An array of items of a fixed size. */
export interface FixedArray extends ArrayFacts {
  /** The type as Zarr 3 names it: "float32", "complex64", "numpy.datetime64", "r24". */
  readonly dataType: string;
  readonly itemBytes: number;
}

/** An array of items of a variable size: text, which is UTF-8, or any bytes. */
export interface VariableArray extends ArrayFacts {
  readonly dataType: "string" | "bytes";
  readonly itemBytes?: undefined;
}

/** An array of either kind. */
export type AnyArray = FixedArray | VariableArray;

/** An array whose chunks are rows, with its metadata where it is stored; chunks in there mean nothing. */
export type Chunked<A extends AnyArray = AnyArray> = A & {
  readonly metadata?: ZarrMetadata | undefined;
};

/** Whether the items of an array have a fixed size. */
export function isFixed<A extends AnyArray>(array: A): array is Extract<A, FixedArray> {
  return array.itemBytes !== undefined;
}

/** The counters of every reader. */
interface ReadCounts {
  /** Bytes read so far from files. */
  readonly bytesRead: number;
  /** Counts bytes of its files that another thread has read. */
  addBytesRead?(numBytes: number): void;
}

/** An array of items of a fixed size whose chunks can be read. */
export interface FixedReader extends FixedArray, ReadCounts {
  /**
   * Bytes that `readChunk` takes besides its result, and keeps for the next one: the encoded chunk, and
   * what codecs need. 0 where it reads straight into the result.
   */
  readonly scratchBytes: number;
  /**
   * Reads the chunk at a place of `grid` into `into`, which has the bytes of a full chunk. False,
   * and nothing written to `into`, where the chunk is missing. Throws a FileError for a damaged one.
   */
  readChunk(index: readonly number[], into: Uint8Array): Promise<boolean>;
}

/** An array of items of a variable size whose chunks can be read. */
export interface VariableReader extends VariableArray, ReadCounts {
  /**
   * Returns the items of the chunk at a place of `grid`; undefined where it is missing. While it is
   * decoded, it lies in memory up to three times. Throws a FileError for a damaged one, and for one whose
   * items have more than `mostBytes` bytes with their offsets, as soon as that is seen; default: what
   * offsets can count. Who holds what it returns anyway may leave that out of account.
   */
  readChunk(index: readonly number[], mostBytes?: number): Promise<VariableItems | undefined>;
  /** Frees the memory of items that it read, which nobody uses any more. */
  free?(items: VariableItems): void;
}

/** An array whose chunks can be read. */
export type ArrayReader = FixedReader | VariableReader;

/** The methods of every writer. */
interface ChunkWriting<Items> {
  readonly bytesWritten: number;
  /** Counts bytes of its files that another thread has written. */
  addBytesWritten?(numBytes: number): void;
  /**
   * Writes what lies at a place of `writeGrid`: a chunk, or a shard in C order as one box. It
   * appears whole or not at all, in the place of what was there. The items are padded to full size
   * by the caller. Where all items are the fill value nothing is written, and what was there goes.
   */
  writeChunk(index: readonly number[], items: Items): Promise<void>;
  /**
   * Whether a whole chunk or shard lies at a place: for those who go on after a break. What is there is
   * decoded to know it. `room` has the bytes of a chunk of `grid` at least; without it, and for items of
   * a variable size, memory is taken.
   */
  hasChunk(index: readonly number[], room?: Uint8Array): Promise<boolean>;
  /** Lets all chunks appear that wait until they are on the disk, where the writer is durable. */
  flush?(): Promise<void>;
  /** Removes what runs left that ended while they wrote a chunk. */
  removeLeftovers?(): void;
  /** Brings all that was written to the disk. */
  sync?(): Promise<void>;
}

/** An array of items of a fixed size whose chunks can be written. */
export interface FixedWriter extends FixedArray, ChunkWriting<Uint8Array> {
  /** As for `readChunk`: bytes that writing takes besides what is written. */
  readonly scratchBytes: number;
}

/** An array of items of a variable size whose chunks can be written. */
export interface VariableWriter extends VariableArray, ChunkWriting<VariableItems> {}

/** An array whose chunks can be written. */
export type ArrayWriter = FixedWriter | VariableWriter;

/** A writer of items that are of the kind of the array. */
export type WriterOf<Items> = AnyArray & ChunkWriting<Items>;
