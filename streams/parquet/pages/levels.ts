/**
 * Levels of a page: which values are null, and which go on with a list.
 *
 * Format: https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE
 *
 * @module
 */

import { PageFactError } from "./page_fact_error.ts";

/** Bits of a level. */
export function levelBits(most: number): number {
  return 32 - Math.clz32(most);
}

/** Decodes levels of runs and packed integers. Throws a PageFactError if there are too few. */
export function hybridLevels(bytes: Uint8Array, most: number, count: number): Uint8Array {
  const width = levelBits(most);
  const levels = new Uint8Array(count);
  let position = 0;
  for (let done = 0; done < count;) {
    let header = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = bytes[position++];
      if (byte === undefined || scale > 2 ** 28) throw tooFew(done, count);
      header += (byte & 127) * scale;
      if (byte < 128) break;
    }
    const length = Math.floor(header / 2);
    if (header % 2 === 0) {
      // One byte, since no file has levels above 255.
      if (position >= bytes.length) throw tooFew(done, count);
      levels.fill(bytes[position++]!, done, done + length);
      done += length;
    } else {
      const packed = bytes.subarray(position, position + length * width);
      const own = Math.min(8 * length, count - done, Math.floor(packed.length * 8 / width));
      unpack(packed, width, levels.subarray(done, done + own));
      position += length * width;
      done += own;
      if (own === 0 && length > 0) throw tooFew(done, count);
    }
    if (length === 0 && position >= bytes.length) throw tooFew(done, count);
  }
  return levels;
}

/** Integers of a few bits each, from the least significant bit of each byte on. */
function unpack(bytes: Uint8Array, width: number, levels: Uint8Array): void {
  const mask = (1 << width) - 1;
  for (let index = 0, bit = 0; index < levels.length; index++, bit += width) {
    const at = bit >>> 3;
    const both = bytes[at]! | (bytes[at + 1] ?? 0) << 8;
    levels[index] = both >>> (bit & 7) & mask;
  }
}

/** Bytes of levels in the old encoding. */
export function oldLevelBytes(most: number, count: number): number {
  return Math.ceil(count * levelBits(most) / 8);
}

/**
 * Decodes levels of the old encoding BIT_PACKED, from the most significant bit of each byte on. Throws a
 * PageFactError if there are too few.
 */
export function oldLevels(bytes: Uint8Array, most: number, count: number): Uint8Array {
  const width = levelBits(most);
  if (bytes.length < oldLevelBytes(most, count)) {
    throw tooFew(Math.floor(8 * bytes.length / width), count);
  }
  const mask = (1 << width) - 1;
  const levels = new Uint8Array(count);
  for (let index = 0, bit = 0; index < count; index++, bit += width) {
    const at = bit >>> 3;
    const both = bytes[at]! << 8 | (bytes[at + 1] ?? 0);
    levels[index] = both >>> (16 - width - (bit & 7)) & mask;
    if (levels[index]! > most) throw new PageFactError(`a page has the level ${levels[index]}`);
  }
  return levels;
}

/** Encodes levels as one run of packed integers. */
export function packedLevels(levels: Uint8Array, most: number): Uint8Array {
  const width = levelBits(most);
  const numGroups = Math.ceil(levels.length / 8);
  const header: number[] = [];
  let rest = 2 * numGroups + 1;
  for (; rest >= 128; rest = Math.floor(rest / 128)) header.push(rest % 128 | 128);
  header.push(rest);
  const bytes = new Uint8Array(header.length + numGroups * width);
  bytes.set(header);
  for (let index = 0, bit = 8 * header.length; index < levels.length; index++, bit += width) {
    const shifted = levels[index]! << (bit & 7);
    bytes[bit >>> 3]! |= shifted & 255;
    if (shifted > 255) bytes[(bit >>> 3) + 1]! |= shifted >>> 8;
  }
  return bytes;
}

/** How many levels are of a value. */
export function countLevels(levels: Uint8Array, value: number): number {
  let count = 0;
  for (const level of levels) if (level === value) count++;
  return count;
}

function tooFew(found: number, count: number): PageFactError {
  return new PageFactError(`a page has ${found} levels, where its header says ${count} values`);
}
