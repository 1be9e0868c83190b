/**
 * The codec "sharding_indexed": many chunks in one file, one after the other, with an index of where
 * each one is.
 * Source: https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/v1.0.html.
 *
 * @module
 */

import { allChunks, type Grid } from "../grid/grid.ts";
import { joinBytes } from "../items/join_bytes.ts";
import type { UseBytes } from "./codec.ts";
import type { ShardIndex } from "./shard_index.ts";

/** The configuration of the codec, with the inner codecs made. */
export interface ShardParts<Codec> {
  readonly fill: Uint8Array;
  /** Whether chunks of nothing but the fill value are left out. */
  readonly hasFill: boolean;
  readonly inner: Codec;
  readonly index: ShardIndex;
}

/** The codecs of a chunk, of which those who encode know no more. */
interface Encoder<Items> {
  encode(items: Items, use: UseBytes): Promise<void>;
}

/** The layout of shards of one array, whatever its items are. */
export abstract class Shard<Items, Codec extends Encoder<Items>> {
  /** Its items, and those of its chunks. */
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

  /** The items of the chunk at a place, which hold until the next are asked for. */
  protected abstract itemsAt(place: readonly number[], items: Items, room: Uint8Array): Items;
  /** Whether all items of a chunk are the fill value. */
  protected abstract areFill(chunk: Items): boolean;
  /** Runs with memory for a chunk, where that is known. */
  protected abstract withRoom<T>(work: (room: Uint8Array) => Promise<T>): Promise<T>;

  async encode(items: Items, use: UseBytes): Promise<void> {
    const pieces: Uint8Array[] = [];
    const index = await this.encodePieces(items, (piece) => pieces.push(piece.slice()));
    pieces.splice(this.index.bytesBefore > 0 ? 0 : pieces.length, 0, index);
    await use(joinBytes(pieces));
  }

  /**
   * Hands on the chunks one after the other; a piece holds while `write` runs. Returns the index, which
   * belongs before or behind them.
   */
  encodePieces(items: Items, write: (piece: Uint8Array) => void): Promise<Uint8Array> {
    return this.withRoom(async (room) => {
      const places = this.index.empty();
      let at = 0;
      let offset = this.index.bytesBefore;
      for (const place of allChunks(this.grid)) {
        const chunk = this.itemsAt(place, items, room);
        if (!(this.parts.hasFill && this.areFill(chunk))) {
          const first = offset;
          await this.inner.encode(chunk, (piece) => {
            write(piece);
            offset += piece.length;
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
