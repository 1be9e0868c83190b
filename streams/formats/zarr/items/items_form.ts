/**
 * The items of a chunk as one who gathers them sees them.
 *
 * @module
 */

import { type Box, boxShape, chunksOver, product } from "../grid/grid.ts";
import { repeatItem } from "./repeat_item.ts";
import { dataBytes, joinBoxes, repeatText } from "./text_boxes.ts";
import { decodeItems, encodeItems } from "./vlen_items.ts";
import type { TextItems, TextWriter } from "./text_array.ts";
import type { ZarrWriter } from "./zarr_array.ts";

/** A chunk in a shard; one that has not come is undefined. */
export interface PlacedItems<Items> {
  readonly box: Box;
  readonly items: Items | undefined;
}

/** What can be done with the items of a chunk. */
export interface ItemsForm<Items> {
  /** Bytes that they take in memory. */
  numBytes(items: Items): number;
  /** As bytes of a file, and back. */
  toBytes(items: Items): Uint8Array;
  fromBytes(bytes: Uint8Array): Items;
  /** The items of a whole shard; fill values for what has not come. */
  join(chunks: readonly PlacedItems<Items>[]): Items;
}

/** Items of a fixed size. */
export function numbersForm({ writeGrid, itemBytes, fill }: ZarrWriter): ItemsForm<Uint8Array> {
  const shape = writeGrid.chunk;
  return {
    numBytes: ({ length }) => length,
    toBytes: (items) => items,
    fromBytes: (bytes) => bytes,
    join(chunks) {
      const joined = new Uint8Array(product(shape) * itemBytes);
      repeatItem(joined, fill);
      for (const { box, items } of chunks) {
        if (items !== undefined) copyInto(joined, shape, box, items, itemBytes);
      }
      return joined;
    },
  };
}

/** Items of any length. */
export function textForm({ grid, writeGrid, fill }: TextWriter): ItemsForm<TextItems> {
  const numItems = product(grid.chunk);
  return {
    numBytes: (items) => dataBytes(items) + items.offsets.byteLength,
    toBytes: encodeItems,
    fromBytes: (bytes) => decodeItems(bytes, numItems, "bytes"),
    join: (chunks) =>
      joinBoxes(
        writeGrid.chunk,
        chunks.map(({ box, items }) => ({ box, items: items ?? repeatText(numItems, fill) })),
      ),
  };
}

/** Copies the items of a box, one after the other in `from`, to their places in a shape. */
function copyInto(
  into: Uint8Array,
  shape: readonly number[],
  box: Box,
  from: Uint8Array,
  itemBytes: number,
): void {
  const lengths = boxShape(box);
  const runBytes = (lengths.at(-1) ?? 1) * itemBytes;
  const outer = { start: box.start.slice(0, -1), stop: box.stop.slice(0, -1) };
  let at = 0;
  // Each place of the outer axes is a run along the last one.
  for (const place of chunksOver({ shape, chunk: outer.start.map(() => 1) }, outer)) {
    const row = place.reduce((sum, step, axis) => sum * shape[axis]! + step, 0);
    const start = (row * (shape.at(-1) ?? 1) + (box.start.at(-1) ?? 0)) * itemBytes;
    into.set(from.subarray(at, at + runBytes), start);
    at += runBytes;
  }
}
