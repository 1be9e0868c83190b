/**
 * The codec "sharding_indexed" over items of any length.
 *
 * @module
 */

import { allChunks, chunkBox, product } from "../grid/grid.ts";
import type { ShardIndex } from "./shard_index.ts";
import { checkDecoded } from "./too_large.ts";
import { joinBytes } from "../items/join_bytes.ts";
import type { TextItems } from "../items/text_array.ts";
import { areAll, dataBytes, joinBoxes, repeatText, takeBox } from "../items/text_boxes.ts";
import type { VariableCodec } from "./variable_codec.ts";

/** Bytes that a chunk of a shard has at most: what offsets count, encoded. */
const mostChunkBytes = 2 ** 32 - 1;

/** What the configuration of the codec says, its codecs made. */
export interface VariableShardParts {
  readonly fill: Uint8Array;
  /** Whether chunks of nothing but the fill value are left out. */
  readonly hasFill: boolean;
  readonly inner: VariableCodec;
  readonly index: ShardIndex;
}

/** The layout of shards of one array. */
export class VariableShard implements VariableCodec {
  readonly shape: readonly number[];
  readonly inner: VariableCodec;
  readonly index: ShardIndex;
  readonly #parts: VariableShardParts;

  constructor(parts: VariableShardParts) {
    this.#parts = parts;
    this.inner = parts.inner;
    this.index = parts.index;
    this.shape = parts.index.grid.shape;
  }

  encodedBytes(numBytes: number): number {
    // Each chunk by itself, and unused bytes between them.
    const numChunks = product(this.index.counts);
    const inner = numChunks * this.inner.encodedBytes(0) + this.inner.encodedBytes(numBytes);
    return 2 * inner + this.index.encodedBytes;
  }

  async decode(encoded: Uint8Array, mostBytes: number): Promise<TextItems> {
    const { index, inner } = this;
    const { start, stop } = index.rangeIn(encoded.length);
    const places = await index.decode(encoded.subarray(start, stop));
    index.checkApart(places, encoded.length);
    const limits = { fileBytes: encoded.length, mostBytes: mostChunkBytes };
    const pieces = [];
    let left = mostBytes;
    for (const place of allChunks(index.grid)) {
      const range = index.rangeOf(places, place, limits);
      const items = range === undefined
        ? this.#missing(left)
        // A copy, as chunks may share bytes, and decoding changes them.
        : await inner.decode(encoded.slice(range.start, range.stop), left);
      // Each has one offset more than items.
      left -= dataBytes(items) + items.offsets.byteLength - items.offsets.BYTES_PER_ELEMENT;
      pieces.push({ box: chunkBox(index.grid, place), items });
    }
    return joinBoxes(this.shape, pieces);
  }

  async encode(items: TextItems): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    const index = await this.encodePieces(items, (piece) => pieces.push(piece));
    pieces.splice(this.index.bytesBefore > 0 ? 0 : pieces.length, 0, index);
    return joinBytes(pieces);
  }

  /** Hands on the chunks one after the other. Gives the index, which belongs before or behind them. */
  async encodePieces(items: TextItems, write: (piece: Uint8Array) => void): Promise<Uint8Array> {
    const { fill, hasFill } = this.#parts;
    const places = this.index.empty();
    let at = 0;
    let offset = this.index.bytesBefore;
    for (const place of allChunks(this.index.grid)) {
      const chunk = takeBox(items, this.shape, chunkBox(this.index.grid, place));
      if (!(hasFill && areAll(chunk, fill))) {
        const piece = await this.inner.encode(chunk);
        write(piece);
        places[at] = BigInt(offset);
        places[at + 1] = BigInt(piece.length);
        offset += piece.length;
      }
      at += 2;
    }
    return await this.index.encode(places);
  }

  /** A chunk that is not there. Throws where it would have more bytes than are allowed. */
  #missing(mostBytes: number): TextItems {
    const numItems = product(this.inner.shape);
    checkDecoded(numItems * (this.#parts.fill.length + 4), mostBytes);
    return repeatText(numItems, this.#parts.fill);
  }
}
