/**
 * Windows of rows whose text 32-bit offsets can address, as kernels need.
 *
 * @module
 */

import { firstWhere } from "../../base/search.ts";
import type { HostColumn } from "./column.ts";
import { OverflowError } from "../../base/errors/value_error.ts";
import { isWide, MAX_NARROW_OFFSET, narrowOffsets } from "./offsets.ts";
import { sliceColumn } from "./slice.ts";
import { inheritOrigin } from "./text_origin.ts";

/**
 * The most bytes of text in a window of a wide column; half of what would fit, so that results may
 * grow.
 */
const WINDOW_BYTES = 2 ** 30;

/** A row range of a batch. */
export type RowSpan = readonly [start: number, stop: number];

/** Whether the text of a column, or of the items of its lists, has 64-bit offsets. */
function isWideText({ type, offsets, children }: HostColumn): boolean {
  if (type.kind === "string") return offsets !== null && isWide(offsets);
  const [items] = children;
  return type.kind === "list" && items !== undefined && isWideText(items);
}

/**
 * Cuts rows into windows in which each column has at most `windowBytes` bytes of text. A single row
 * may have more.
 */
export function textWindows(
  columns: readonly HostColumn[],
  numRows: number,
  windowBytes: number = WINDOW_BYTES,
): RowSpan[] {
  const wide = columns.filter(isWideText);
  if (wide.length === 0 || numRows === 0) return [[0, numRows]];
  const spans: RowSpan[] = [];
  for (let start = 0; start < numRows;) {
    const fits = wide.map((column) => lastFit(column, start, windowBytes));
    const stop = Math.min(numRows, ...fits);
    spans.push([start, Math.max(stop, start + 1)]);
    start = Math.max(stop, start + 1);
  }
  return spans;
}

/** Returns the last stop such that the text of the rows from `start` on has at most `maxBytes`. */
function lastFit(column: HostColumn, start: number, maxBytes: number): number {
  const first = textPosition(column, start);
  const isTooFar = (stop: number) => textPosition(column, stop) - first > maxBytes;
  return firstWhere(start + 1, column.length + 1, isTooFar) - 1;
}

/** Returns the position at which the text of a row begins. */
function textPosition({ type, offsets, children }: HostColumn, row: number): number {
  const position = offsets?.[row] ?? 0;
  const [items] = children;
  return type.kind === "list" && items !== undefined ? textPosition(items, position) : position;
}

const narrowed = new WeakMap<HostColumn, HostColumn>();

/**
 * Returns the rows of a window as a column that kernels can read, with 32-bit offsets. Shares the
 * text. Throws an OverflowError for 2^31 bytes or more, which only a window of one row can have.
 */
export function windowOf(column: HostColumn, [start, stop]: RowSpan): HostColumn {
  if (!isWideText(column)) return sliceColumn(column, start, stop);
  const isWhole = start === 0 && stop === column.length;
  const known = isWhole ? narrowed.get(column) : undefined;
  if (known !== undefined) return known;
  const window = narrowColumn(sliceColumn(column, start, stop), start);
  inheritOrigin(window, column, start);
  // Keep the window, since facts about its text are recorded with it.
  if (isWhole) narrowed.set(column, window);
  return window;
}

/** Returns the same rows with 32-bit offsets; `row` is the first of them, for errors. */
function narrowColumn(column: HostColumn, row: number): HostColumn {
  const { type, length, offsets, data, children } = column;
  if (offsets === null) return column;
  const first = offsets[0] ?? 0;
  const last = offsets[length] ?? first;
  if (last - first > MAX_NARROW_OFFSET) {
    const message = `A row of more than ${MAX_NARROW_OFFSET} bytes of text cannot be looked at`;
    throw new OverflowError(message, row, last - first);
  }
  const narrow = narrowOffsets(offsets, length);
  if (type.kind === "string") {
    return { ...column, offsets: narrow, data: data.subarray(first, last) };
  }
  const items = children.map((child) => narrowColumn(sliceColumn(child, first, last), row));
  return { ...column, offsets: narrow, children: items };
}
