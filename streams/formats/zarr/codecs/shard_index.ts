/**
 * The index of a shard: the offset and the length of each of its chunks as uint64, in C order, both
 * 2^64 - 1 for a missing chunk. The index is before or after all chunks.
 * Source: https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/v1.0.html.
 *
 * @module
 */

import { type Grid, gridShape, product } from "../grid/grid.ts";
import type { ChunkCodec } from "./codec.ts";

/** The byte range of a chunk in its shard. */
export interface ShardRange {
  readonly start: number;
  readonly stop: number;
}

const missing = 2n ** 64n - 1n;

/** The layout of the indices of one array. */
export class ShardIndex {
  /** The grid of chunks in a shard. */
  readonly grid: Grid;
  /** The number of bytes of an index in a file. */
  readonly encodedBytes: number;
  /** The number of bytes at the start of a file that the index takes. */
  readonly bytesBefore: number;
  /** The number of bytes that reading or writing an index takes. */
  readonly scratchBytes: number;
  /** The number of chunks in a shard along each axis. */
  readonly counts: readonly number[];
  readonly #codec: ChunkCodec;

  /** Takes the codec of an array of uint64, whose shape is the number of chunks along each axis, then 2. */
  constructor(grid: Grid, codec: ChunkCodec, isFirst: boolean) {
    this.grid = grid;
    this.counts = gridShape(grid);
    this.encodedBytes = codec.encodedBytes;
    this.bytesBefore = isFirst ? codec.encodedBytes : 0;
    this.scratchBytes = codec.numBytes + 2 * codec.encodedBytes;
    this.#codec = codec;
  }

  /** Returns the range of the index in a file of `fileBytes`. Throws for a file that is too short. */
  rangeIn(fileBytes: number): ShardRange {
    if (fileBytes < this.encodedBytes) {
      throw new Error(`has ${fileBytes} bytes, fewer than its index of ${this.encodedBytes}`);
    }
    return this.bytesBefore > 0
      ? { start: 0, stop: this.encodedBytes }
      : { start: fileBytes - this.encodedBytes, stop: fileBytes };
  }

  /** Returns an index in which all chunks are missing. */
  empty(): BigUint64Array<ArrayBuffer> {
    return new BigUint64Array(2 * product(this.counts)).fill(missing);
  }

  /** Reads an index: the offset and the length of each chunk. */
  async decode(encoded: Uint8Array): Promise<BigUint64Array<ArrayBuffer>> {
    const places = new BigUint64Array(2 * product(this.counts));
    try {
      await this.#codec.decode(encoded, new Uint8Array(places.buffer));
    } catch (cause) {
      throw new Error(`has an index that ${(cause as Error).message}`, { cause });
    }
    return places;
  }

  /** Encodes an index, and frees the memory of its places. */
  async encode(places: BigUint64Array<ArrayBuffer>): Promise<Uint8Array> {
    let encoded = new Uint8Array(0);
    await this.#codec.encode(new Uint8Array(places.buffer), (bytes) => {
      encoded = new Uint8Array(bytes);
    });
    places.buffer.transfer(0);
    return encoded;
  }

  /**
   * Throws where the index of a file of `fileBytes` makes two chunks overlap, or a chunk overlap the index.
   * No writer does this, and a damaged offset would return another chunk.
   */
  checkApart(places: BigUint64Array, fileBytes: number): void {
    const index = this.rangeIn(fileBytes);
    if (this.#areInOrder(places, index)) return;
    const ranges: ShardRange[] = [index];
    for (let at = 0; at < places.length; at += 2) {
      if (places[at] === missing && places[at + 1] === missing) continue;
      const start = Number(places[at]!);
      const stop = start + Number(places[at + 1]!);
      // The read of a chunk that reaches beyond the file reports it.
      if (stop > start && stop <= fileBytes) ranges.push({ start, stop });
    }
    ranges.sort((a, b) => a.start - b.start || a.stop - b.stop);
    for (let at = 1; at < ranges.length; at++) {
      const [before, range] = [ranges[at - 1]!, ranges[at]!];
      if (range.start >= before.stop) continue;
      const what = range === index || before === index ? "a chunk over itself" : "two chunks";
      const stop = Math.min(before.stop, range.stop);
      throw new Error(`has an index that puts ${what}, at ${range.start} to ${stop}`);
    }
  }

  /** Whether chunks lie one after another on one side of the index, as writers place them. */
  #areInOrder(places: BigUint64Array, index: ShardRange): boolean {
    let end = this.bytesBefore > 0 ? index.stop : 0;
    for (let at = 0; at < places.length; at += 2) {
      if (places[at] === missing && places[at + 1] === missing) continue;
      const start = Number(places[at]!);
      if (start < end) return false;
      end = start + Number(places[at + 1]!);
    }
    return this.bytesBefore > 0 || end <= index.start;
  }

  /**
   * Returns the range of a chunk of at most `mostBytes` in a file; undefined for a missing chunk. Throws
   * for a range that is not in the file.
   */
  rangeOf(
    places: BigUint64Array,
    place: readonly number[],
    { fileBytes, mostBytes }: { readonly fileBytes: number; readonly mostBytes: number },
  ): ShardRange | undefined {
    const at = 2 * place.reduce((sum, part, axis) => sum * this.counts[axis]! + part, 0);
    const offset = places[at]!;
    const length = places[at + 1]!;
    if (offset === missing && length === missing) return undefined;
    const stop = offset + length;
    if (stop > BigInt(fileBytes) || length > BigInt(mostBytes)) {
      throw new Error(`has an index that puts chunk [${place}] at ${offset} to ${stop}`);
    }
    return { start: Number(offset), stop: Number(stop) };
  }
}
