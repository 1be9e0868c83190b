/**
 * Memory that threads can share. What is large is made there at once; the rest is copied when it is
 * shared.
 *
 * @module
 */

import type { Offsets } from "../../column/column.ts";

/** Words from which on they are made in shared memory. */
const LARGE_WORDS = 1 << 18;

const canShare = typeof SharedArrayBuffer !== "undefined";

/** Words that are zeros. */
export function newWords(length: number): Int32Array {
  return canShare && length >= LARGE_WORDS
    ? new Int32Array(new SharedArrayBuffer(4 * length))
    : new Int32Array(length);
}

/** The words in shared memory: the same ones if they are there already. */
export function sharedWords(words: Int32Array): Int32Array {
  if (isShared(words)) return words;
  const copy = new Int32Array(new SharedArrayBuffer(words.byteLength));
  copy.set(words);
  return copy;
}

/** Bytes in shared memory. */
export function sharedBytes(bytes: Uint8Array): Uint8Array {
  if (isShared(bytes)) return bytes;
  // Copies into shared memory are fast only where both begin at the same place in a word.
  const shift = bytes.byteOffset & 7;
  const copy = new Uint8Array(new SharedArrayBuffer(shift + bytes.length), shift);
  copy.set(bytes);
  return copy;
}

/** Offsets in shared memory. */
export function sharedOffsets(offsets: Offsets): Offsets {
  if (isShared(offsets)) return offsets;
  if (offsets instanceof Int32Array) return sharedWords(offsets);
  const copy = new Float64Array(new SharedArrayBuffer(offsets.byteLength));
  copy.set(offsets);
  return copy;
}

function isShared({ buffer }: { readonly buffer: ArrayBufferLike }): boolean {
  return canShare && buffer instanceof SharedArrayBuffer;
}
