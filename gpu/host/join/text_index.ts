/**
 * The index of text keys that have no packed form: a hash table of the 32-bit hashes, whose
 * matches are then compared byte by byte.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { bitAt } from "../../column/bitmap.ts";
import { CACHE_BYTES, chooseSlots, mostSteps, randomOdd } from "./hash_table.ts";
import type { BuiltIndex, KeyIndex } from "./key_index.ts";
import { BLOCK_ROWS, type TextView, textView } from "../../key/key_words.ts";

/** The factor of the hash in the first attempt. */
const FIRST_FACTOR = 0x9e3779b1 | 0;

/** A table: each slot is a hash, and the row + 1; 0 in an empty slot. */
interface TextTable {
  readonly slots: Int32Array;
  /** 32 less the binary logarithm of the number of slots. */
  readonly hashShift: number;
  readonly factor: number;
}

/** Builds the table of the build side's keys, and the index that looks into it. */
export function buildTextIndex(key: HostColumn): BuiltIndex {
  const text = textView(key);
  const firstRows = new Int32Array(key.length);
  const numSlots = chooseSlots(key.length - key.nullCount, 8);
  const hashShift = 32 - Math.log2(numSlots);
  let factor = FIRST_FACTOR;
  for (let attempt = 1;; attempt++) {
    const table = { slots: new Int32Array(2 * numSlots), hashShift, factor };
    if (insertRows(table, text, key, firstRows, mostSteps(key.length, attempt))) {
      return { index: new TextIndex(table, text), firstRows };
    }
    factor = randomOdd();
  }
}

/** Puts every key that is not null into an empty table; false where that takes too many steps. */
function insertRows(
  table: TextTable,
  text: TextView,
  { length, validity }: HostColumn,
  firstRows: Int32Array,
  most: number,
): boolean {
  const { slots, factor } = table;
  const mask = slots.length - 1;
  let steps = 0;
  for (let row = 0; row < length; row++) {
    if (validity !== null && bitAt(validity, row) === 0) {
      firstRows[row] = -1;
      continue;
    }
    const hash = hashRow(text, row, factor);
    const own = firstSlot(table, hash);
    let slot = findHash(table, hash, own);
    while (slots[slot + 1] !== 0 && !equalRows(text, slots[slot + 1]! - 1, text, row)) {
      slot = findHash(table, hash, (slot + 2) & mask);
    }
    if (slots[slot + 1] === 0) {
      slots[slot] = hash;
      slots[slot + 1] = row + 1;
      steps += ((slot - own) & mask) >> 1;
      if (steps > most) return false;
    }
    firstRows[row] = slots[slot + 1]! - 1;
  }
  return true;
}

/** Hash of the text of one row: its size, its words, and its last four bytes as a word. */
function hashRow({ offsets, view }: TextView, row: number, factor: number): number {
  let at = offsets[row]!;
  const stop = offsets[row + 1]!;
  let hash = stop - at;
  if (stop - at < 4) {
    for (; at < stop; at++) hash = mix(hash, view.getUint8(at), factor);
    return hash;
  }
  for (; at + 4 < stop; at += 4) hash = mix(hash, view.getInt32(at, true), factor);
  return mix(hash, view.getInt32(stop - 4, true), factor);
}

function mix(hash: number, word: number, factor: number): number {
  const product = Math.imul(hash ^ word, factor);
  return product ^ (product >>> 15);
}

/** Whether two rows hold the same bytes. */
function equalRows(
  left: TextView,
  leftRow: number,
  right: TextView,
  rightRow: number,
): boolean {
  let from = left.offsets[leftRow]!;
  let to = right.offsets[rightRow]!;
  const stop = left.offsets[leftRow + 1]!;
  if (stop - from !== right.offsets[rightRow + 1]! - to) return false;
  for (; from + 4 <= stop; from += 4, to += 4) {
    if (left.view.getInt32(from, true) !== right.view.getInt32(to, true)) return false;
  }
  for (; from < stop; from++, to++) {
    if (left.view.getUint8(from) !== right.view.getUint8(to)) return false;
  }
  return true;
}

