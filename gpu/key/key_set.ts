/**
 * A set of join keys that grows batch by batch: open addressing with linear probing, at most half
 * full. Keys are compared in full, so that two keys with one hash are two.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import type { HostColumn } from "../column/column.ts";
import { hashKeys, hashWordPair } from "./hash_keys.ts";
import type { KeyType } from "./key_layout.ts";
import { BLOCK_ROWS, readIntKeys } from "./key_words.ts";
import { type Bytes, bytesOf, copyText, SLACK } from "./write_rows.ts";

/** The keys that were added so far. */
export class KeySet {
  readonly #keys: IntKeys | TextKeys;
  readonly #nullsEqual: boolean;
  #hasNull = false;

  /** An empty set of keys of a type. With `nullsEqual` null is a key like any other, else it is none. */
  constructor(keyType: KeyType, nullsEqual: boolean) {
    this.#keys = keyType.kind === "int" ? new IntKeys(keyType.bits === 64 ? 2 : 1) : new TextKeys();
    this.#nullsEqual = nullsEqual;
  }

  /** Number of keys. */
  get size(): number {
    return this.#keys.size + (this.#hasNull ? 1 : 0);
  }

  /** Bytes of memory that it occupies. */
  get numBytes(): number {
    return this.#keys.numBytes;
  }

  /**
   * Adds the keys of all rows, up to the first whose key is there already, be it from an earlier
   * batch or an earlier row: that row is returned, or -1. The bytes of the keys are copied.
   */
  add(key: HostColumn): number {
    const nulls = key.nullCount === 0 ? null : key.validity;
    const secondNull = nulls === null ? key.length : this.#secondNull(nulls, key.length);
    const numRows = this.#keys.add(key, nulls, secondNull);
    if (nulls !== null && this.#nullsEqual && key.nullCount > 0) {
      this.#hasNull ||= firstNull(nulls, numRows) < numRows;
    }
    return numRows === key.length ? -1 : numRows;
  }

  /** The row of the first null that is one too many, else the number of rows. */
  #secondNull(validity: Uint8Array, numRows: number): number {
    if (!this.#nullsEqual) return numRows;
    const first = firstNull(validity, numRows);
    return this.#hasNull ? first : firstNull(validity, numRows, first + 1);
  }
}

/** The first null row from `start` on, else the number of rows. */
function firstNull(validity: Uint8Array, numRows: number, start = 0): number {
  for (let row = start; row < numRows; row++) if (bitAt(validity, row) === 0) return row;
  return numRows;
}

const MIN_SLOTS = 64;
const HASH_SEED = 0x51_7cc1b7 | 0;

/** Slots for so many keys, a power of two. */
function numSlotsFor(numKeys: number): number {
  let numSlots = MIN_SLOTS;
  while (numSlots < 2 * numKeys) numSlots *= 2;
  return numSlots;
}

/** Integers of one or two words; the key 0 is apart, so that zeros mark an empty slot. */
class IntKeys {
  readonly #width: 1 | 2;
  #slots = new Int32Array(0);
  #numSlotted = 0;
  #hasZero = false;

  constructor(width: 1 | 2) {
    this.#width = width;
  }

  get size(): number {
    return this.#numSlotted + (this.#hasZero ? 1 : 0);
  }

  get numBytes(): number {
    return this.#slots.byteLength;
  }

