/**
 * Items of a variable size, for code that gathers, buffers and writes chunks. It also loads the check of
 * UTF-8.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import type { VariableArray, VariableItems } from "./array.ts";
import type { ItemsKind } from "./items_kind.ts";
import { areAll, dataBytes, joinBoxes, repeatVariable } from "./variable_items.ts";
import { decodeItems, encodeItems } from "./vlen_items.ts";

/** Returns the kind of the items of an array. */
export function variableKind({ grid, writeGrid, fill }: VariableArray): ItemsKind<VariableItems> {
  const numItems = product(grid.chunk);
  const numWritten = product(writeGrid.chunk);
  return {
    numBytes: (items) => dataBytes(items) + items.offsets.byteLength,
    checkWhole({ offsets }) {
      const numGiven = offsets.length - 1;
      if (numGiven === numWritten) return;
      throw new RangeError(`gets ${numGiven} items, but a chunk has ${numWritten}`);
    },
    areFill: (items) => areAll(items, fill),
    toBytes: encodeItems,
    fromBytes: (bytes) => decodeItems(bytes, numItems, "bytes"),
    join: (chunks) =>
      joinBoxes(
        writeGrid.chunk,
        chunks.map(({ box, items }) => ({ box, items: items ?? repeatVariable(numItems, fill) })),
      ),
  };
}
