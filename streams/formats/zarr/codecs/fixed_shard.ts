/**
 * The codec "sharding_indexed": many chunks in one file, one after the other, with an index of where
 * each one is.
 * Source: https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/v1.0.html.
 *
 * @module
 */

import { allChunks, chunkBox, type Grid, product } from "../grid/grid.ts";
import { isFill } from "../items/fill_items.ts";
import { joinBytes } from "../items/join_bytes.ts";
import type { ChunkCodec, UseBytes } from "./codec.ts";
import { Rooms } from "./rooms.ts";
import type { ShardIndex } from "./shard_index.ts";

/** What the configuration of the codec says, its codecs made. */
export interface ShardParts {
  readonly itemBytes: number;
  readonly fill: Uint8Array;
  /** Whether chunks of nothing but the fill value are left out. */
  readonly hasFill: boolean;
  readonly inner: ChunkCodec;
  readonly index: ShardIndex;
}

/** The layout of shards of one array. */
export class FixedShard implements ChunkCodec {
  readonly numBytes: number;
  readonly encodedBytes: number;
  readonly isFixed = false;
  readonly hasGaps = true;
  readonly turnedBytes = undefined;
  readonly decodeScratch: number;
  readonly encodeScratch: number;
  readonly rooms: Rooms = new Rooms();
  /** Its items, and those of its chunks. */
  readonly grid: Grid;
  readonly inner: ChunkCodec;
  readonly index: ShardIndex;
  readonly #parts: ShardParts;

  constructor(parts: ShardParts) {
    const { itemBytes, inner, index } = parts;
    this.#parts = parts;
    this.inner = inner;
    this.index = index;
    this.grid = index.grid;
    this.numBytes = product(this.grid.shape) * itemBytes;
    this.encodedBytes = product(index.counts) * inner.encodedBytes + index.encodedBytes;
    this.decodeScratch = inner.numBytes + inner.decodeScratch + index.scratchBytes;
    this.encodeScratch = inner.numBytes + inner.encodeScratch + index.scratchBytes +
      2 * this.encodedBytes;
  }

  /** Scratch of writing a shard piece by piece. */
  get writeScratch(): number {
    return this.encodeScratch - 2 * this.encodedBytes;
  }

  decode(encoded: Uint8Array, into: Uint8Array): Promise<void> {
    return this.rooms.use((take) => this.#decode(encoded, into, take(this.inner.numBytes)));
  }

  async #decode(encoded: Uint8Array, into: Uint8Array, chunk: Uint8Array): Promise<void> {
    const { start, stop } = this.index.rangeIn(encoded.length);
    const places = await this.index.decode(encoded.subarray(start, stop));
    this.index.checkApart(places, encoded.length);
    const limits = { fileBytes: encoded.length, mostBytes: mostBytesOf(this.inner) };
    for (const place of allChunks(this.grid)) {
      const range = this.index.rangeOf(places, place, limits);
      if (range === undefined) fillWith(chunk, this.#parts.fill);
      else await this.inner.decode(encoded.subarray(range.start, range.stop), chunk);
      this.#copy(place, (inShard, inChunk, bytes) => {
        into.set(chunk.subarray(inChunk, inChunk + bytes), inShard);
      });
    }
  }

  async encode(items: Uint8Array, use: UseBytes): Promise<void> {
    const pieces: Uint8Array[] = [];
    const index = await this.encodePieces(items, (piece) => pieces.push(piece.slice()));
    pieces.splice(this.index.bytesBefore > 0 ? 0 : pieces.length, 0, index);
    await use(joinBytes(pieces));
  }

  /**
   * Hands on the chunks one after the other; a piece holds while `write` runs. Gives the index, which
   * belongs before or behind them.
   */
  encodePieces(items: Uint8Array, write: (piece: Uint8Array) => void): Promise<Uint8Array> {
    return this.rooms.use((take) => this.#encodePieces(items, write, take(this.inner.numBytes)));
  }

  async #encodePieces(
    items: Uint8Array,
    write: (piece: Uint8Array) => void,
    chunk: Uint8Array,
  ): Promise<Uint8Array> {
    const { fill, hasFill } = this.#parts;
    const places = this.index.empty();
    let at = 0;
    let offset = this.index.bytesBefore;
    for (const place of allChunks(this.grid)) {
      this.#copy(place, (inShard, inChunk, bytes) => {
        chunk.set(items.subarray(inShard, inShard + bytes), inChunk);
      });
      if (!(hasFill && isFill(chunk, fill))) {
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
    return this.index.encode(places);
  }

  /** Calls with the bytes that follow each other both in the shard and in its chunk at a place. */
  #copy(
    place: readonly number[],
    run: (inShard: number, inChunk: number, numBytes: number) => void,
  ): void {
    const { shape, chunk } = this.grid;
    const { itemBytes } = this.#parts;
    const { start } = chunkBox(this.grid, place);
    const rowBytes = (chunk.at(-1) ?? 1) * itemBytes;
    const rows = { shape: chunk.slice(0, -1), chunk: chunk.slice(0, -1).map(() => 1) };
    let inChunk = 0;
    for (const row of allChunks(rows)) {
      const first = shape.reduce(
        (sum, length, axis) => sum * length + start[axis]! + (row[axis] ?? 0),
        0,
      );
      run(first * itemBytes, inChunk, rowBytes);
      inChunk += rowBytes;
    }
  }
}

function fillWith(chunk: Uint8Array, item: Uint8Array): void {
  for (let at = 0; at < chunk.length; at += item.length) chunk.set(item, at);
}

/** Bytes that an encoded chunk has at most, as far as anybody knows. */
export function mostBytesOf({ encodedBytes, hasGaps }: ChunkCodec): number {
  return hasGaps ? mostReadBytes : encodedBytes;
}

/** Bytes that the runtime can read at once. */
const mostReadBytes = 2 ** 32 - 1;
