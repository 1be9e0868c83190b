/**
 * The keys of a probe batch in shared memory.
 *
 * @module
 */

import { bitmapBytes } from "../../../column/bitmap.ts";
import { type HostColumn, stringDataBytes } from "../../../column/column.ts";
import { BLOCK_ROWS, readIntKeys } from "../../../key/key_words.ts";
import type { SharedIndex } from "../key_index.ts";
import type { SharedKey } from "./probe_part.ts";

/** Bytes of the keys of one batch at most that threads get. */
const MAX_BYTES = 64 << 20;

/** Keys that go to a thread: how many bytes they take, and what writes them. */
export interface KeyToShare {
  readonly numBytes: number;
  fill(buffer: SharedArrayBuffer): SharedKey;
}

/** The keys as an index wants them; null where threads do not get them. */
export function keyToShare(key: HostColumn, index: SharedIndex): KeyToShare | null {
  const validityBytes = key.nullCount === 0 ? 0 : bitmapBytes(key.length);
  const isText = index.kind === "text" || (index.kind === "hash" && index.ofText);
  if ((key.type.kind === "string") !== isText) return null;
  if (isText) {
    if (!(key.offsets instanceof Int32Array)) return null;
    const textBytes = stringDataBytes(key);
    // Text begins as far into a word as it does now, since only then its copy is fast.
    const numBytes = roundUp(validityBytes) + roundUp(4 * (key.length + 1)) + textBytes + 8;
    if (numBytes > MAX_BYTES) return null;
    return { numBytes, fill: (buffer) => fillText(buffer, key, roundUp(validityBytes), textBytes) };
  }
  const width = index.width as 1 | 2;
  const numBytes = roundUp(validityBytes) + 4 * width * key.length;
  if (numBytes > MAX_BYTES) return null;
  return { numBytes, fill: (buffer) => fillWords(buffer, key, roundUp(validityBytes), width) };
}

function fillWords(
  buffer: SharedArrayBuffer,
  key: HostColumn,
  at: number,
  width: 1 | 2,
): SharedKey {
  const numRows = key.length;
  const words = new Int32Array(buffer, at, width * numRows);
  const read = readIntKeys(key, width);
  for (let start = 0; start < numRows; start += BLOCK_ROWS) {
    const stop = Math.min(start + BLOCK_ROWS, numRows);
    const block = read(start, stop);
    words.set(block.words.subarray(block.at, block.at + (stop - start) * width), start * width);
  }
  return { numRows, words, offsets: null, data: null, validity: fillValidity(buffer, key) };
}

function fillText(
  buffer: SharedArrayBuffer,
  key: HostColumn,
  at: number,
  textBytes: number,
): SharedKey {
  const numRows = key.length;
  const source = key.offsets as Int32Array;
  const first = source[0]!;
  const offsets = new Int32Array(buffer, at, numRows + 1);
  for (let row = 0; row <= numRows; row++) offsets[row] = source[row]! - first;
  const text = key.data.subarray(first, first + textBytes);
  const place = at + roundUp(4 * (numRows + 1)) + (text.byteOffset & 7);
  const data = new Uint8Array(buffer, place, textBytes);
  data.set(text);
  return { numRows, words: null, offsets, data, validity: fillValidity(buffer, key) };
}

function fillValidity(buffer: SharedArrayBuffer, key: HostColumn): Uint8Array | null {
  if (key.nullCount === 0 || key.validity === null) return null;
  const validity = new Uint8Array(buffer, 0, bitmapBytes(key.length));
  validity.set(key.validity.subarray(0, validity.length));
  return validity;
}

function roundUp(size: number): number {
  return Math.ceil(size / 8) * 8;
}
