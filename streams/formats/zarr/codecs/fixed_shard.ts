/**
 * Shards of items of a fixed size. Chunks pass through one buffer and decode into their place.
 *
 * @module
 */

import { mostReadBytes } from "./too_large.ts";
import { allChunks, chunkBox, eachRun, product } from "../grid/grid.ts";
import { isFill } from "../items/fixed_items.ts";
import type { ChunkCodec } from "./codec.ts";
import { repeatItem } from "../items/repeat_item.ts";
import { BufferPool } from "./buffer_pool.ts";
import { Shard, type ShardParts } from "./shard.ts";

/** The codec of the shards of one array. */
export class FixedShard extends Shard<Uint8Array, ChunkCodec> implements ChunkCodec {
  readonly numBytes: number;
  readonly encodedBytes: number;
  readonly isFixed = false;
  readonly hasGaps = true;
  readonly turnedBytes = undefined;
  readonly decodeScratch: number;
  readonly encodeScratch: number;
  readonly pool: BufferPool = new BufferPool();
  readonly #itemBytes: number;

  constructor({ itemBytes, ...parts }: ShardParts<ChunkCodec> & { readonly itemBytes: number }) {
    super(parts);
    const { inner, index } = parts;
    this.#itemBytes = itemBytes;
    this.numBytes = product(this.grid.shape) * itemBytes;
    this.encodedBytes = product(index.counts) * inner.encodedBytes + index.encodedBytes;
    this.decodeScratch = inner.numBytes + inner.decodeScratch + index.scratchBytes;
    this.encodeScratch = inner.numBytes + inner.encodeScratch + index.scratchBytes +
      2 * this.encodedBytes;
  }

  /** The scratch for writing a shard chunk by chunk. */
  get writeScratch(): number {
    return this.encodeScratch - 2 * this.encodedBytes;
  }

  decode(encoded: Uint8Array, into: Uint8Array): Promise<void> {
    return this.pool.use((take) => this.#decode(encoded, into, take(this.inner.numBytes)));
  }

  async #decode(encoded: Uint8Array, into: Uint8Array, chunk: Uint8Array): Promise<void> {
    const { start, stop } = this.index.rangeIn(encoded.length);
    const places = await this.index.decode(encoded.subarray(start, stop));
    this.index.checkApart(places, encoded.length);
    const limits = { fileBytes: encoded.length, mostBytes: mostBytesOf(this.inner) };
    for (const place of allChunks(this.grid)) {
      const range = this.index.rangeOf(places, place, limits);
      if (range === undefined) repeatItem(chunk, this.parts.fill);
      else await this.inner.decode(encoded.subarray(range.start, range.stop), chunk);
      this.#copy(place, (inShard, inChunk, bytes) => {
        into.set(chunk.subarray(inChunk, inChunk + bytes), inShard);
      });
    }
  }

  protected override itemsAt(
    place: readonly number[],
    items: Uint8Array,
    scratch: Uint8Array,
  ): Uint8Array {
    this.#copy(place, (inShard, inChunk, bytes) => {
      scratch.set(items.subarray(inShard, inShard + bytes), inChunk);
    });
    return scratch;
  }

  protected override areFill(chunk: Uint8Array): boolean {
    return isFill(chunk, this.parts.fill);
  }

  protected override withScratch<T>(work: (scratch: Uint8Array) => Promise<T>): Promise<T> {
    return this.pool.use((take) => work(take(this.inner.numBytes)));
  }

  /** Calls `run` for each range of bytes that is contiguous in the shard and in its chunk at a place. */
  #copy(
    place: readonly number[],
    run: (inShard: number, inChunk: number, numBytes: number) => void,
  ): void {
    const itemBytes = this.#itemBytes;
    let inChunk = 0;
    eachRun(this.grid.shape, chunkBox(this.grid, place), (first, count) => {
      run(first * itemBytes, inChunk, count * itemBytes);
      inChunk += count * itemBytes;
    });
  }
}

/** Returns an upper bound of the bytes of an encoded chunk. */
export function mostBytesOf({ encodedBytes, hasGaps }: ChunkCodec): number {
  return hasGaps ? mostReadBytes : encodedBytes;
}
