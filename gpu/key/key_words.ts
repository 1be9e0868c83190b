/**
 * Join keys as 32-bit words, a block of rows at a time.
 *
 * An integer key is one word or two (low, high); narrower integers are widened by their own sign.
 * Text of up to 12 bytes is its bytes, padded with zeros to one, two or three words. Padding
 * cannot tell `"a"` from `"a\0"`, so text that ends in a zero byte has no packed form.
 *
 * @module
 */

import { type HostColumn, type Offsets, viewAs } from "../column/column.ts";
import { bitAt } from "../column/bitmap.ts";

/** Words of one key. */
export type KeyWidth = 1 | 2 | 3;

/** Rows of a block: enough to overlap cache misses, few enough to stay in the first-level cache. */
export const BLOCK_ROWS = 512;

/** The keys of a block of rows. The key of the block's row i starts at `words[at + i * width]`. */
export interface KeyBlock {
  readonly words: Int32Array;
  at: number;
  /** Rows of the block whose key has no packed form and so equals no packed key. */
  readonly unpacked: Int32Array;
  numUnpacked: number;
}

/** Reads the keys of the rows [start, stop), at most BLOCK_ROWS; the next call overwrites them. */
export type KeyReader = (start: number, stop: number) => KeyBlock;

/** A reader of an integer column of at most 32 * width bits. */
export function readIntKeys(column: HostColumn, width: 1 | 2): KeyReader {
  const { type } = column;
  if (type.kind !== "int") throw new TypeError(`Cannot read ${type.kind} keys as integers`);
  if (type.bits > 32 * width) {
    throw new TypeError(`Cannot read keys of ${type.bits} bits as ${32 * width} bits`);
  }
  if (type.bits === 32 * width) return readWords(column, width);
  return width === 1
    ? widenTo32(narrowValues(type, column.data))
    : widenTo64(narrowValues(type, column.data));
}

/** The column holds the words as they are. */
function readWords(column: HostColumn, width: 1 | 2): KeyReader {
  const block = newBlock(viewAs(Int32Array, column.data));
  return (start) => {
    block.at = start * width;
    return block;
  };
}

type NarrowValues =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

function narrowValues(
  type: { readonly bits: number; readonly signed: boolean },
  data: Uint8Array,
): NarrowValues {
  switch (type.bits) {
    case 8:
      return type.signed ? viewAs(Int8Array, data) : data;
    case 16:
      return type.signed ? viewAs(Int16Array, data) : viewAs(Uint16Array, data);
    default:
      return type.signed ? viewAs(Int32Array, data) : viewAs(Uint32Array, data);
  }
}

function widenTo32(values: NarrowValues): KeyReader {
  const block = newBlock(new Int32Array(BLOCK_ROWS));
  return (start, stop) => {
    for (let row = start; row < stop; row++) block.words[row - start] = values[row]!;
    return block;
  };
}

function widenTo64(values: NarrowValues): KeyReader {
  const block = newBlock(new Int32Array(2 * BLOCK_ROWS));
  return (start, stop) => {
    for (let row = start, at = 0; row < stop; row++, at += 2) {
      const value = values[row]!;
      block.words[at] = value;
      // An unsigned value is not negative here, not even one above 2^31.
      block.words[at + 1] = value < 0 ? -1 : 0;
    }
    return block;
  };
}

/**
 * Words that the text of every row that is not null fits in: null where some is longer than 12
 * bytes or ends in a zero byte.
 */
export function textKeyWidth(column: HostColumn): KeyWidth | null {
  const offsets = column.offsets!;
  const { data, validity, length } = column;
  let longest = 1;
  for (let row = 0; row < length; row++) {
    if (validity !== null && bitAt(validity, row) === 0) continue;
    const start = offsets[row]!;
    const stop = offsets[row + 1]!;
    if (stop - start > 12 || (stop > start && data[stop - 1] === 0)) return null;
    if (stop - start > longest) longest = stop - start;
  }
  return Math.ceil(longest / 4) as KeyWidth;
}

/** A reader of a string column as packed text of `width` words. */
export function readTextKeys(column: HostColumn, width: KeyWidth): KeyReader {
  const text = textView(column);
  const block = newBlock(new Int32Array(width * BLOCK_ROWS));
  return (start, stop) => {
    packRows(text, width, start, stop, block);
    return block;
  };
}

/** A string column, ready to be read by words. */
export interface TextView {
  readonly offsets: Offsets;
  readonly data: Uint8Array;
  readonly view: DataView;
}

/** The text of a string column. */
export function textView(column: HostColumn): TextView {
  const { data, offsets } = column;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return { offsets: offsets!, data, view };
}

function packRows(
  { offsets, data, view }: TextView,
  width: KeyWidth,
  start: number,
  stop: number,
  block: KeyBlock,
): void {
  const { words, unpacked } = block;
  // From here on a read of whole words would leave the data.
  const lastStart = data.length - 4 * width;
  let numUnpacked = 0;
  for (let row = start, at = 0; row < stop; row++, at += width) {
    const from = offsets[row]!;
    const size = offsets[row + 1]! - from;
    if (size > 4 * width || (size !== 0 && data[from + size - 1] === 0)) {
      unpacked[numUnpacked++] = row - start;
    } else if (from > lastStart) {
      packBytes(data, from, size, words, at, width);
    } else {
      words[at] = view.getInt32(from, true) & KEPT_BYTES[size + 8]!;
      if (width > 1) words[at + 1] = view.getInt32(from + 4, true) & KEPT_BYTES[size + 4]!;
      if (width > 2) words[at + 2] = view.getInt32(from + 8, true) & KEPT_BYTES[size]!;
    }
  }
  block.numUnpacked = numUnpacked;
}

/** Entry n + 8 keeps the first n bytes of a word: none below 0, all four above 4. */
const KEPT_BYTES = Int32Array.from({ length: 21 }, (_, entry) => {
  const numBytes = entry - 8;
  if (numBytes >= 4) return -1;
  return numBytes <= 0 ? 0 : (1 << (8 * numBytes)) - 1;
});

/** Packs text that lies too near to the end of the data for a read of whole words. */
function packBytes(
  data: Uint8Array,
  from: number,
  size: number,
  words: Int32Array,
  at: number,
  width: number,
): void {
  words.fill(0, at, at + width);
  for (let byte = 0; byte < size; byte++) {
    words[at + (byte >> 2)]! |= data[from + byte]! << (8 * (byte & 3));
  }
}

function newBlock(words: Int32Array): KeyBlock {
  return { words, at: 0, unpacked: new Int32Array(BLOCK_ROWS), numUnpacked: 0 };
}
