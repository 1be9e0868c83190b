/**
 * The hash that divides rows into partitions: 32-bit MurmurHash3 (Appleby, 2011) of the bytes of a
 * key. An integer of any width is hashed as a 64-bit integer.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import { type HostColumn, type Offsets, viewAs } from "../column/column.ts";
import { intsIn, type NarrowInts } from "../column/numbers.ts";

/**
 * Returns the hash of each row of a key. Equal keys have equal hashes under the same seed, also
 * integers of different widths. Null rows have the hash of no bytes. All bits are mixed, so that
 * any of them can choose a partition; rows that share a partition under one seed spread under
 * another.
 */
export function hashKeys(key: HostColumn, seed: number): Uint32Array {
  const { type, length, validity, nullCount, data } = key;
  const hashes = new Int32Array(length);
  switch (type.kind) {
    case "string":
      hashTexts(data, key.offsets!, seed, hashes);
      break;
    case "int":
      if (type.bits === 64) hashWords(viewAs(Int32Array, data), seed, hashes);
      else hashInts(intsIn(type, data), seed, hashes);
      break;
    default:
      throw new TypeError(`Cannot hash ${type.kind} keys`);
  }
  if (nullCount > 0 && validity !== null) {
    const ofNull = finish(seed, 0);
    for (let row = 0; row < length; row++) if (bitAt(validity, row) === 0) hashes[row] = ofNull;
  }
  return new Uint32Array(hashes.buffer);
}

function hashInts(values: NarrowInts, seed: number, hashes: Int32Array): void {
  for (let row = 0; row < hashes.length; row++) {
    const value = values[row]!;
    hashes[row] = hashWordPair(value, value < 0 ? -1 : 0, seed);
  }
}

function hashWords(words: Int32Array, seed: number, hashes: Int32Array): void {
  for (let row = 0; row < hashes.length; row++) {
    hashes[row] = hashWordPair(words[2 * row]!, words[2 * row + 1]!, seed);
  }
}

function hashTexts(data: Uint8Array, offsets: Offsets, seed: number, hashes: Int32Array): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let row = 0; row < hashes.length; row++) {
    hashes[row] = hashBytes(view, offsets[row]!, offsets[row + 1]!, seed);
  }
}

/** Returns the hash of a 64-bit integer, as a signed number. */
export function hashWordPair(low: number, high: number, seed: number): number {
  return finish(mixWord(mixWord(seed, low), high), 8);
}

/** Returns the hash of the bytes [start, stop). */
function hashBytes(view: DataView, start: number, stop: number, seed: number): number {
  let hash = seed;
  let at = start;
  for (; at + 4 <= stop; at += 4) hash = mixWord(hash, view.getInt32(at, true));
  if (at < stop) {
    let word = 0;
    for (let byte = stop - 1; byte >= at; byte--) word = (word << 8) | view.getUint8(byte);
    hash ^= scramble(word);
  }
  return finish(hash, stop - start);
}

function mixWord(hash: number, word: number): number {
  const mixed = hash ^ scramble(word);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe654_6b64) | 0;
}

function scramble(word: number): number {
  const product = Math.imul(word, 0xcc9e_2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b87_3593);
}

function finish(hash: number, numBytes: number): number {
  let mixed = hash ^ numBytes;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}
