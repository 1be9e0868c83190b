/**
 * Items of a fixed size, for code that gathers, buffers and writes chunks.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import type { FixedArray } from "./array.ts";
import { copyInto, isFill } from "./fixed_items.ts";
import type { ItemsKind } from "./items_kind.ts";
import { repeatItem } from "./repeat_item.ts";

/** Returns the kind of the items of an array. */
export function fixedKind({ writeGrid, itemBytes, fill }: FixedArray): ItemsKind<Uint8Array> {
  const shape = writeGrid.chunk;
  const chunkBytes = product(shape) * itemBytes;
  return {
    numBytes: ({ length }) => length,
    checkWhole({ length }) {
      if (length === chunkBytes) return;
      throw new RangeError(`gets ${length} bytes, but a chunk has ${chunkBytes}`);
    },
    areFill: (items) => isFill(items, fill),
    toBytes: (items) => items,
    fromBytes: (bytes) => bytes,
    join(chunks) {
      const joined = new Uint8Array(chunkBytes);
      repeatItem(joined, fill);
      for (const { box, items } of chunks) {
        if (items !== undefined) copyInto(joined, shape, box, items, itemBytes);
      }
      return joined;
    },
  };
}
