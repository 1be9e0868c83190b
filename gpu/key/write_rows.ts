/**
 * Writes values of columns into the bytes of rows, for `key_rows.ts`: plain loops over typed arrays.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import { type Offsets, viewAs } from "../column/column.ts";
import { newOffsets } from "../column/offsets.ts";

/** The bytes after rows and text that `copyText` may read or write. */
export const SLACK = 8;
/** From this many bytes on, the built-in copy is faster. */
const LONG = 64;

/** Bytes and a view of them. */
export interface Bytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Rows of one size. */
export interface EvenRows extends Bytes {
  readonly stride: number;
  readonly length: number;
}

/** The values of one column; nulls count as zeros. */
export interface Values {
  readonly data: Uint8Array;
  /** Null if every row counts. */
  readonly validity: Uint8Array | null;
}

/** The text of one column; nulls count as empty. */
export interface Texts extends Values {
  readonly offsets: Offsets;
}

/** Returns rows of zeros. */
export function newRows(length: number, stride: number): EvenRows {
  return { ...bytesOf(new Uint8Array(length * stride + SLACK)), stride, length };
}

/** Writes values of `width` bytes each to byte `at` of every row. */
export function writeValues(
  rows: EvenRows,
  { data, validity }: Values,
  width: number,
  at: number,
): void {
  if (width === 4) writeWords(rows, viewAs(Int32Array, data), at);
  else if (width % 4 === 0) writeManyWords(rows, viewAs(Int32Array, data), width / 4, at);
  else if (width === 2) writeHalves(rows, viewAs(Int16Array, data), at);
  else writeBytes(rows, data, width, at);
  if (validity === null) return;
  const { bytes, stride, length } = rows;
  for (let row = 0, to = at; row < length; row++, to += stride) {
    if (bitAt(validity, row) === 0) { for (let i = 0; i < width; i++) bytes[to + i] = 0; }
  }
}

function writeWords({ view, stride, length }: EvenRows, words: Int32Array, at: number): void {
  for (let row = 0, to = at; row < length; row++, to += stride) {
    view.setInt32(to, words[row]!, true);
  }
}

function writeManyWords(
  { view, stride, length }: EvenRows,
  words: Int32Array,
  each: number,
  at: number,
): void {
  for (let row = 0, from = 0; row < length; row++) {
    const start = row * stride + at;
    const stop = start + 4 * each;
    for (let to = start; to < stop; to += 4) view.setInt32(to, words[from++]!, true);
  }
}

function writeHalves({ view, stride, length }: EvenRows, halves: Int16Array, at: number): void {
  for (let row = 0, to = at; row < length; row++, to += stride) {
    view.setInt16(to, halves[row]!, true);
  }
}

function writeBytes(
  { bytes, stride, length }: EvenRows,
  data: Uint8Array,
  width: number,
  at: number,
): void {
  for (let row = 0, to = at, from = 0; row < length; row++, to += stride) {
    for (let i = 0; i < width; i++) bytes[to + i] = data[from++]!;
  }
}

/** Sets bit `bit` of byte `at` in the rows where both bitmaps have a 1; null is a bitmap of ones. */
export function writeBit(
  { bytes, stride, length }: EvenRows,
  data: Uint8Array | null,
  validity: Uint8Array | null,
  at: number,
  bit: number,
): void {
  for (let first = 0, to = at; first < length; first += 8) {
    const byte = first >> 3;
    const bits = (data === null ? 0xff : data[byte]!) &
      (validity === null ? 0xff : validity[byte]!);
    const stop = Math.min(8, length - first);
    for (let i = 0; i < stop; i++, to += stride) bytes[to]! |= ((bits >> i) & 1) << bit;
  }
}

/** The text of one column, ready to be copied. */
interface TextSource extends Texts, Bytes {}

/**
 * Returns rows of different sizes: the bytes of a row, then its texts, of which the first
 * `numSizes` follow their sizes.
 */
export function joinTexts(
  heads: EvenRows,
  texts: readonly Texts[],
  numSizes: number,
): { offsets: Offsets; data: Uint8Array } {
  const { length, stride } = heads;
  const sources = texts.map((text): TextSource => ({
    ...text,
    ...bytesOf(text.data),
  }));
  const most = texts.reduce(
    (sum, { offsets }) => sum + offsets[length]! - offsets[0]!,
    length * (stride + 4 * numSizes),
  );
  const offsets = newOffsets(length, most);
  const target = newRows(1, most);
  const { view } = target;
  let at = 0;
  for (let row = 0; row < length; row++) {
    // A copy overwrites the bytes after it, which are written next.
    for (let i = 0; i < stride; i += 8) {
      view.setBigInt64(at + i, heads.view.getBigInt64(row * stride + i, true), true);
    }
    at += stride;
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i]!;
      const { validity } = source;
      const start = source.offsets[row]!;
      const isPresent = validity === null || bitAt(validity, row) === 1;
      const size = isPresent ? source.offsets[row + 1]! - start : 0;
      if (i < numSizes) {
        view.setInt32(at, size, true);
        at += 4;
      }
      copyText(source, start, size, target, at);
      at += size;
    }
    offsets[row + 1] = at;
  }
  return { offsets, data: target.bytes.subarray(0, at) };
}

/** Returns bytes with a view. */
export function bytesOf(bytes: Uint8Array): Bytes {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/**
 * Copies `size` bytes of a source to byte `at` of a target. May overwrite the `SLACK` bytes after
 * them.
 */
export function copyText(
  source: Bytes,
  start: number,
  size: number,
  target: Bytes,
  at: number,
): void {
  if (size >= LONG) {
    target.bytes.set(source.bytes.subarray(start, start + size), at);
  } else if (start + size + SLACK > source.bytes.length) {
    // Too close to the end of the source to read 8 bytes at a time.
    for (let i = 0; i < size; i++) target.bytes[at + i] = source.bytes[start + i]!;
  } else {
    for (let i = 0; i < size; i += 8) {
      target.view.setBigInt64(at + i, source.view.getBigInt64(start + i, true), true);
    }
  }
}
