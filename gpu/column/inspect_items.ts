/** @module */

import type { HostColumn, Offsets } from "./column.ts";
import { Utf8Error } from "../errors.ts";
import { bitAt, copyBitmap, filledBitmap } from "./bitmap.ts";
import { sliceColumn } from "./slice.ts";
import { inspectColumn, type TextFacts } from "./utf8.ts";

/**
 * Inspects the items of a column of lists of texts: whether they are ASCII, else whether they are
 * UTF-8. Throws a `Utf8Error` with the first row that has an item that is not. Items below a null are
 * nobody's.
 */
export function inspectItems({ children, offsets, length, validity }: HostColumn): TextFacts {
  const [items] = children;
  if (items === undefined || offsets === null) return { ascii: true };
  const start = offsets[0] ?? 0;
  const own = sliceColumn(items, start, offsets[length] ?? start);
  try {
    return inspectColumn(own);
  } catch (error) {
    if (!(error instanceof Utf8Error)) throw error;
    if (validity === null) throw inRow(error, offsets.subarray(1), start);
  }
  try {
    return inspectColumn({ ...own, validity: validityOfItems(own, offsets, validity) });
  } catch (error) {
    throw error instanceof Utf8Error ? inRow(error, offsets.subarray(1), start) : error;
  }
}

/** The error of an item, with the row of its list. */
function inRow({ row, origin }: Utf8Error, stops: Offsets, start: number): Utf8Error {
  const item = start + row;
  const list = stops.findIndex((stop) => stop > item);
  return new Utf8Error(`An item of row ${list} is not UTF-8`, list, origin);
}

/** Which items are neither null nor below a null. */
function validityOfItems(
  items: HostColumn,
  offsets: Offsets,
  validity: Uint8Array,
): Uint8Array {
  const bits = items.validity === null
    ? filledBitmap(items.length)
    : copyBitmap(items.validity, 0, items.length);
  const start = offsets[0] ?? 0;
  for (let row = 0; row + 1 < offsets.length; row++) {
    if (bitAt(validity, row) === 1) continue;
    const stop = offsets[row + 1]! - start;
    for (let item = offsets[row]! - start; item < stop; item++) {
      bits[item >> 3]! &= ~(1 << (item & 7));
    }
  }
  return bits;
}