  /** Adds the rows before `stop`; returns the first that is there already, else `stop`. */
  add(key: HostColumn, validity: Uint8Array | null, stop: number): number {
    this.#grow(this.#numSlotted + stop);
    const read = readIntKeys(key, this.#width);
    for (let start = 0; start < stop; start += BLOCK_ROWS) {
      const blockStop = Math.min(start + BLOCK_ROWS, stop);
      const { words, at } = read(start, blockStop);
      for (let row = start; row < blockStop; row++) {
        if (validity !== null && bitAt(validity, row) === 0) continue;
        const word = at + (row - start) * this.#width;
        const low = words[word]!;
        const high = this.#width === 2 ? words[word + 1]! : 0;
        if (!this.#insert(low, high)) return row;
      }
    }
    return stop;
  }

  #grow(numKeys: number): void {
    const old = this.#slots;
    const numSlots = numSlotsFor(numKeys);
    if (numSlots * this.#width <= old.length) return;
    this.#slots = new Int32Array(numSlots * this.#width);
    this.#numSlotted = 0;
    for (let at = 0; at < old.length; at += this.#width) {
      const low = old[at]!;
      const high = this.#width === 2 ? old[at + 1]! : 0;
      if ((low | high) !== 0) this.#insert(low, high);
    }
  }

  /** False where the key is there already. */
  #insert(low: number, high: number): boolean {
    if ((low | high) === 0) {
      const isNew = !this.#hasZero;
      this.#hasZero = true;
      return isNew;
    }
    const slots = this.#slots;
    const width = this.#width;
    const mask = slots.length - 1;
    let slot = (hashWordPair(low, high, HASH_SEED) * width) & mask;
    while (true) {
      const slotLow = slots[slot]!;
      const slotHigh = width === 2 ? slots[slot + 1]! : 0;
      if ((slotLow | slotHigh) === 0) break;
      if (slotLow === low && slotHigh === high) return false;
      slot = (slot + width) & mask;
    }
    slots[slot] = low;
    if (width === 2) slots[slot + 1] = high;
    this.#numSlotted++;
    return true;
  }
}

/** Texts, one behind the other; a slot has the hash of a text, and its number + 1. */
class TextKeys {
  #slots = new Int32Array(0);
  #stops = new Float64Array(0);
  #text = bytesOf(new Uint8Array(0));
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get numBytes(): number {
    return this.#slots.byteLength + this.#stops.byteLength + this.#text.bytes.length;
  }

  /** Adds the rows before `stop`; returns the first that is there already, else `stop`. */
  add(key: HostColumn, validity: Uint8Array | null, stop: number): number {
    const offsets = key.offsets!;
    const text = bytesOf(key.data);
    this.#growSlots(this.#size + stop);
    this.#growText(stop, offsets[stop]! - offsets[0]!);
    const hashes = hashKeys(key, HASH_SEED);
    for (let row = 0; row < stop; row++) {
      if (validity !== null && bitAt(validity, row) === 0) continue;
      const isNew = this.#insert(hashes[row]! | 0, text, offsets[row]!, offsets[row + 1]!);
      if (!isNew) return row;
    }
    return stop;
  }

  #growSlots(numKeys: number): void {
    const old = this.#slots;
    const numSlots = numSlotsFor(numKeys);
    if (2 * numSlots <= old.length) return;
    const slots = new Int32Array(2 * numSlots);
    const mask = slots.length - 1;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue;
      let slot = (old[at]! << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = old[at]!;
      slots[slot + 1] = old[at + 1]!;
    }
    this.#slots = slots;
  }

  /** Makes room for so many keys more, and so many bytes of theirs. */
  #growText(numKeys: number, numBytes: number): void {
    const stops = this.#size + numKeys;
    if (stops > this.#stops.length) {
      const grown = new Float64Array(Math.max(stops, 2 * this.#stops.length));
      grown.set(this.#stops);
      this.#stops = grown;
    }
    const { bytes } = this.#text;
    const needed = this.#start(this.#size) + numBytes + SLACK;
    if (needed > bytes.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * bytes.length));
      grown.set(bytes);
      this.#text = bytesOf(grown);
    }
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#stops[number - 1]!;
  }

  /** False where the text is there already. */
  #insert(hash: number, text: Bytes, start: number, stop: number): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (let number = slots[slot + 1]!; number !== 0; number = slots[slot + 1]!) {
      if (slots[slot] === hash && this.#isText(number - 1, text.view, start, stop)) return false;
      slot = (slot + 2) & mask;
    }
    const number = this.#size++;
    slots[slot] = hash;
    slots[slot + 1] = number + 1;
    const to = this.#start(number);
    copyText(text, start, stop - start, this.#text, to);
    this.#stops[number] = to + stop - start;
    return true;
  }

  /** Whether the text of a number has the given bytes. */
  #isText(number: number, text: DataView, start: number, stop: number): boolean {
    const { view } = this.#text;
    let known = this.#start(number);
    if (this.#stops[number]! - known !== stop - start) return false;
    let at = start;
    for (; at + 4 <= stop; at += 4, known += 4) {
      if (text.getInt32(at, true) !== view.getInt32(known, true)) return false;
    }
    for (; at < stop; at++, known++) {
      if (text.getUint8(at) !== view.getUint8(known)) return false;
    }
    return true;
  }
}
