/**
 * The index of keys of one to three words: a hash table with open addressing and linear probing, at
 * most half full. The key is beside the row in its slot, so a lookup usually reads one cache line.
 *
 * The hash is multiply-shift (Dietzfelbinger et al., 1997): the high bits of the sum of each word
 * times an odd number. It spreads keys of one stride more evenly than chance, except for some pairs
 * of stride and factor. For these, and for keys that were chosen to collide, keys lie far from the
 * slots of their hashes; then the table is built again with other factors.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { BLOCK_ROWS, type KeyReader, type KeyWidth } from "../../key/key_words.ts";
import { slotShift } from "./kernels/find_words.ts";
import type { BuiltIndex } from "./built_index.ts";
import type { TableMemory } from "./memory.ts";
import { InsertScratch } from "./insert_scratch.ts";
import { chooseSlots, mostSteps, randomOdd } from "./slots.ts";

/** The odd factors of the three words in the first attempt. */
export const FIRST_FACTORS: readonly [number, number, number] = [
  0x9e3779b1 | 0,
  0x85ebca77 | 0,
  0xc2b2ae3d | 0,
];

/** Builds the table of all keys that are not null; `packs` is the kind of keys in its words. */
export function buildHashIndex(
  memory: TableMemory,
  key: HostColumn,
  width: KeyWidth,
  read: KeyReader,
  packs: "text" | "pairs" | null,
): BuiltIndex {
  const bytesPerSlot = 1 << slotShift(width);
  const numSlots = chooseSlots(key.length - key.nullCount, bytesPerSlot);
  const slots = memory.words(numSlots * bytesPerSlot / 4);
  const shift = 32 - Math.log2(numSlots);
  const scratch = new InsertScratch(memory.work, width, key);
  let factors = FIRST_FACTORS;
  for (let attempt = 1;; attempt++) {
    const places = {
      kind: "hash",
      width,
      packs,
      slots: slots.byteOffset,
      numBytes: slots.byteLength,
      shift,
      factors,
    } as const;
    const found = insertKeys(memory, places, scratch, read, attempt);
    if (found !== null) return { places, found };
    slots.fill(0);
    factors = [randomOdd(), randomOdd(), randomOdd()];
  }
}

/** Inserts all keys into an empty table. Returns null if that takes too many steps. */
function insertKeys(
  { kernels }: TableMemory,
  { width, slots, numBytes, shift, factors }: BuiltIndex["places"] & { readonly kind: "hash" },
  { words, firsts, validity, numRows }: InsertScratch,
  read: KeyReader,
  attempt: number,
): Int32Array | null {
  const touch = kernels[`touchWords${width}`]!;
  const insert = kernels[`insertWords${width}`]!;
  const [factor0, factor1, factor2] = factors;
  const [at, to] = [words.byteOffset, firsts.byteOffset];
  const found = new Int32Array(numRows);
  let steps = 0;
  for (let start = 0; start < numRows; start += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, numRows - start);
    const block = read(start, start + count);
    words.set(block.words.subarray(block.at, block.at + count * width));
    const end = at + 4 * count * width;
    touch(at, end, slots, shift, factor0, factor1, factor2);
    const row = start + 1;
    const hashing = [shift, factor0, factor1, factor2] as const;
    steps += insert(at, end, slots, numBytes - 1, ...hashing, to, row, validity, start);
    if (steps > mostSteps(start + count, attempt)) return null;
    found.set(firsts.subarray(0, count), start);
  }
  return found;
}
