/**
 * The codec "sharding_indexed": many chunks in one file, with an index of where each one is.
 * Layout: the chunks one after the other; for each chunk of the shard, in C order, its offset and its
 * length as uint64, both 2^64 - 1 where it is missing; before or behind all of them.
 * Source: https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/v1.0.html.
 *
 * @module
 */

import { allChunks, chunkBox, type Grid, gridShape, product } from "../../chunks/grid.ts";
import { isFill } from "../fill_items.ts";
import type { ChunkCodec, UseBytes } from "./codec.ts";

/** What the configuration of the codec says, its codecs made. */
export interface ShardParts {
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly itemBytes: number;
  readonly fill: Uint8Array;
  /** Whether chunks of nothing but the fill value are left out. */
  readonly hasFill: boolean;
  readonly inner: ChunkCodec;
  /** Of an array of uint64 whose shape is that of the shard in chunks, and 2. */
  readonly index: ChunkCodec;
  readonly isIndexFirst: boolean;
}

/** Where a chunk is in its shard, in bytes. */
export interface ShardRange {
  readonly start: number;
  readonly stop: number;
}

/** The layout of shards of one array. */
export class Shard implements ChunkCodec {
  readonly numBytes: number;
  readonly encodedBytes: number;
  readonly isFixed = false;
  readonly turnedBytes = undefined;
  readonly decodeScratch: number;
  readonly encodeScratch: number;
  /** Its items, and those of its chunks. */
  readonly grid: Grid;
  readonly inner: ChunkCodec;
  /** Bytes of the index in a file. */
  readonly indexBytes: number;
  readonly #parts: ShardParts;
  /** Its chunks along each axis. */
  readonly #counts: readonly number[];

  constructor(parts: ShardParts) {
    const { shape, chunk, itemBytes, inner, index } = parts;
    this.#parts = parts;
    this.inner = inner;
    this.grid = { shape, chunk };
    this.#counts = gridShape(this.grid);
    this.numBytes = product(shape) * itemBytes;
    this.indexBytes = index.encodedBytes;
    this.encodedBytes = product(this.#counts) * inner.encodedBytes + this.indexBytes;
    const index3 = index.numBytes + 2 * this.indexBytes;
    this.decodeScratch = inner.numBytes + inner.decodeScratch + index3;
    this.encodeScratch = inner.numBytes + inner.encodeScratch + index3 + 2 * this.encodedBytes;
  }

  /** Scratch of writing a shard piece by piece. */
  get writeScratch(): number {
    return this.encodeScratch - 2 * this.encodedBytes;
  }

  /** Where the index is in a file of so many bytes. Throws where there is no room for it. */
  indexRange(fileBytes: number): ShardRange {
    if (fileBytes < this.indexBytes) {
      throw new Error(`has ${fileBytes} bytes, its index ${this.indexBytes}`);
    }
    return this.#parts.isIndexFirst
      ? { start: 0, stop: this.indexBytes }
      : { start: fileBytes - this.indexBytes, stop: fileBytes };
  }

  /** Reads an index: offset and length of each chunk. */
  async decodeIndex(encoded: Uint8Array): Promise<BigUint64Array> {
    const places = new BigUint64Array(2 * product(this.#counts));
    try {
      await this.#parts.index.decode(encoded, new Uint8Array(places.buffer));
    } catch (cause) {
      throw new Error(`has an index that ${(cause as Error).message}`, { cause });
    }
    return places;
  }

  /** Where a chunk is in a file; undefined if it is missing. Throws where it is not in the file. */
  rangeOf(
    places: BigUint64Array,
    place: readonly number[],
    fileBytes: number,
  ): ShardRange | undefined {
    const at = 2 * place.reduce((sum, part, axis) => sum * this.#counts[axis]! + part, 0);
    const offset = places[at]!;
    const length = places[at + 1]!;
    if (offset === missing && length === missing) return undefined;
    const stop = offset + length;
    if (stop > BigInt(fileBytes) || length > BigInt(this.inner.encodedBytes)) {
      throw new Error(`has an index that puts chunk [${place}] at ${offset} to ${stop}`);
    }
    return { start: Number(offset), stop: Number(stop) };
  }

  async decode(encoded: Uint8Array, into: Uint8Array): Promise<void> {
    const { start, stop } = this.indexRange(encoded.length);
    const places = await this.decodeIndex(encoded.subarray(start, stop));
    const chunk = new Uint8Array(this.inner.numBytes);
    for (const place of allChunks(this.grid)) {
      const range = this.rangeOf(places, place, encoded.length);
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
    pieces.splice(this.#parts.isIndexFirst ? 0 : pieces.length, 0, index);
    const encoded = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      encoded.set(piece, at);
      at += piece.length;
    }
    await use(encoded);
  }

  /** Bytes at the start of a file that are for the index. */
  get bytesBefore(): number {
    return this.#parts.isIndexFirst ? this.indexBytes : 0;
  }

  /**
   * Hands on the chunks one after the other; a piece holds while `write` runs. Gives the index, which
   * belongs before or behind them.
   */
  async encodePieces(items: Uint8Array, write: (piece: Uint8Array) => void): Promise<Uint8Array> {
    const { fill, hasFill, index } = this.#parts;
    const places = new BigUint64Array(2 * product(this.#counts)).fill(missing);
    const chunk = new Uint8Array(this.inner.numBytes);
    let at = 0;
    let offset = this.bytesBefore;
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
    let encoded = new Uint8Array(0);
    await index.encode(new Uint8Array(places.buffer), (bytes) => {
      encoded = new Uint8Array(bytes);
    });
    return encoded;
  }

  /** Calls with the bytes that follow each other both in the shard and in its chunk at a place. */
  #copy(
    place: readonly number[],
    run: (inShard: number, inChunk: number, numBytes: number) => void,
  ): void {
    const { shape, chunk, itemBytes } = this.#parts;
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

const missing = 2n ** 64n - 1n;

function fillWith(chunk: Uint8Array, item: Uint8Array): void {
  for (let at = 0; at < chunk.length; at += item.length) chunk.set(item, at);
}
