/**
 * Shards of items of a variable size: each chunk decodes to memory of its own, and they are put together.
 *
 * @module
 */

import { allChunks, chunkBox, product } from "../grid/grid.ts";
import { Shard } from "./shard.ts";
import { checkDecoded } from "./too_large.ts";
import type { VariableItems } from "../items/array.ts";
import { areAll, dataBytes, joinBoxes, repeatVariable, takeBox } from "../items/variable_items.ts";
import type { VariableCodec } from "./codec.ts";

/** Bytes that a chunk of a shard has at most: what offsets count, encoded. */
const mostChunkBytes = 2 ** 32 - 1;

/** Each chunk has memory of its own. */
const noRoom = new Uint8Array(0);

/** The layout of shards of one array. */
export class VariableShard extends Shard<VariableItems, VariableCodec> implements VariableCodec {
  get shape(): readonly number[] {
    return this.grid.shape;
  }

  encodedBytes(numBytes: number): number {
    // Each chunk by itself, and unused bytes between them.
    const numChunks = product(this.index.counts);
    const inner = numChunks * this.inner.encodedBytes(0) + this.inner.encodedBytes(numBytes);
    return 2 * inner + this.index.encodedBytes;
  }

  async decode(encoded: Uint8Array, mostBytes: number): Promise<VariableItems> {
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

  protected override itemsAt(place: readonly number[], items: VariableItems): VariableItems {
    return takeBox(items, this.shape, chunkBox(this.grid, place));
  }

  protected override areFill(chunk: VariableItems): boolean {
    return areAll(chunk, this.parts.fill);
  }

  protected override withRoom<T>(work: (room: Uint8Array) => Promise<T>): Promise<T> {
    return work(noRoom);
  }

  /** A chunk that is not there. Throws where it would have more bytes than are allowed. */
  #missing(mostBytes: number): VariableItems {
    const numItems = product(this.inner.shape);
    checkDecoded(numItems * (this.parts.fill.length + 4), mostBytes);
    return repeatVariable(numItems, this.parts.fill);
  }
}
