/**
 * Gathers the text of selected rows.
 *
 * A first pass computes sizes, whose running sum is the offsets of the result; a second pass
 * copies. Two things make the copy fast. It moves whole words, and writes beyond a row where the
 * next row will overwrite it. If the source exceeds the cache, it touches the first bytes of a
 * block of rows before it copies any of them, so that the cache misses overlap.
 *
 * @module
 */

import type { Offsets } from "./column.ts";
import { isWide, MAX_NARROW_OFFSET } from "./offsets.ts";

/** Offsets and text of a string column. */
interface Text {
  readonly offsets: Offsets;
  readonly data: Uint8Array;
}

/** The bytes after the text that a copy of whole words may read and write. */
const SLACK = 16;
/** From this many bytes on, V8's own copy is faster; the limit depends on the width of offsets. */
const LONG = 128;
const LONG_WIDE = 32;
/** The number of rows that are touched ahead. */
const BLOCK = 512;
/** A larger source is touched; about the size of a second-level cache. */
const CACHE_BYTES = 1 << 20;

/** Returns the text of each row of `selection`, empty if the row is -1. */
export function gatherText(source: Text, selection: Int32Array): Text {
  if (isWide(source.offsets)) return gatherWideText(source, selection);
  const numRows = selection.length;
  const starts = new Int32Array(numRows);
  const offsets = new Int32Array(numRows + 1);
  const dataBytes = placeRows(source.offsets, selection, starts, offsets);
  if (dataBytes > MAX_NARROW_OFFSET) return gatherWideText(source, selection);
  const data = new Uint8Array(dataBytes + SLACK);
  if (source.data.byteLength > CACHE_BYTES) {
    for (let start = 0; start < numRows; start += BLOCK) {
      const stop = Math.min(start + BLOCK, numRows);
      touched = touch(source.data, starts, start, stop);
      copyRows(source.data, starts, data, offsets, start, stop);
    }
  } else {
    copyRows(source.data, starts, data, offsets, 0, numRows);
  }
  return { offsets, data: data.subarray(0, dataBytes) };
}

/**
 * The sum of touched bytes: never read, but exported, so that the compiler cannot drop the reads.
 */
export let touched = 0;

/**
 * Writes the start of each row's text in the source, and the offsets in the result; returns the
 * bytes of the result.
 */
export function placeRows(
  sourceOffsets: Int32Array,
  selection: Int32Array,
  starts: Int32Array,
  offsets: Int32Array,
): number {
  let position = 0;
  for (let i = 0; i < selection.length; i++) {
    const row = selection[i]!;
    const present = ~(row >> 31);
    const start = sourceOffsets[row & present]!;
    starts[i] = start;
    position += (sourceOffsets[(row & present) + 1]! - start) & present;
    offsets[i + 1] = position;
  }
  return position;
}

function touch(data: Uint8Array, starts: Int32Array, start: number, stop: number): number {
  let sum = 0;
  const last = data.length - 1;
  for (let i = start; i < stop; i++) sum += data[Math.min(starts[i]!, last)]!;
  return sum;
}

/** Copies the text of the rows [start, stop). */
function copyRows(
  source: Uint8Array,
  starts: Int32Array,
  target: Uint8Array,
  offsets: Int32Array,
  start: number,
  stop: number,
): void {
  const read = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const write = new DataView(target.buffer, target.byteOffset, target.byteLength);
  const sourceBytes = source.length;
  for (let i = start; i < stop; i++) {
    let from = starts[i]!;
    let to = offsets[i]!;
    const toStop = offsets[i + 1]!;
    const fromStop = from + toStop - to;
    if (fromStop + SLACK > sourceBytes) {
      // Too close to the end of the source to read whole words.
      for (; from < fromStop; from++, to++) target[to] = source[from]!;
    } else if (toStop - to >= LONG) {
      target.set(source.subarray(from, fromStop), to);
    } else {
      // Copy 16 bytes without a test: most text ends there, and a branch on its size would be
      // mispredicted.
      do {
        write.setBigInt64(to, read.getBigInt64(from, true), true);
        write.setBigInt64(to + 8, read.getBigInt64(from + 8, true), true);
        from += 16;
        to += 16;
      } while (to < toStop);
    }
  }
}

// The same for 64-bit offsets, in the source or the result. It is separate, since code that has met
// both widths is slower for each: text below the threshold must not pay for text above it.

function gatherWideText(source: Text, selection: Int32Array): Text {
  const numRows = selection.length;
  const starts = new Float64Array(numRows);
  const offsets = new Float64Array(numRows + 1);
  const dataBytes = placeWideRows(source.offsets, selection, starts, offsets);
  const data = new Uint8Array(dataBytes);
  for (let start = 0; start < numRows; start += BLOCK) {
    const stop = Math.min(start + BLOCK, numRows);
    touched = touchWide(source.data, starts, start, stop);
    copyWideRows(source.data, starts, data, offsets, start, stop);
  }
  return { offsets: dataBytes > MAX_NARROW_OFFSET ? offsets : Int32Array.from(offsets), data };
}

function placeWideRows(
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

function touchWide(data: Uint8Array, starts: Float64Array, start: number, stop: number): number {
  let sum = 0;
  const last = data.length - 1;
  for (let i = start; i < stop; i++) sum += data[Math.min(starts[i]!, last)]!;
  return sum;
}

function copyWideRows(
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
    if (size >= LONG_WIDE) target.set(source.subarray(from, from + size), to);
    else for (let k = 0; k < size; k++) target[to + k] = source[from + k]!;
  }
}