class TextIndex implements KeyIndex {
  readonly #table: TextTable;
  readonly #text: TextView;
  readonly #hashes = new Int32Array(BLOCK_ROWS);
  /** For each row of the block, the slot that its hash was found in. */
  readonly #slots = new Int32Array(BLOCK_ROWS);
  readonly #touchesAhead: boolean;
  /** Sum of what was touched; unread, but the compiler cannot know. */
  touched = 0;

  constructor(table: TextTable, text: TextView) {
    this.#table = table;
    this.#text = text;
    this.#touchesAhead = table.slots.byteLength > CACHE_BYTES;
  }

  /** Finds hashes first and compares text later, so that cache misses of either kind overlap. */
  find(key: HostColumn, firstRows: Int32Array): void {
    const text = textView(key);
    for (let start = 0; start < key.length; start += BLOCK_ROWS) {
      const stop = Math.min(start + BLOCK_ROWS, key.length);
      hashRows(text, start, stop, this.#table.factor, this.#hashes);
      if (this.#touchesAhead) {
        this.touched = touchSlots(this.#table, this.#hashes, stop - start);
      }
      for (let row = start; row < stop; row++) {
        const i = row - start;
        const slot = findHash(
          this.#table,
          this.#hashes[i]!,
          firstSlot(this.#table, this.#hashes[i]!),
        );
        this.#slots[i] = slot;
        firstRows[row] = this.#table.slots[slot + 1]! - 1;
      }
      if (this.#touchesAhead) this.touched = touchText(this.#text, firstRows, start, stop);
      this.#compareBlock(text, start, stop, firstRows);
    }
  }

  /** Keeps the rows whose text is equal, and looks on for the others. */
  #compareBlock(text: TextView, start: number, stop: number, firstRows: Int32Array): void {
    const { slots } = this.#table;
    const mask = slots.length - 1;
    for (let row = start; row < stop; row++) {
      let found = firstRows[row]!;
      if (found < 0 || equalRows(this.#text, found, text, row)) continue;
      let slot = this.#slots[row - start]!;
      do {
        slot = findHash(this.#table, this.#hashes[row - start]!, (slot + 2) & mask);
        found = slots[slot + 1]! - 1;
      } while (found >= 0 && !equalRows(this.#text, found, text, row));
      firstRows[row] = found;
    }
  }
}

function hashRows(
  text: TextView,
  start: number,
  stop: number,
  factor: number,
  hashes: Int32Array,
): void {
  for (let row = start; row < stop; row++) hashes[row - start] = hashRow(text, row, factor);
}

/** The slot that a hash belongs in. */
function firstSlot({ hashShift }: TextTable, hash: number): number {
  return (hash >>> hashShift) << 1;
}

/** The first slot from `slot` on that is empty or holds the hash. */
function findHash({ slots }: TextTable, hash: number, slot: number): number {
  const mask = slots.length - 1;
  while (slots[slot + 1] !== 0 && slots[slot] !== hash) slot = (slot + 2) & mask;
  return slot;
}

/** Reads the slot of each hash and nothing else. */
function touchSlots(table: TextTable, hashes: Int32Array, numRows: number): number {
  let sum = 0;
  for (let i = 0; i < numRows; i++) sum |= table.slots[firstSlot(table, hashes[i]!)]!;
  return sum;
}

/** Reads the first byte of the text of each row that is not -1, and nothing else. */
function touchText(
  { offsets, data }: TextView,
  rows: Int32Array,
  start: number,
  stop: number,
): number {
  let sum = 0;
  for (let i = start; i < stop; i++) sum |= data[offsets[rows[i]! & ~(rows[i]! >> 31)]!]!;
  return sum;
}
