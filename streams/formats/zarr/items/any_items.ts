/**
 * Functions for the items of an array of either kind.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import {
  type AnyItems,
  type ArrayReader,
  type FixedArray,
  isFixed,
  type VariableArray,
  type VariableItems,
} from "./array.ts";
import { fixedKind } from "./fixed_kind.ts";
import type { ItemsKind } from "./items_kind.ts";
import { repeatItem } from "./repeat_item.ts";
import { repeatVariable } from "./variable_items.ts";
import { variableKind } from "./variable_kind.ts";

/** Returns the kind of the items of an array. */
export function itemsKindOf(array: FixedArray): ItemsKind<Uint8Array>;
export function itemsKindOf(array: VariableArray): ItemsKind<VariableItems>;
export function itemsKindOf(
  array: FixedArray | VariableArray,
): ItemsKind<Uint8Array> | ItemsKind<VariableItems> {
  return isFixed(array) ? fixedKind(array) : variableKind(array);
}

/** Reads the items of a chunk; fill values for a missing one. */
export async function readItems(reader: ArrayReader, index: readonly number[]): Promise<AnyItems> {
  const numItems = product(reader.grid.chunk);
  if (!isFixed(reader)) {
    return await reader.readChunk(index) ?? repeatVariable(numItems, reader.fill);
  }
  const items = new Uint8Array(numItems * reader.itemBytes);
  if (!await reader.readChunk(index, items)) repeatItem(items, reader.fill);
  return items;
}
