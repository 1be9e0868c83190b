/**
 * Numbers keys, equal ones alike across batches. The hash table has open addressing and linear
 * probing, and is at most half full. Keys are compared in full.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import { type HostColumn, isNull } from "../column/column.ts";
import { hashWordPair } from "./hash_keys.ts";
import type { KeyType } from "./key_layout.ts";
import { BLOCK_ROWS, readIntKeys } from "./key_words.ts";
import { TextIds } from "./text_ids.ts";

/** The keys so far, numbered from 0 on in the order of their first rows. */
export class KeyIds {
  readonly #keys: IntIds | TextIds;

  /** Creates an empty set of keys of a type. */
  constructor(keyType: KeyType) {
    this.#keys = keyType.kind === "int" ? new IntIds(keyType.bits === 64 ? 2 : 1) : new TextIds();
  }

  /** The number of keys. */
  get size(): number {
    return this.#keys.size;
  }

  /** The bytes of memory that it occupies. */
  get numBytes(): number {
    return this.#keys.numBytes;
  }

  /** Returns the number of the key of each row, -1 for null. A new key gets the next number. */
  idsOf(key: HostColumn): Int32Array {
    return this.#find(key, true);
  }

  /** Returns the number of the key of each row, -1 for null and for a key without a number. */
  knownIdsOf(key: HostColumn): Int32Array {
    return this.#find(key, false);
  }

  #find(key: HostColumn, adds: boolean): Int32Array {
    const ids = new Int32Array(key.length);
    this.#keys.find(key, ids, adds);
    const { nullCount, validity } = key;
    if (nullCount > 0 && validity !== null) {
      for (let row = 0; row < ids.length; row++) if (bitAt(validity, row) === 0) ids[row] = -1;
    }
    return ids;
  }
}

const MIN_SLOTS = 64;
const HASH_SEED = 0x2b_992ddf | 0;

/** Numbers integers: a slot has both words of a key, and its number + 1. */
class IntIds {
  readonly #width: 1 | 2;
  #slots = new Int32Array(3 * MIN_SLOTS);
  size = 0;

  constructor(width: 1 | 2) {
    this.#width = width;
  }

  get numBytes(): number {
    return this.#slots.byteLength;
  }

  find(key: HostColumn, ids: Int32Array, adds: boolean): void {
    const width = this.#width;
    const read = readIntKeys(key, width);
    for (let start = 0; start < ids.length; start += BLOCK_ROWS) {
      const stop = Math.min(start + BLOCK_ROWS, ids.length);
      const { words, at } = read(start, stop);
      for (let row = start; row < stop; row++) {
        if (isNull(key, row)) continue;
        const word = at + (row - start) * width;
        ids[row] = this.#idOf(words[word]!, width === 2 ? words[word + 1]! : 0, adds);
      }
    }
  }

  #idOf(low: number, high: number, adds: boolean): number {
    const slot = slotOf(this.#slots, low, high);
    const number = this.#slots[slot + 2]!;
    return number !== 0 || !adds ? number - 1 : this.#add(slot, low, high);
  }

  #add(slot: number, low: number, high: number): number {
    const slots = this.#slots;
    slots[slot] = low;
    slots[slot + 1] = high;
    slots[slot + 2] = ++this.size;
    if (6 * this.size > slots.length) this.#grow();
    return this.size - 1;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Int32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 3) {
      if (old[at + 2] === 0) continue;
      slots.set(old.subarray(at, at + 3), slotOf(slots, old[at]!, old[at + 1]!));
    }
    this.#slots = slots;
  }
}

/** Returns the slot of a key, or the free slot for it. */
function slotOf(slots: Int32Array, low: number, high: number): number {
  const mask = slots.length / 3 - 1;
  let index = hashWordPair(low, high, HASH_SEED) & mask;
  while (true) {
    const slot = 3 * index;
    const isFree = slots[slot + 2] === 0;
    if (isFree || (slots[slot] === low && slots[slot + 1] === high)) return slot;
    index = (index + 1) & mask;
  }
}
