/**
 * How large the items of an array of text are: what is known of it after some chunks.
 *
 * @module
 */

import type { VariableItems } from "../../../streams/formats/zarr/items/array.ts";

/** Bytes that say where an item begins. */
export const OFFSET_BYTES = 4;
/** Bytes of memory that an item takes besides its own: where it begins, and how long it is. */
export const PLACE_BYTES = 8;

/** The bytes of items, with their offsets. */
export function itemsBytes({ offsets }: VariableItems): number {
  return OFFSET_BYTES * offsets.length + offsets.at(-1)! - offsets[0]!;
}

/** Sizes of chunks, as far as some were seen. A chunk that is seen again counts again. */
export class ItemSizes {
  #numItems = 0;
  #dataBytes = 0;
  #largest = 0;

  /** Notes a chunk that was read, with all of its items; `fillBytes` are those of an item. */
  add(items: VariableItems | undefined, numItems: number, fillBytes: number): void {
    this.#numItems += numItems;
    if (items === undefined) {
      this.#dataBytes += numItems * fillBytes;
      return;
    }
    this.#dataBytes += items.offsets.at(-1)! - items.offsets[0]!;
    this.#largest = Math.max(this.#largest, itemsBytes(items));
  }

  /** Notes that a chunk, which was not read, has more than the given number of bytes. */
  addLarger(numBytes: number): void {
    this.#largest = Math.max(this.#largest, numBytes + 1);
  }

  /** The mean bytes of an item without its offset; 0 before any was seen. */
  get meanBytes(): number {
    return this.#numItems === 0 ? 0 : this.#dataBytes / this.#numItems;
  }

  /** Bytes of the largest chunk that was read. */
  get largest(): number {
    return this.#largest;
  }
}
