/**
 * The codec "sharding_indexed": many chunks in one file, one after another, with an index of their
 * places.
 * Source: https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/v1.0.html.
 *
 * @module
 */

import { allChunks, type Grid } from "../grid/grid.ts";
import { joinBytes } from "../../../bytes/join_bytes.ts";
import type { UseBytes } from "./codec.ts";
import type { ShardIndex } from "./shard_index.ts";

/** The configuration of the codec, with its inner codecs. */
export interface ShardParts<Codec> {
  readonly fill: Uint8Array;
  /** Whether to leave out chunks of only the fill value. */
  readonly hasFill: boolean;
  readonly inner: Codec;
  readonly index: ShardIndex;
}

/** The part of a chunk's codecs that encoding uses. */
interface Encoder<Items> {
  encode(items: Items, use: UseBytes): Promise<void>;
}

/** The codec of the shards of one array, for either kind of items. */
export abstract class Shard<Items, Codec extends Encoder<Items>> {
  /** The grid of chunks in a shard. */
  readonly grid: Grid;
  readonly inner: Codec;
  readonly index: ShardIndex;
  protected readonly parts: ShardParts<Codec>;

  constructor(parts: ShardParts<Codec>) {
    this.parts = parts;
    this.inner = parts.inner;
    this.index = parts.index;
    this.grid = parts.index.grid;
  }

  /** Returns the items of the chunk at a place; they are valid until the next call. */
  protected abstract itemsAt(place: readonly number[], items: Items, scratch: Uint8Array): Items;
  /** Whether all items of a chunk are the fill value. */
  protected abstract areFill(chunk: Items): boolean;
  /** Runs with memory for a chunk, where its size is known. */
  protected abstract withScratch<T>(work: (scratch: Uint8Array) => Promise<T>): Promise<T>;

  async encode(items: Items, use: UseBytes): Promise<void> {
    const parts: Uint8Array[] = [];
    const index = await this.encodeChunks(items, (bytes) => parts.push(bytes.slice()));
    parts.splice(this.index.bytesBefore > 0 ? 0 : parts.length, 0, index);
    await use(joinBytes(parts));
  }

  /**
   * Passes the encoded chunks to `write` one after another, in arrays that are valid during the call. Returns
   * the index, which belongs before or after them.
   */
  encodeChunks(items: Items, write: (bytes: Uint8Array) => void): Promise<Uint8Array> {
    return this.withScratch(async (scratch) => {
      const places = this.index.empty();
      let at = 0;
      let offset = this.index.bytesBefore;
      for (const place of allChunks(this.grid)) {
        const chunk = this.itemsAt(place, items, scratch);
        if (!(this.parts.hasFill && this.areFill(chunk))) {
          const first = offset;
          await this.inner.encode(chunk, (bytes) => {
            write(bytes);
            offset += bytes.length;
          });
          places[at] = BigInt(first);
          places[at + 1] = BigInt(offset - first);
        }
        at += 2;
      }
      return await this.index.encode(places);
    });
  }
}
