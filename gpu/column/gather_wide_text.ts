/**
 * Text at the rows of a selection where positions have 64 bits, in the source or in the result.
 *
 * This is apart from `gather_string.ts` because code that has met both widths is slower for each:
 * text below the threshold shall not pay for what lies above it.
 *
 * @module
 */

import type { Offsets } from "./column.ts";
import type { Text } from "./gather_text.ts";
import { MAX_NARROW_OFFSET } from "./offsets.ts";

/** Text of this many bytes and more is left to the engine's own copy. */
const LONG = 32;
/** Rows that are touched ahead of their copies, so that the misses of the cache overlap. */
const BLOCK = 512;

/** The text at each row of `selection`, empty where the row is -1. */
export function gatherWideText(source: Text, selection: Int32Array): Text {
  const numRows = selection.length;
  const starts = new Float64Array(numRows);
  const offsets = new Float64Array(numRows + 1);
  const dataBytes = placeRows(source.offsets, selection, starts, offsets);
  const data = new Uint8Array(dataBytes);
  for (let start = 0; start < numRows; start += BLOCK) {
    const stop = Math.min(start + BLOCK, numRows);
    touched = touch(source.data, starts, start, stop);
    copyRows(source.data, starts, data, offsets, start, stop);
  }
  return { offsets: dataBytes > MAX_NARROW_OFFSET ? offsets : Int32Array.from(offsets), data };
}

/** Where the sums of touched bytes go; unread, but the compiler cannot know. */
export let touched = 0;

/**
 * Writes where the text of each row starts in the source and in the result; returns the bytes of
 * the result.
 */
function placeRows(
  sourceOffsets: Offsets,
  selection: Int32Array,
  starts: Float64Array,
  offsets: Float64Array,
): number {
  let position = 0;
  for (let i = 0; i < selection.length; i++) {
    const row = selection[i]!;
    if (row >= 0) {
      const start = sourceOffsets[row]!;
      starts[i] = start;
      position += sourceOffsets[row + 1]! - start;
    }
    offsets[i + 1] = position;
  }
  return position;
}

function touch(data: Uint8Array, starts: Float64Array, start: number, stop: number): number {
  let sum = 0;
  const last = data.length - 1;
  for (let i = start; i < stop; i++) sum += data[Math.min(starts[i]!, last)]!;
  return sum;
}

/** Copies the text of the rows [start, stop). */
function copyRows(
  source: Uint8Array,
  starts: Float64Array,
  target: Uint8Array,
  offsets: Float64Array,
  start: number,
  stop: number,
): void {
  for (let i = start; i < stop; i++) {
    const from = starts[i]!;
    const to = offsets[i]!;
    const size = offsets[i + 1]! - to;
    if (size >= LONG) target.set(source.subarray(from, from + size), to);
    else for (let k = 0; k < size; k++) target[to + k] = source[from + k]!;
  }
}
