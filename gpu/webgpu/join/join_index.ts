/**
 * The index of a join, built on the host in the order of the build side, so that it is always the
 * same, and laid out for `join_hash.wgsl`:
 *
 *     [slots: number of the key + 1, or 0; a power of two, at most half of them taken]
 *     [keys: one or two words each; text: (word offset, bytes) each]
 *     [text of the keys, each padded with zeros to whole words]
 *
 * Keys are numbered in the order in which they first occur. Collisions go to the next slot. Null is
 * one more key where nulls are equal, which has no slot.
 *
 * @module
 */

import type { KeyType } from "../../backend.ts";
import { type HostColumn, isNull } from "../../column/column.ts";
import { BLOCK_ROWS, readIntKeys } from "../../key/key_words.ts";
import { hashInt32, hashInt64, hashText } from "./join_hash.ts";

/** An index in one array, and where its parts begin. */
export interface JoinIndex {
  readonly words: Uint32Array;
  /** Number of slots less one. */
  readonly slotMask: number;
  readonly keysWord: number;
  readonly textWord: number;
  readonly numKeys: number;
  /** Number of the null key + 1; 0 where there is none. */
  readonly nullNumber: number;
  /** Where the rows of each key begin in `rows`; one more for the end. */
  readonly keyStarts: Uint32Array;
  /** Rows of the build side with a key, grouped by key, each group in build order. */
  readonly rows: Uint32Array;
  /** Number of the key of each row + 1; 0 where it has none. */
  readonly numbers: Uint32Array;
}

/** The different keys of a column. */
interface Keys {
  readonly slots: Uint32Array;
  /** Number of the key of each row; -1 for null. */
  readonly keyOfRow: Int32Array;
  readonly numKeys: number;
  /** Words of all keys, one after the other. */
  readonly words: Int32Array;
  readonly text: Int32Array;
}

/** Builds the index of a key column. */
export function buildJoinIndex(key: HostColumn, keyType: KeyType, nullsEqual: boolean): JoinIndex {
  const keys = keyType.kind === "string"
    ? numberTexts(key)
    : numberInts(key, keyType.bits === 64 ? 2 : 1);
  const { slots, keyOfRow } = keys;
  const hasNullKey = nullsEqual && key.nullCount > 0;
  if (hasNullKey) {
    keyOfRow.forEach((number, row) => {
      if (number < 0) keyOfRow[row] = keys.numKeys;
    });
  }
  const numKeys = keys.numKeys + (hasNullKey ? 1 : 0);
  const keyStarts = new Uint32Array(numKeys + 1);
  const rows = groupRows(keyOfRow, keyStarts);
  const keysWord = slots.length;
  const textWord = keysWord + keys.words.length;
  const words = new Uint32Array(textWord + keys.text.length);
  words.set(slots);
  words.set(keys.words, keysWord);
  words.set(keys.text, textWord);
  return {
    ...{ words, slotMask: slots.length - 1, keysWord, textWord },
    ...{ numKeys, nullNumber: hasNullKey ? numKeys : 0, keyStarts, rows },
    numbers: Uint32Array.from(keyOfRow, (number) => number + 1),
  };
}

/** Fills `keyStarts` and returns the rows by key: a counting sort, which keeps the order. */
function groupRows(keyOfRow: Int32Array, keyStarts: Uint32Array): Uint32Array {
  const numKeys = keyStarts.length - 1;
  for (const number of keyOfRow) if (number >= 0) keyStarts[number + 1]!++;
  for (let k = 1; k <= numKeys; k++) keyStarts[k]! += keyStarts[k - 1]!;
  const rows = new Uint32Array(keyStarts[numKeys]!);
  const next = keyStarts.slice();
  keyOfRow.forEach((number, row) => {
    if (number >= 0) rows[next[number]!++] = row;
  });
  return rows;
}

function emptySlots(numRows: number): Uint32Array {
  let size = 2;
  while (size < 2 * numRows) size *= 2;
  return new Uint32Array(size);
}

function numberInts(key: HostColumn, width: 1 | 2): Keys {
  const slots = emptySlots(key.length);
  const mask = slots.length - 1;
  const keyOfRow = new Int32Array(key.length).fill(-1);
  const words = new Int32Array(key.length * width);
  let numKeys = 0;
  const read = readIntKeys(key, width);
  for (let start = 0; start < key.length; start += BLOCK_ROWS) {
    const stop = Math.min(start + BLOCK_ROWS, key.length);
    const block = read(start, stop);
    for (let row = start, at = block.at; row < stop; row++, at += width) {
      if (isNull(key, row)) continue;
      const low = block.words[at]!;
      const high = width === 2 ? block.words[at + 1]! : 0;
      let slot = (width === 2 ? hashInt64(low, high) : hashInt32(low)) & mask;
      let number = slots[slot]! - 1;
      while (number >= 0) {
        const known = number * width;
        if (words[known] === low && (width === 1 || words[known + 1] === high)) break;
        slot = (slot + 1) & mask;
        number = slots[slot]! - 1;
      }
      if (number < 0) {
        number = numKeys++;
        slots[slot] = number + 1;
        words[number * width] = low;
        if (width === 2) words[number * width + 1] = high;
      }
      keyOfRow[row] = number;
    }
  }
  const none = new Int32Array(0);
  return { slots, keyOfRow, numKeys, words: words.subarray(0, numKeys * width), text: none };
}

function numberTexts(key: HostColumn): Keys {
  const slots = emptySlots(key.length);
  const mask = slots.length - 1;
  const keyOfRow = new Int32Array(key.length).fill(-1);
  const words = new Int32Array(key.length * 2);
  const offsets = key.offsets!;
  const textBytes = offsets[key.length]! - offsets[0]!;
  const text = new Int32Array(Math.ceil(textBytes / 4) + key.length);
  const bytes = new Uint8Array(text.buffer);
  let numKeys = 0;
  let used = 0;
  for (let row = 0; row < key.length; row++) {
    if (isNull(key, row)) continue;
    const start = offsets[row]!;
    const size = offsets[row + 1]! - start;
    const size4 = (size + 3) >> 2;
    // Every row is tried at the end of the known keys; it stays there if it is new.
    if (size4 > 0) text[used + size4 - 1] = 0;
    for (let k = 0; k < size; k++) bytes[4 * used + k] = key.data[start + k]!;
    let slot = hashText(text, used, size) & mask;
    let number = slots[slot]! - 1;
    while (number >= 0 && !sameText(words, number, text, used, size)) {
      slot = (slot + 1) & mask;
      number = slots[slot]! - 1;
    }
    if (number < 0) {
      number = numKeys++;
      slots[slot] = number + 1;
      words[2 * number] = used;
      words[2 * number + 1] = size;
      used += size4;
    }
    keyOfRow[row] = number;
  }
  return {
    slots,
    keyOfRow,
    numKeys,
    words: words.subarray(0, 2 * numKeys),
    text: text.subarray(0, used),
  };
}

function sameText(
  words: Int32Array,
  number: number,
  text: Int32Array,
  tried: number,
  size: number,
): boolean {
  if (words[2 * number + 1] !== size) return false;
  const known = words[2 * number]!;
  for (let k = 0; k < (size + 3) >> 2; k++) {
    if (text[known + k] !== text[tried + k]) return false;
  }
  return true;
}
