/**
 * Checks whether the text of a column is valid UTF-8, block by block in WebAssembly.
 *
 * @module
 */

import type { HostColumn } from "./column.ts";
import { isWide } from "./offsets.ts";
import { BLOCK_BYTES, BLOCK_ROWS, type Utf8Block, utf8Block } from "./utf8_kernel.ts";

/** From this many bytes of text on, copying into blocks pays. */
const MIN_BYTES = 2048;

/**
 * Whether all text of a column is valid UTF-8 and each row begins with a character. Also false
 * where that is undecided: the text below nulls may be anything, so the caller must then check rows
 * one by one.
 */
export function isUtf8Text({ data, offsets, length }: HostColumn): boolean {
  if (offsets === null || isWide(offsets)) return false;
  const start = offsets[0] ?? 0;
  const end = offsets[length] ?? start;
  if (end - start < MIN_BYTES || start < 0 || end > data.length) return false;
  const block = utf8Block();
  if (block === null) return false;
  let row = 0;
  for (let first = start; first < end;) {
    const stop = endOfBlock(data, first, end);
    const next = rowFrom(offsets, row, length, stop);
    if (!block.isUtf8(data.subarray(first, stop))) return false;
    if (!areStarts(block, offsets, [row, next], first)) return false;
    first = stop;
    row = next;
  }
  // The remaining rows must be empty.
  return offsets.subarray(row, length).every((offset) => offset === end);
}

/**
 * Whether each row of a column of valid UTF-8 begins with a character, and not before the previous
 * row.
 */
export function startWithCharacters({ data, offsets, length }: HostColumn): boolean {
  if (offsets === null) return false;
  let last = offsets[0] ?? 0;
  const end = offsets[length] ?? last;
  if (last < 0 || end > data.length) return false;
  for (let row = 0; row < length; row++) {
    const start = offsets[row]!;
    if (start < last || start > end) return false;
    // Any byte may follow the text.
    if (start < end && (data[start]! & 0xc0) === 0x80) return false;
    last = start;
  }
  return true;
}

/** Returns the end of a block, which is not inside a character unless the text is invalid there. */
function endOfBlock(data: Uint8Array, first: number, end: number): number {
  const stop = first + BLOCK_BYTES;
  if (stop >= end) return end;
  for (let at = stop; at > stop - 4; at--) {
    if ((data[at]! & 0xc0) !== 0x80) return at;
  }
  return stop;
}

/** Returns the first row from `row` on that begins at `place` or later; offsets ascend. */
function rowFrom(offsets: Int32Array, row: number, length: number, place: number): number {
  let low = row;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the rows [row, next) begin with characters, in ascending order. */
function areStarts(
  block: Utf8Block,
  offsets: Int32Array,
  [row, next]: readonly [row: number, next: number],
  first: number,
): boolean {
  for (let start = row; start < next; start += BLOCK_ROWS) {
    const stop = Math.min(start + BLOCK_ROWS, next);
    if (!block.startsApart(offsets.subarray(start, stop + 1), first)) return false;
  }
  return true;
}
