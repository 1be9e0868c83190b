/**
 * The index of keys of one to three words is a hash table: open addressing with linear probing, at
 * most half full, the key beside the row in its slot, so that a lookup usually reads one cache line.
 *
 * The hash is multiply-shift (Dietzfelbinger et al., 1997): the high bits of the sum of each word
 * times an odd number. It spreads keys of one stride more evenly than chance would, except for some
 * pairs of stride and factor. For those, and for keys that were chosen to collide, keys lie far from
 * their slots; then the table is built again with other factors.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { bitAt } from "../../column/bitmap.ts";
import { findHashed, type HashTable, touchWords } from "./hash_find.ts";
import type { BuiltIndex, KeyIndex, SharedIndex } from "./key_index.ts";
import { newWords, sharedWords } from "./shared_words.ts";
import { BLOCK_ROWS, type KeyReader, type KeyWidth } from "../../key/key_words.ts";

/** The odd factors of the three words in the first attempt. */
export const FIRST_FACTORS: readonly [number, number, number] = [
  0x9e3779b1 | 0,
  0x85ebca77 | 0,
  0xc2b2ae3d | 0,
];
/** After so many attempts a table is taken as it is. */
const MAX_ATTEMPTS = 6;
/** A table of more bytes than this does not stay in the cache, and its slots are touched ahead. */
export const CACHE_BYTES = 1 << 20;

/** Builds the hash table of the build side's keys, and the index that looks into it. */
export function buildHashIndex(
  key: HostColumn,
  width: KeyWidth,
  readerOf: (key: HostColumn) => KeyReader,
): BuiltIndex {
  const firstRows = new Int32Array(key.length);
  const table = buildHashTable(key, width, readerOf(key), firstRows);
  return { index: new HashIndex(table, width, readerOf, key.type.kind === "string"), firstRows };
}

/** Looks keys up in a finished table. */
class HashIndex implements KeyIndex {
  #table: HashTable;
  readonly #width: KeyWidth;
  readonly #readerOf: (key: HostColumn) => KeyReader;
  readonly #ofText: boolean;

  constructor(
    table: HashTable,
    width: KeyWidth,
    readerOf: (key: HostColumn) => KeyReader,
    ofText: boolean,
  ) {
    this.#table = table;
    this.#width = width;
    this.#readerOf = readerOf;
    this.#ofText = ofText;
  }

  find(key: HostColumn, firstRows: Int32Array): void {
    findHashed(this.#table, this.#width, this.#readerOf(key), key.length, firstRows);
  }

  share(): SharedIndex {
    const table = this.#table = { ...this.#table, slots: sharedWords(this.#table.slots) };
    return { kind: "hash", table, width: this.#width, ofText: this.#ofText };
  }
}

/** The table of every key that is not null; `firstRows` is written as BuiltIndex says. */
function buildHashTable(
  key: HostColumn,
  width: KeyWidth,
  read: KeyReader,
  firstRows: Int32Array,
): HashTable {
  const slotShift = width === 1 ? 1 : 2;
  const numSlots = chooseSlots(key.length - key.nullCount, 4 << slotShift);
  const hashShift = 32 - Math.log2(numSlots);
  let factors = FIRST_FACTORS;
  for (let attempt = 1;; attempt++) {
    const slots = newWords(numSlots << slotShift);
    const touchesAhead = slots.byteLength > CACHE_BYTES;
    const table: HashTable = { slots, slotShift, hashShift, factors, touchesAhead, touched: 0 };
    const most = mostSteps(key.length, attempt);
    if (insertKeys(table, key, width, read, firstRows, most)) return table;
    factors = [randomOdd(), randomOdd(), randomOdd()];
  }
}

/**
 * Slots that all keys together may lie away from their own in an attempt. Keys that a random hash
 * puts into a table half full lie half a slot away on average.
 */
export function mostSteps(numKeys: number, attempt: number): number {
  return attempt < MAX_ATTEMPTS ? numKeys + 64 : Infinity;
}

/** Slots, a power of two: a quarter full where that fits the cache, else at most half full. */
export function chooseSlots(numKeys: number, bytesPerSlot: number): number {
  const roomy = powerOfTwo(4 * numKeys);
  return roomy * bytesPerSlot <= CACHE_BYTES ? roomy : powerOfTwo(2 * numKeys);
}

/** The smallest power of two that is not below `least`, nor below 2. */
function powerOfTwo(least: number): number {
  let power = 2;
  while (power < least) power *= 2;
  return power;
}

/** An odd number of 32 bits. */
export function randomOdd(): number {
  return (Math.random() * 0x1_0000_0000) | 1;
}

/** Puts every key that is not null into an empty table; false where that takes too many steps. */
function insertKeys(
  table: HashTable,
  key: HostColumn,
  width: KeyWidth,
  read: KeyReader,
  firstRows: Int32Array,
  most: number,
): boolean {
  const { length, validity } = key;
  const slotWords = 1 << table.slotShift;
  let steps = 0;
  for (let start = 0; start < length; start += BLOCK_ROWS) {
    const stop = Math.min(start + BLOCK_ROWS, length);
    const block = read(start, stop);
    if (table.touchesAhead) table.touched |= touchWords[width](table, block, stop - start);
    const { words, at } = block;
    for (let row = start; row < stop; row++) {
      if (validity !== null && bitAt(validity, row) === 0) {
        firstRows[row] = -1;
        continue;
      }
      const word = at + (row - start) * width;
      const own = ownSlot(table, words, word, width);
      const slot = findSlot(table, words, word, width, own);
      const rowAt = slot + slotWords - 1;
      if (table.slots[rowAt] === 0) {
        for (let i = 0; i < width; i++) table.slots[slot + i] = words[word + i]!;
        table.slots[rowAt] = row + 1;
        steps += ((slot - own) & (table.slots.length - 1)) >> table.slotShift;
        if (steps > most) return false;
      }
      firstRows[row] = table.slots[rowAt]! - 1;
    }
  }
  return true;
}

/** Where the slot begins that the hash of a key gives. */
function ownSlot(
  { slotShift, hashShift, factors }: HashTable,
  words: Int32Array,
  at: number,
  width: KeyWidth,
): number {
  let hash = Math.imul(words[at]!, factors[0]);
  if (width > 1) hash += Math.imul(words[at + 1]!, factors[1]);
  if (width > 2) hash += Math.imul(words[at + 2]!, factors[2]);
  return (hash >>> hashShift) << slotShift;
}

/** Where the first slot from `slot` on begins that is empty or holds the key. */
function findSlot(
  { slots, slotShift }: HashTable,
  words: Int32Array,
  at: number,
  width: KeyWidth,
  slot: number,
): number {
  const slotWords = 1 << slotShift;
  const mask = slots.length - 1;
  while (slots[slot + slotWords - 1] !== 0) {
    let different = slots[slot]! ^ words[at]!;
    for (let i = 1; i < width; i++) different |= slots[slot + i]! ^ words[at + i]!;
    if (different === 0) break;
    slot = (slot + slotWords) & mask;
  }
  return slot;
}
