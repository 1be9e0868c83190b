/**
 * Compacts, checks and concatenates columns of the view layout.
 *
 * @module
 */

import { BrokenPartError } from "../../base/errors/data_error.ts";
import type { Data } from "apache-arrow";

/** Values up to this length are stored inside their view. */
const maxInlineBytes = 12;

/** The views of a column and the buffers that they point into. */
interface ViewBuffers {
  readonly views: Uint8Array;
  readonly dataBuffers: readonly Uint8Array[];
}

/**
 * Returns the views of a column's rows. If these refer to less than half of the data, as in a
 * slice, copies that part into one new buffer. Otherwise keeps the buffers, except empty ones, at
 * which some readers fail.
 */
export function compactViews(column: Data): ViewBuffers {
  const dataBuffers = column.variadicBuffers as readonly Uint8Array[];
  // Slicing has already trimmed the views, whatever the offset says.
  const views = (column.values as Uint8Array).subarray(0, 16 * column.length);
  if (dataBuffers.length === 0 && column.nullCount === 0) return { views, dataBuffers };

  const compact = views.slice();
  const words = new Int32Array(compact.buffer);
  const totalBytes = dataBuffers.reduce((sum, buffer) => sum + buffer.length, 0);
  const usedBytes = clearNullViews(words, column);
  if (usedBytes >= totalBytes / 2 || usedBytes > 2 ** 31 - 1) {
    return { views: compact, dataBuffers: withoutEmpty(words, dataBuffers) };
  }
  const data = new Uint8Array(usedBytes);
  let position = 0;
  for (let i = 0; i < words.length; i += 4) {
    const numBytes = words[i]!;
    if (numBytes <= maxInlineBytes) continue;
    const start = words[i + 3]!;
    data.set(dataBuffers[words[i + 2]!]!.subarray(start, start + numBytes), position);
    words[i + 2] = 0;
    words[i + 3] = position;
    position += numBytes;
  }
  return { views: compact, dataBuffers: usedBytes === 0 ? [] : [data] };
}

/** Returns the non-empty buffers; renumbers the buffer indices of the views in place. */
function withoutEmpty(words: Int32Array, dataBuffers: readonly Uint8Array[]): Uint8Array[] {
  const filled = dataBuffers.filter(({ length }) => length > 0);
  if (filled.length === dataBuffers.length) return filled;
  let next = 0;
  const places = dataBuffers.map(({ length }) => length > 0 ? next++ : 0);
  for (let i = 0; i < words.length; i += 4) {
    if (words[i]! > maxInlineBytes) words[i + 2] = places[words[i + 2]!]!;
  }
  return filled;
}

/** Clears the views of nulls in place; returns the bytes that the other views refer to. */
function clearNullViews(words: Int32Array, { nullCount, nullBitmap, offset }: Data): number {
  let usedBytes = 0;
  for (let i = 0; i < words.length; i += 4) {
    const bit = offset + i / 4;
    const isNull = nullCount > 0 && ((nullBitmap[bit >> 3]! >> (bit & 7)) & 1) === 0;
    if (isNull) words.fill(0, i, i + 4);
    else if (words[i]! > maxInlineBytes) usedBytes += words[i]!;
  }
  return usedBytes;
}

/** Throws if a view points outside its data buffers. The bitmap, if any, begins at bit 0. */
export function checkViews(
  views: Uint8Array,
  dataBuffers: readonly Uint8Array[],
  nullBitmap: Uint8Array | undefined,
): void {
  const words = new Int32Array(views.buffer, views.byteOffset, views.length / 4);
  for (let i = 0; i < words.length; i += 4) {
    const row = i / 4;
    if (nullBitmap !== undefined && ((nullBitmap[row >> 3]! >> (row & 7)) & 1) === 0) continue;
    const numBytes = words[i]!;
    if (numBytes >= 0 && numBytes <= maxInlineBytes) continue;
    const start = words[i + 3]!;
    const available = dataBuffers[words[i + 2]!]?.length ?? -1;
    if (numBytes < 0 || start < 0 || start + numBytes > available) {
      throw new BrokenPartError(`the view of row ${row} points outside its data`);
    }
  }
}

/** Returns the end of the last value in a data buffer that a view refers to. */
export function viewedBytes(
  views: Uint8Array,
  dataBuffer: number,
  nullBitmap: Uint8Array | undefined,
): number {
  const words = new Int32Array(views.buffer, views.byteOffset, views.length / 4);
  let numBytes = 0;
  for (let i = 0; i < words.length; i += 4) {
    const row = i / 4;
    if (nullBitmap !== undefined && ((nullBitmap[row >> 3]! >> (row & 7)) & 1) === 0) continue;
    if (words[i]! <= maxInlineBytes || words[i + 2] !== dataBuffer) continue;
    numBytes = Math.max(numBytes, words[i + 3]! + words[i]!);
  }
  return numBytes;
}

/**
 * Concatenates the views of several columns, and their text into one buffer. Clears views of nulls.
 */
export function concatViews(
  parts: readonly Data[],
  length: number,
): { views: Uint8Array; variadicBuffers: Uint8Array[] } {
  const views = new Uint8Array(16 * length);
  const words = new Int32Array(views.buffer);
  const texts: Uint8Array[] = [];
  let row = 0;
  let position = 0;
  for (const part of parts) {
    const { views: own, dataBuffers } = viewsOf(part);
    views.set(own, 16 * row);
    for (const last = row + part.length; row < last; row++) {
      const numBytes = words[4 * row]!;
      if (numBytes <= maxInlineBytes) continue;
      const start = words[4 * row + 3]!;
      texts.push(dataBuffers[words[4 * row + 2]!]!.subarray(start, start + numBytes));
      words[4 * row + 2] = 0;
      words[4 * row + 3] = position;
      position += numBytes;
    }
  }
  const text = new Uint8Array(position);
  let written = 0;
  for (const bytes of texts) {
    text.set(bytes, written);
    written += bytes.length;
  }
  return { views, variadicBuffers: position === 0 ? [] : [text] };
}

/** Returns a copy of a column's views, nulls cleared, and the buffers that they point into. */
function viewsOf(column: Data): ViewBuffers {
  const views = (column.values as Uint8Array).slice(0, 16 * column.length);
  clearNullViews(new Int32Array(views.buffer), column);
  return { views, dataBuffers: column.variadicBuffers as readonly Uint8Array[] };
}
