/**
 * Reaches into columns of structs and lists: a field of each struct, an item of each list, or what its
 * items come to, as a column of its own.
 *
 * @module
 */

import { andBitmaps, countSetBits } from "./bitmap.ts";
import { type HostColumn, isNull } from "./column.ts";
import { gatherColumn } from "./gather.ts";
import { listsWith, reduceItems, type Reduction } from "./reduce_items.ts";
import { sliceColumn } from "./slice.ts";
import type { Value } from "./value_at.ts";

/**
 * A step into a column: the field of a struct; the item of a list, where a negative one is from the end;
 * what the items of a list are reduced to; or whether they contain a value.
 */
export type PartStep =
  | { readonly field: number }
  | { readonly item: number }
  | { readonly items: Reduction }
  | { readonly contains: Value };

/**
 * Returns the part of each row of a column. It is null where a struct or a list on the way is null, and
 * where a list has no such item, whatever lies below.
 */
export function partOf(column: HostColumn, steps: readonly PartStep[]): HostColumn {
  return steps.reduce(stepInto, column);
}

function stepInto(whole: HostColumn, step: PartStep): HostColumn {
  if ("field" in step) return fieldOf(whole, step.field);
  if ("item" in step) return itemOf(whole, step.item);
  return "items" in step ? reduceItems(whole, step.items) : listsWith(whole, step.contains);
}

function fieldOf(struct: HostColumn, field: number): HostColumn {
  const { length } = struct;
  const child = sliceColumn(struct.children[field]!, 0, length);
  if (struct.nullCount === 0) return child;
  const own = child.nullCount === 0 ? null : child.validity;
  const validity = andBitmaps(struct.validity, own, length);
  const nullCount = validity === null ? 0 : length - countSetBits(validity, 0, length);
  return { ...child, validity, nullCount };
}

function itemOf(list: HostColumn, item: number): HostColumn {
  const { length } = list;
  const offsets = list.offsets!;
  const selection = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const [start, stop] = [offsets[row]!, offsets[row + 1]!];
    const at = item < 0 ? stop + item : start + item;
    selection[row] = at >= start && at < stop && !isNull(list, row) ? at : -1;
  }
  return gatherColumn(list.children[0]!, selection);
}
