/**
 * Numbers texts.
 *
 * @module
 */

import { type HostColumn, isNull } from "../column/column.ts";
import { hashKeys } from "./hash_keys.ts";
import { type Bytes, bytesOf, copyText, SLACK } from "./write_rows.ts";

const MIN_SLOTS = 64;
const HASH_SEED = 0x2b_992ddf | 0;

/**
 * Numbers texts, equal bytes alike. The hash table has open addressing and linear probing, and is
 * at most half full. The texts are concatenated; a slot has the hash of a text, and its number + 1.
 */
export class TextIds {
  #slots = new Int32Array(2 * MIN_SLOTS);
  /** 0, then the end of each text. */
  #stops = new Float64Array(MIN_SLOTS);
  #text = bytesOf(new Uint8Array(16 * MIN_SLOTS));
  #size = 0;

  /** The number of texts. */
  get size(): number {
    return this.#size;
  }

  /** The bytes of memory that it occupies. */
  get numBytes(): number {
    return this.#slots.byteLength + this.#stops.byteLength + this.#text.bytes.length;
  }

  /** Reserves memory for `numTexts` more texts. */
  reserve(numTexts: number): void {
    let { length } = this.#slots;
    while (4 * (this.#size + numTexts) > length) length *= 2;
    if (length > this.#slots.length) this.#growSlots(length);
  }

  /**
   * Writes the number of the text of each row that is not null. A new text gets the next number, or
   * -1 unless `adds`.
   */
  find(key: HostColumn, ids: Int32Array, adds: boolean): void {
    const offsets = key.offsets!;
    const text = bytesOf(key.data);
    const hashes = hashKeys(key, HASH_SEED);
    for (let row = 0; row < ids.length; row++) {
      if (isNull(key, row)) continue;
      ids[row] = this.#idOf(hashes[row]! | 0, text, offsets[row]!, offsets[row + 1]!, adds);
    }
  }

  #idOf(hash: number, text: Bytes, start: number, stop: number, adds: boolean): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (let number = slots[slot + 1]!; number !== 0; number = slots[slot + 1]!) {
      if (slots[slot] === hash && this.#isText(number - 1, text.view, start, stop)) {
        return number - 1;
      }
      slot = (slot + 2) & mask;
    }
    if (!adds) return -1;
    slots[slot] = hash;
    slots[slot + 1] = ++this.#size;
    this.#append(text, start, stop);
    if (4 * this.#size > slots.length) this.#growSlots(2 * slots.length);
    return this.#size - 1;
  }

  /** Appends the text of the last number. */
  #append(text: Bytes, start: number, stop: number): void {
    const number = this.#size - 1;
    if (number + 2 > this.#stops.length) {
      const stops = new Float64Array(2 * this.#stops.length);
      stops.set(this.#stops);
      this.#stops = stops;
    }
    const from = this.#stops[number]!;
    const end = from + stop - start;
    const { bytes } = this.#text;
    if (end + SLACK > bytes.length) {
      const grown = new Uint8Array(Math.max(end + SLACK, 2 * bytes.length));
      grown.set(bytes);
      this.#text = bytesOf(grown);
    }
    copyText(text, start, stop - start, this.#text, from);
    this.#stops[number + 1] = end;
  }

  #growSlots(length: number): void {
    const old = this.#slots;
    const slots = new Int32Array(length);
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

  /** Whether the text of a number has the given bytes. */
  #isText(number: number, text: DataView, start: number, stop: number): boolean {
    const { view } = this.#text;
    let known = this.#stops[number]!;
    if (this.#stops[number + 1]! - known !== stop - start) return false;
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
