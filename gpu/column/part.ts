/**
 * Reaches into columns of structs and lists: a field of each struct, or an item of each list, as a
 * column of its own.
 *
 * @module
 */

import { andBitmaps, countSetBits } from "./bitmap.ts";
import { type HostColumn, isNull } from "./column.ts";
import { gatherColumn } from "./gather.ts";
import { sliceColumn } from "./slice.ts";

/** A step into a column: the field of a struct, or the item of a list; a negative one is from the end. */
export type PartStep = { readonly field: number } | { readonly item: number };

/**
 * Returns the part of each row of a column. It is null where a struct or a list on the way is null, and
 * where a list has no such item, whatever lies below.
 */
export function partOf(column: HostColumn, steps: readonly PartStep[]): HostColumn {
  return steps.reduce(
    (whole, step) => "field" in step ? fieldOf(whole, step.field) : itemOf(whole, step.item),
    column,
  );
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
