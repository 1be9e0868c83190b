/**
 * Shards of items of a variable size. Each chunk decodes into memory of its own, and they are joined.
 *
 * @module
 */

import { allChunks, chunkBox, product } from "../grid/grid.ts";
import { Shard } from "./shard.ts";
import { checkDecoded, mostReadBytes } from "./too_large.ts";
import type { VariableItems } from "../items/array.ts";
import { areAll, dataBytes, joinBoxes, repeatVariable, takeBox } from "../items/variable_items.ts";
import type { VariableCodec } from "./codec.ts";

/** Memory for a chunk, which this codec does not need. */
const noScratch = new Uint8Array(0);

/** The codec of the shards of one array. */
export class VariableShard extends Shard<VariableItems, VariableCodec> implements VariableCodec {
  get shape(): readonly number[] {
    return this.grid.shape;
  }

  encodedBytes(numBytes: number): number {
    // Chunks are encoded separately, and there may be unused bytes between them.
    const numChunks = product(this.index.counts);
    const inner = numChunks * this.inner.encodedBytes(0) + this.inner.encodedBytes(numBytes);
    return 2 * inner + this.index.encodedBytes;
  }

  async decode(encoded: Uint8Array, mostBytes: number): Promise<VariableItems> {
    const { index, inner } = this;
    const { start, stop } = index.rangeIn(encoded.length);
    const places = await index.decode(encoded.subarray(start, stop));
    index.checkApart(places, encoded.length);
    const limits = { fileBytes: encoded.length, mostBytes: mostReadBytes };
    const boxes = [];
    let left = mostBytes;
    for (const place of allChunks(index.grid)) {
      const range = index.rangeOf(places, place, limits);
      const items = range === undefined
        ? this.#missing(left)
        // A copy, since chunks may share bytes, and decoding changes them.
        : await inner.decode(encoded.slice(range.start, range.stop), left);
      // A chunk has one more offset than items.
      left -= dataBytes(items) + items.offsets.byteLength - items.offsets.BYTES_PER_ELEMENT;
      boxes.push({ box: chunkBox(index.grid, place), items });
    }
    return joinBoxes(this.shape, boxes);
  }

  protected override itemsAt(place: readonly number[], items: VariableItems): VariableItems {
    return takeBox(items, this.shape, chunkBox(this.grid, place));
  }

  protected override areFill(chunk: VariableItems): boolean {
    return areAll(chunk, this.parts.fill);
  }

  protected override withScratch<T>(work: (scratch: Uint8Array) => Promise<T>): Promise<T> {
    return work(noScratch);
  }

  /** Returns the items of a missing chunk. Throws where they exceed the limit. */
  #missing(mostBytes: number): VariableItems {
    const numItems = product(this.inner.shape);
    checkDecoded(numItems * (this.parts.fill.length + 4), mostBytes);
    return repeatVariable(numItems, this.parts.fill);
  }
}
