/**
 * Lookups of text in a hash table of the 32-bit hashes.
 *
 * @module
 */

import { BLOCK_ROWS, type TextView } from "../../key/key_words.ts";

/** A table: each slot is a hash, and the row + 1; 0 in an empty slot. */
export interface TextTable {
  readonly slots: Int32Array;
  /** 32 less the binary logarithm of the number of slots. */
  readonly hashShift: number;
  readonly factor: number;
  /** Whether the slots exceed the cache, so that those of a block are touched ahead. */
  readonly touchesAhead: boolean;
}

/**
 * Makes the functions. Threads take along the source of this one, so nothing in it names anything from
 * outside.
 */
export function makeTextFind(blockRows: number) {
  const hashes = new Int32Array(blockRows);
  /** For each row of the block, the slot that its hash was found in. */
  const foundSlots = new Int32Array(blockRows);
  /** Sum of what was touched; unread, but the compiler cannot know. */
  let touched = 0;

  /**
   * The first row of `own` with each of `numRows` texts, or -1. Finds the hashes of a block first and
   * compares text later, so that cache misses of either kind overlap.
   */
  function findTexts(
    table: TextTable,
    own: TextView,
    text: TextView,
    numRows: number,
    firstRows: Int32Array,
  ): void {
    const { slots, factor, touchesAhead } = table;
    for (let start = 0; start < numRows; start += blockRows) {
      const stop = Math.min(start + blockRows, numRows);
      for (let row = start; row < stop; row++) hashes[row - start] = hashRow(text, row, factor);
      if (touchesAhead) touched |= touchSlots(table, stop - start);
      for (let row = start; row < stop; row++) {
        const hash = hashes[row - start]!;
        const slot = findHash(table, hash, firstSlot(table, hash));
        foundSlots[row - start] = slot;
        firstRows[row] = slots[slot + 1]! - 1;
      }
      if (touchesAhead) touched |= touchText(own, firstRows, start, stop);
      compareBlock(table, own, text, start, stop, firstRows);
    }
  }

  /** Keeps the rows whose text is equal, and looks on for the others. */
  function compareBlock(
    table: TextTable,
    own: TextView,
    text: TextView,
    start: number,
    stop: number,
    firstRows: Int32Array,
  ): void {
    const { slots } = table;
    const mask = slots.length - 1;
    for (let row = start; row < stop; row++) {
      let found = firstRows[row]!;
      if (found < 0 || equalRows(own, found, text, row)) continue;
      let slot = foundSlots[row - start]!;
      do {
        slot = findHash(table, hashes[row - start]!, (slot + 2) & mask);
        found = slots[slot + 1]! - 1;
      } while (found >= 0 && !equalRows(own, found, text, row));
      firstRows[row] = found;
    }
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

  /** Reads the slot of each hash of the block and nothing else. */
  function touchSlots(table: TextTable, numRows: number): number {
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

  return { equalRows, findHash, findTexts, firstSlot, hashRow };
}

/** The functions of this thread. */
export const { equalRows, findHash, findTexts, firstSlot, hashRow } = makeTextFind(BLOCK_ROWS);
