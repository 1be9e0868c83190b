/**
 * What can be done with the items of a chunk, whatever their kind: those who gather, keep and write chunks
 * know no more of them.
 *
 * @module
 */

import { type Box, product } from "../grid/grid.ts";
import {
  type AnyArray,
  type AnyItems,
  type ArrayReader,
  type FixedArray,
  isFixed,
  type VariableArray,
  type VariableItems,
} from "./array.ts";
import { copyInto, isFill } from "./fixed_items.ts";
import { repeatItem } from "./repeat_item.ts";
import { areAll, dataBytes, joinBoxes, repeatVariable } from "./variable_items.ts";
import { decodeItems, encodeItems } from "./vlen_items.ts";

/** A chunk in a shard; one that has not come is undefined. */
export interface PlacedItems<Items> {
  readonly box: Box;
  readonly items: Items | undefined;
}

/** The items of one array. */
export interface ItemsKind<Items> {
  /** Bytes that they take in memory. */
  numBytes(items: Items): number;
  /** Throws a RangeError, its message a clause, unless there are as many as a chunk that is written has. */
  checkWhole(items: Items): void;
  /** Whether all of them are the fill value, bit by bit: then no chunk of them is written. */
  areFill(items: Items): boolean;
  /** As bytes of a file, and back. */
  toBytes(items: Items): Uint8Array;
  fromBytes(bytes: Uint8Array): Items;
  /** The items of a whole shard; fill values for what has not come. */
  join(chunks: readonly PlacedItems<Items>[]): Items;
}

/** Returns the kind of the items of an array. */
export function itemsKindOf(array: FixedArray): ItemsKind<Uint8Array>;
export function itemsKindOf(array: VariableArray): ItemsKind<VariableItems>;
export function itemsKindOf(array: AnyArray): ItemsKind<Uint8Array> | ItemsKind<VariableItems>;
export function itemsKindOf(array: AnyArray): ItemsKind<Uint8Array> | ItemsKind<VariableItems> {
  return isFixed(array) ? fixedKind(array) : variableKind(array);
}

function fixedKind({ writeGrid, itemBytes, fill }: FixedArray): ItemsKind<Uint8Array> {
  const shape = writeGrid.chunk;
  const chunkBytes = product(shape) * itemBytes;
  return {
    numBytes: ({ length }) => length,
    checkWhole({ length }) {
      if (length === chunkBytes) return;
      throw new RangeError(`gets ${length} bytes, a chunk has ${chunkBytes}`);
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

function variableKind({ grid, writeGrid, fill }: VariableArray): ItemsKind<VariableItems> {
  const numItems = product(grid.chunk);
  const numWritten = product(writeGrid.chunk);
  return {
    numBytes: (items) => dataBytes(items) + items.offsets.byteLength,
    checkWhole({ offsets }) {
      const { length } = offsets.subarray(1);
      if (length === numWritten) return;
      throw new RangeError(`gets ${length} items, a chunk has ${numWritten}`);
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

/** Reads the items of a chunk: fill values where it is missing. */
export async function readItems(reader: ArrayReader, index: readonly number[]): Promise<AnyItems> {
  const numItems = product(reader.grid.chunk);
  if (!isFixed(reader)) {
    return await reader.readChunk(index) ?? repeatVariable(numItems, reader.fill);
  }
  const items = new Uint8Array(numItems * reader.itemBytes);
  if (!await reader.readChunk(index, items)) repeatItem(items, reader.fill);
  return items;
}
