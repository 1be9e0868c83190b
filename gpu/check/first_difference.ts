/**
 * Compares columns that should have the same values. The layout may differ: offsets may have
 * another width and base, and the bytes below a null are not compared. Everything else is, to the
 * bit, including the payload of a NaN.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import { byteWidth, type HostColumn } from "../column/column.ts";

/** A row of a column. */
export type Cell = readonly [column: HostColumn, row: number];

/**
 * Returns the first row in which two columns differ, or that only one of them has; -1 if there is
 * none.
 */
export function firstDifference(left: HostColumn, right: HostColumn): number {
  const numRows = Math.min(left.length, right.length);
  for (let row = 0; row < numRows; row++) {
    if (!sameCell([left, row], [right, row])) return row;
  }
  return left.length === right.length ? -1 : numRows;
}

/** Whether two rows have the same value. */
function sameCell(left: Cell, right: Cell): boolean {
  const valid = isValid(left);
  if (valid !== isValid(right)) return false;
  if (!valid) return true;
  const [column, row] = left;
  switch (column.type.kind) {
    case "bool":
      return bitAt(column.data, row) === bitAt(right[0].data, right[1]);
    case "list":
      return firstOtherItem(left, right) < 0;
    case "struct":
      return firstOtherField(left, right) < 0;
    default:
      return firstOtherByte(bytesOf(left), bytesOf(right)) < 0;
  }
}

/** Whether a row is not null. */
export function isValid([{ validity }, row]: Cell): boolean {
  return validity === null || bitAt(validity, row) === 1;
}

/** Returns the bytes of a row of text, or of a type of fixed width. */
export function bytesOf([{ type, data, offsets }, row]: Cell): Uint8Array {
  if (type.kind === "string") return data.subarray(offsets?.[row] ?? 0, offsets?.[row + 1] ?? 0);
  const width = byteWidth(type);
  return data.subarray(row * width, (row + 1) * width);
}

/** Returns the rows [start, stop) of the child that are the items of a list. */
export function itemsOf([{ offsets }, row]: Cell): readonly [start: number, stop: number] {
  return [offsets?.[row] ?? 0, offsets?.[row + 1] ?? 0];
}

/** Returns the first byte that differs, or that only one has; -1 if there is none. */
export function firstOtherByte(left: Uint8Array, right: Uint8Array): number {
  const size = Math.min(left.length, right.length);
  for (let at = 0; at < size; at++) if (left[at] !== right[at]) return at;
  return left.length === right.length ? -1 : size;
}

/** Returns the first item of two lists that differs, or that only one has; -1 if there is none. */
export function firstOtherItem(left: Cell, right: Cell): number {
  const [start, stop] = itemsOf(left);
  const [otherStart, otherStop] = itemsOf(right);
  const size = Math.min(stop - start, otherStop - otherStart);
  const [items, others] = [left[0].children[0]!, right[0].children[0]!];
  for (let at = 0; at < size; at++) {
    if (!sameCell([items, start + at], [others, otherStart + at])) return at;
  }
  return stop - start === otherStop - otherStart ? -1 : size;
}

/** Returns the first field of two structs that differs; -1 if there is none. */
export function firstOtherField([left, row]: Cell, [right, otherRow]: Cell): number {
  return left.children.findIndex((child, k) =>
    !sameCell([child, row], [right.children[k]!, otherRow])
  );
}
