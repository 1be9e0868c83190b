/**
 * A set of keys that grows batch by batch. Keys are compared in full, so keys with equal hashes
 * stay distinct.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import type { HostColumn } from "../column/column.ts";
import { DenseKeys } from "./dense_keys.ts";
import { hashWordPair } from "./hash_keys.ts";
import type { KeyType } from "./key_layout.ts";
import { BLOCK_ROWS, readIntKeys } from "./key_words.ts";
import { TextIds } from "./text_ids.ts";

/** A set of keys. */
export class KeySet {
  readonly #keys: IntKeys | TextIds;
  readonly #nullsEqual: boolean;
  #hasNull = false;

  /** Creates an empty set of keys of a type. Null is a key only with `nullsEqual`. */
  constructor(keyType: KeyType, nullsEqual: boolean) {
    this.#keys = keyType.kind === "int" ? new IntKeys(keyType.bits === 64 ? 2 : 1) : new TextIds();
    this.#nullsEqual = nullsEqual;
  }

  /** The number of keys. */
  get size(): number {
    return this.#keys.size + (this.#hasNull ? 1 : 0);
  }

  /** The bytes of memory that it occupies. */
  get numBytes(): number {
    return this.#keys.numBytes;
  }

  /**
   * Adds the keys of all rows. Returns the first row whose key an earlier batch or row had, or -1.
   * After such a row, the set may lack keys. Copies the bytes of keys.
   */
  add(key: HostColumn): number {
    const nulls = key.nullCount === 0 ? null : key.validity;
    const secondNull = nulls === null ? key.length : this.#secondNull(nulls, key.length);
    const numRows = this.#keys instanceof IntKeys
      ? this.#keys.add(key, nulls, secondNull)
      : addTexts(this.#keys, key, secondNull);
    if (nulls !== null && this.#nullsEqual) this.#hasNull ||= firstNull(nulls, numRows) < numRows;
    return numRows === key.length ? -1 : numRows;
  }

  /** Returns the row of the first repeated null; the number of rows if there is none. */
  #secondNull(validity: Uint8Array, numRows: number): number {
    if (!this.#nullsEqual) return numRows;
    const first = firstNull(validity, numRows);
    return this.#hasNull ? first : firstNull(validity, numRows, first + 1);
  }
}

/**
 * Adds the rows before `stop`. Returns the first row whose text is already in the set; `stop` if
 * there is none.
 */
function addTexts(texts: TextIds, key: HostColumn, stop: number): number {
  let next = texts.size;
  const ids = new Int32Array(key.length).fill(-1);
  // Reserve for all: most texts are new, since a repeated one ends the work.
  texts.reserve(stop);
  texts.find(key, ids, true);
  for (let row = 0; row < stop; row++) {
    // A new text has the next number.
    if (ids[row]! >= 0 && ids[row] !== next++) return row;
  }
  return stop;
}

/** Returns the first null row from `start` on; the number of rows if there is none. */
function firstNull(validity: Uint8Array, numRows: number, start = 0): number {
  for (let row = start; row < numRows; row++) if (bitAt(validity, row) === 0) return row;
  return numRows;
}

const MIN_SLOTS = 64;
const HASH_SEED = 0x51_7cc1b7 | 0;

/** Returns the number of slots for a number of keys, a power of two. */
function numSlotsFor(numKeys: number): number {
  let numSlots = MIN_SLOTS;
  while (numSlots < 2 * numKeys) numSlots *= 2;
  return numSlots;
}

/**
 * A set of integers of one or two words: a bit for each value of a range as long as that is dense,
 * then a hash table with open addressing and linear probing, at most half full. The key 0 is stored
 * separately, since zeros mark an empty slot.
 */
class IntKeys {
  readonly #width: 1 | 2;
  /** Null as soon as keys lie too far apart. */
  #dense: DenseKeys | null = new DenseKeys();
  #slots = new Int32Array(0);
  #numSlotted = 0;
  #hasZero = false;

  constructor(width: 1 | 2) {
    this.#width = width;
  }

  get size(): number {
    return this.#dense?.size ?? this.#numSlotted + (this.#hasZero ? 1 : 0);
  }

  get numBytes(): number {
    return this.#dense?.numBytes ?? this.#slots.byteLength;
  }

  /**
   * Adds the rows before `stop`. Returns the first row whose key is already in the set; `stop` if
   * there is none.
   */
  add(key: HostColumn, validity: Uint8Array | null, stop: number): number {
    this.#reserve(key, validity, stop);
    const read = readIntKeys(key, this.#width);
    for (let start = 0; start < stop; start += BLOCK_ROWS) {
      const numRows = Math.min(BLOCK_ROWS, stop - start);
      const { words, at } = read(start, start + numRows);
      const repeated = this.#dense === null
        ? this.#insert(words, at, validity, start, numRows)
        : this.#dense.add(words, at, this.#width, validity, start, numRows);
      if (repeated >= 0) return repeated;
    }
    return stop;
  }

  /**
   * Reserves memory for the keys of a batch, and switches to the hash table if one lies far from
   * the others.
   */
  #reserve(key: HostColumn, validity: Uint8Array | null, stop: number): void {
    const dense = this.#dense;
    if (dense !== null) {
      const range = rangeOf(key, this.#width, validity, stop);
      if (range === null || dense.reserve(range.least, range.greatest, stop)) return;
      this.#dense = null;
    }
    this.#grow((dense?.size ?? this.#numSlotted) + stop);
    if (dense === null) return;
    const words = new Int32Array(2);
    for (const value of dense.values()) {
      words[0] = value;
      words[1] = Math.floor(value / 2 ** 32);
      this.#insert(words, 0, null, 0, 1);
    }
  }

  #grow(numKeys: number): void {
    const old = this.#slots;
    const width = this.#width;
    const numSlots = numSlotsFor(numKeys);
    if (numSlots * width <= old.length) return;
    this.#slots = new Int32Array(numSlots * width);
    this.#numSlotted = 0;
    for (let at = 0; at < old.length; at += width) {
      if (old[at] !== 0 || (width === 2 && old[at + 1] !== 0)) this.#insert(old, at, null, 0, 1);
    }
  }

  /**
   * Inserts the keys of `numRows` rows from `start` on that are not null; their words begin at
   * `at`. Returns the first row whose key is already there, or -1.
   */
  #insert(
    words: Int32Array,
    at: number,
    validity: Uint8Array | null,
    start: number,
    numRows: number,
  ): number {
    const slots = this.#slots;
    const width = this.#width;
    const mask = slots.length - 1;
    let numSlotted = this.#numSlotted;
    let repeated = -1;
    for (let row = start, word = at; row < start + numRows; row++, word += width) {
      if (validity !== null && bitAt(validity, row) === 0) continue;
      const low = words[word]!;
      const high = width === 2 ? words[word + 1]! : 0;
      if ((low | high) === 0) {
        if (this.#hasZero) {
          repeated = row;
          break;
        }
        this.#hasZero = true;
      } else {
        let slot = (hashWordPair(low, high, HASH_SEED) << (width - 1)) & mask;
        let slotLow = slots[slot]!;
        let slotHigh = width === 2 ? slots[slot + 1]! : 0;
        while ((slotLow | slotHigh) !== 0 && (slotLow !== low || slotHigh !== high)) {
          slot = (slot + width) & mask;
          slotLow = slots[slot]!;
          slotHigh = width === 2 ? slots[slot + 1]! : 0;
        }
        if ((slotLow | slotHigh) !== 0) {
          repeated = row;
          break;
        }
        slots[slot] = low;
        if (width === 2) slots[slot + 1] = high;
        numSlotted++;
      }
    }
    this.#numSlotted = numSlotted;
    return repeated;
  }
}

/** Returns the least and the greatest key, inexact beyond 2^53; null if no row has a key. */
function rangeOf(
  key: HostColumn,
  width: 1 | 2,
  validity: Uint8Array | null,
  stop: number,
): { least: number; greatest: number } | null {
  const read = readIntKeys(key, width);
  let least = Infinity;
  let greatest = -Infinity;
  for (let start = 0; start < stop; start += BLOCK_ROWS) {
    const blockStop = Math.min(start + BLOCK_ROWS, stop);
    const { words, at } = read(start, blockStop);
    for (let row = start, word = at; row < blockStop; row++, word += width) {
      if (validity !== null && bitAt(validity, row) === 0) continue;
      const low = words[word]!;
      const value = width === 1 ? low : words[word + 1]! * 2 ** 32 + (low >>> 0);
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
  }
  return least <= greatest ? { least, greatest } : null;
}
