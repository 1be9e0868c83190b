/** @module */

import type { HostColumn } from "../column.ts";
import { Utf8Error } from "../errors.ts";
import { sliceColumn } from "./slice.ts";
import { inspectColumn, type TextFacts } from "./utf8.ts";

/**
 * Inspects the items of a column of lists of texts: whether they are ASCII, else whether they are
 * UTF-8. Throws a `Utf8Error` with the first row that has an item that is not.
 */
export function inspectItems({ children, offsets, length }: HostColumn): TextFacts {
  const [items] = children;
  if (items === undefined || offsets === null) return { ascii: true };
  const start = offsets[0] ?? 0;
  try {
    return inspectColumn(sliceColumn(items, start, offsets[length] ?? start));
  } catch (error) {
    if (!(error instanceof Utf8Error)) throw error;
    const item = start + error.row;
    const row = offsets.subarray(1).findIndex((stop) => stop > item);
    throw new Utf8Error(`An item of row ${row} is not UTF-8`, row, error.origin);
  }
}
