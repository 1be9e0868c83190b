/**
 * How large the items of an array of text are: what is known of it after some chunks.
 *
 * @module
 */

import { allChunks, type Grid, gridShape, product } from "../../../streams/chunks/grid.ts";
import type { TextItems, TextReader } from "../../../streams/zarr/text_array.ts";

/** Bytes that say where an item begins. */
export const OFFSET_BYTES = 4;
/** Chunks that are read before a plan is made. */
const NUM_SAMPLES = 8;

/** The bytes of items, with their offsets. */
export function itemsBytes({ offsets }: TextItems): number {
  return OFFSET_BYTES * offsets.length + offsets.at(-1)! - offsets[0]!;
}

/** Sizes of chunks, as far as some were seen. A chunk that is seen again counts again. */
export class TextSizes {
  #numItems = 0;
  #dataBytes = 0;
  #largest = 0;

  /** Notes a chunk that was read, with all of its items; `fillBytes` are those of an item. */
  add(items: TextItems | undefined, numItems: number, fillBytes: number): void {
    this.#numItems += numItems;
    if (items === undefined) {
      this.#dataBytes += numItems * fillBytes;
      return;
    }
    this.#dataBytes += items.offsets.at(-1)! - items.offsets[0]!;
    this.#largest = Math.max(this.#largest, itemsBytes(items));
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

/** The sizes of some chunks of an array, which are read: the first, the last, and some between. */
export async function sampleSizes(reader: TextReader): Promise<TextSizes> {
  const sizes = new TextSizes();
  const numItems = product(reader.grid.chunk);
  for (const index of samplePlaces(reader.grid)) {
    sizes.add(await reader.readChunk(index), numItems, reader.fill.length);
  }
  return sizes;
}

/** The places of all chunks if they are few, else of some that lie evenly in C order. */
function samplePlaces(grid: Grid): Iterable<readonly number[]> {
  const places = gridShape(grid);
  const count = product(places);
  if (count <= NUM_SAMPLES) return allChunks(grid);
  return Array.from({ length: NUM_SAMPLES }, (_, at) => {
    let rest = Math.round(at * (count - 1) / (NUM_SAMPLES - 1));
    return places.toReversed().map((length) => {
      const place = rest % length;
      rest = Math.floor(rest / length);
      return place;
    }).toReversed();
  });
}
