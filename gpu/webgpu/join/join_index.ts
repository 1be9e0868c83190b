/**
 * The index of a join, built on the host in the order of the build side, so that it is always the
 * same, and laid out for `join_hash.wgsl`:
 *
 *     [slots: number of the key + 1, or 0; a power of two, at most half of them taken]
 *     [keyStarts: where the rows of each key begin; one more for the end]
 *     [rows: rows of the build side with a key, grouped by key, each group in build order]
 *     [keys: one or two words each; text: (word offset, bytes) each]
 *     [text of the keys, each padded with zeros to whole words]
 *
 * Keys are numbered in the order in which they first occur. Collisions go to the next slot.
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
  readonly keyStartsWord: number;
  readonly rowsWord: number;
  readonly keysWord: number;
  readonly textWord: number;
  readonly hasDuplicates: boolean;
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
export function buildJoinIndex(key: HostColumn, keyType: KeyType): JoinIndex {
  const keys = keyType.kind === "string"
    ? numberTexts(key)
    : numberInts(key, keyType.bits === 64 ? 2 : 1);
  const { slots, numKeys } = keys;
  const keyStarts = new Uint32Array(numKeys + 1);
  const rows = groupRows(keys, keyStarts);
  const parts = [slots, keyStarts, rows, keys.words, keys.text];
  const starts: number[] = [];
  let size = 0;
  for (const part of parts) {
    starts.push(size);
    size += part.length;
  }
  const words = new Uint32Array(size);
  parts.forEach((part, k) => words.set(part, starts[k]!));
  const [, keyStartsWord, rowsWord, keysWord, textWord] = starts as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    words,
    slotMask: slots.length - 1,
    keyStartsWord,
    rowsWord,
    keysWord,
    textWord,
    hasDuplicates: rows.length > numKeys,
  };
}

/** Fills `keyStarts` and returns the rows by key: a counting sort, which keeps the order. */
function groupRows({ keyOfRow, numKeys }: Keys, keyStarts: Uint32Array): Uint32Array {
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
