/**
 * Packs text of up to 12 bytes into words.
 *
 * @module
 */

import type { KeyBlock, KeyWidth, TextView } from "./key_block.ts";

/** Entry n + 8 keeps the first n bytes of a word: none below 0, all four above 4. */
const KEPT_BYTES = Int32Array.from({ length: 21 }, (_, entry) => {
  const numBytes = entry - 8;
  if (numBytes >= 4) return -1;
  return numBytes <= 0 ? 0 : (1 << (8 * numBytes)) - 1;
});

/** Packs the text of the rows [start, stop) into a block. */
export function packRows(
  { offsets, data, view }: TextView,
  width: KeyWidth,
  start: number,
  stop: number,
  block: KeyBlock,
): void {
  const { words, unpacked } = block;
  // A read of whole words from a later place would exceed the data.
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

/** Packs text that is too close to the end of the data for a read of whole words. */
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
