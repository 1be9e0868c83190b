/**
 * Reads keys as 32-bit words, a block of rows at a time.
 *
 * An integer key is one word or two (low, high); narrower integers are widened with their own sign.
 * Text of up to 12 bytes is its bytes, padded with zeros to one, two or three words. Padding makes
 * `"a"` and `"a\0"` the same, so text that ends in a zero byte has no packed form.
 *
 * @module
 */

import { type HostColumn, viewAs } from "../column/column.ts";
import { bitAt } from "../column/bitmap.ts";
import { intsIn, type NarrowInts } from "../column/numbers.ts";
import {
  BLOCK_ROWS,
  type KeyBlock,
  type KeyReader,
  type KeyWidth,
  type TextView,
} from "./key_block.ts";
import { packRows } from "./pack_text.ts";

export { BLOCK_ROWS, type KeyBlock, type KeyReader, type KeyWidth, type TextView };

/** Returns a reader of an integer column of at most 32 * width bits. */
export function readIntKeys(column: HostColumn, width: 1 | 2): KeyReader {
  const { type } = column;
  if (type.kind !== "int") throw new TypeError(`Cannot read ${type.kind} keys as integers`);
  if (type.bits > 32 * width) {
    throw new TypeError(`Cannot read keys of ${type.bits} bits as ${32 * width} bits`);
  }
  if (type.bits === 32 * width) return readWords(column, width);
  return width === 1 ? widenTo32(intsIn(type, column.data)) : widenTo64(intsIn(type, column.data));
}

/** Returns a reader of a column whose values already are these words. */
function readWords(column: HostColumn, width: 1 | 2): KeyReader {
  const block = newBlock(viewAs(Int32Array, column.data));
  return (start) => {
    block.at = start * width;
    return block;
  };
}

/** Whether the high word of each key that is not null repeats the sign of the low word. */
export function fitsOneWord(column: HostColumn): boolean {
  const read = readIntKeys(column, 2);
  const { length, validity } = column;
  for (let start = 0; start < length; start += BLOCK_ROWS) {
    const stop = Math.min(start + BLOCK_ROWS, length);
    const { words, at } = read(start, stop);
    for (let row = start, low = at; row < stop; row++, low += 2) {
      if (words[low + 1] === words[low]! >> 31) continue;
      if (validity === null || bitAt(validity, row) !== 0) return false;
    }
  }
  return true;
}

/** Returns a reader of the low words of an integer column. */
export function readLowWords(column: HostColumn): KeyReader {
  const read = readIntKeys(column, 2);
  const block = newBlock(new Int32Array(BLOCK_ROWS));
  return (start, stop) => {
    const { words, at } = read(start, stop);
    for (let row = 0; row < stop - start; row++) block.words[row] = words[at + 2 * row]!;
    return block;
  };
}

function widenTo32(values: NarrowInts): KeyReader {
  const block = newBlock(new Int32Array(BLOCK_ROWS));
  return (start, stop) => {
    for (let row = start; row < stop; row++) block.words[row - start] = values[row]!;
    return block;
  };
}

function widenTo64(values: NarrowInts): KeyReader {
  const block = newBlock(new Int32Array(2 * BLOCK_ROWS));
  return (start, stop) => {
    for (let row = start, at = 0; row < stop; row++, at += 2) {
      const value = values[row]!;
      block.words[at] = value;
      // An unsigned value is never negative, not even above 2^31.
      block.words[at + 1] = value < 0 ? -1 : 0;
    }
    return block;
  };
}

/**
 * Returns the number of words that fit the text of every row that is not null. Null if any text is
 * longer than 12 bytes or ends in a zero byte.
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

/** Returns a reader of a string column as packed text of `width` words. */
export function readTextKeys(column: HostColumn, width: KeyWidth): KeyReader {
  const text = textView(column);
  const block = newBlock(new Int32Array(width * BLOCK_ROWS));
  return (start, stop) => {
    packRows(text, width, start, stop, block);
    return block;
  };
}

/** Returns the text of a string column with a view to read words. */
export function textView(column: HostColumn): TextView {
  const { data, offsets } = column;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return { offsets: offsets!, data, view };
}

function newBlock(words: Int32Array): KeyBlock {
  return { words, at: 0, unpacked: new Int32Array(BLOCK_ROWS), numUnpacked: 0 };
}
