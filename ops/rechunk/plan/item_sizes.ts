/**
 * The sizes of the items of an array of variable items, as observed in some of its chunks.
 *
 * @module
 */

import type { VariableItems } from "../../../streams/formats/zarr/items/array.ts";

/** The bytes of an item's offset. */
export const OFFSET_BYTES = 4;
/** The bytes of memory that an item takes besides its own: its start and its length. */
export const PLACE_BYTES = 8;

/** Returns the number of bytes of items with their offsets. */
export function itemsBytes({ offsets }: VariableItems): number {
  return OFFSET_BYTES * offsets.length + offsets.at(-1)! - offsets[0]!;
}

/** The sizes of the chunks seen so far. A chunk that is seen again counts again. */
export class ItemSizes {
  #numItems = 0;
  #dataBytes = 0;
  #largest = 0;

  /** Adds a chunk that was read, with its number of items and the bytes of the fill value. */
  add(items: VariableItems | undefined, numItems: number, fillBytes: number): void {
    this.#numItems += numItems;
    if (items === undefined) {
      this.#dataBytes += numItems * fillBytes;
      return;
    }
    this.#dataBytes += items.offsets.at(-1)! - items.offsets[0]!;
    this.#largest = Math.max(this.#largest, itemsBytes(items));
  }

  /** Notes that a chunk that was not read has more than a number of bytes. */
  addLarger(numBytes: number): void {
    this.#largest = Math.max(this.#largest, numBytes + 1);
  }

  /** The mean bytes of an item without its offset; 0 before any item was seen. */
  get meanBytes(): number {
    return this.#numItems === 0 ? 0 : this.#dataBytes / this.#numItems;
  }

  /** The number of bytes of the largest chunk seen. */
  get largest(): number {
    return this.#largest;
  }
}
