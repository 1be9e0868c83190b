/**
 * The index of text keys without a packed form: a hash table of 32-bit hashes. Lookups compare the
 * bytes of texts with equal hashes.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { BLOCK_ROWS } from "../../key/key_words.ts";
import { InsertScratch } from "./insert_scratch.ts";
import { TEXT_SLOT_SHIFT } from "./kernels/find_text.ts";
import type { BuiltIndex } from "./built_index.ts";
import type { TableMemory } from "./memory.ts";
import { chooseSlots, mostSteps, randomOdd } from "./slots.ts";

/** The seed of the hash in the first attempt. */
const FIRST_SEED = 0x85ebca77 | 0;

/** Builds the table of all keys that are not null, and keeps their text. */
export function buildTextIndex(memory: TableMemory, key: HostColumn): BuiltIndex {
  const numSlots = chooseSlots(key.length - key.nullCount, 1 << TEXT_SLOT_SHIFT);
  const slots = memory.words(numSlots << (TEXT_SLOT_SHIFT - 2));
  const shift = 32 - Math.log2(numSlots);
  const offsets = key.offsets!;
  const text = memory.copyOf(key.data.subarray(offsets[0], offsets[key.length]));
  const scratch = new InsertScratch(memory.work, 1, key);
  let seed = FIRST_SEED;
  for (let attempt = 1;; attempt++) {
    const places = {
      kind: "text",
      slots: slots.byteOffset,
      numBytes: slots.byteLength,
      shift,
      seed,
    } as const;
    const found = insertTexts(memory, places, scratch, key, text.byteOffset, attempt);
    if (found !== null) return { places, found };
    slots.fill(0);
    seed = randomOdd();
  }
}

/** Inserts all keys into an empty table. Returns null if that takes too many steps. */
function insertTexts(
  { kernels }: TableMemory,
  { slots, numBytes, shift, seed }: BuiltIndex["places"] & { readonly kind: "text" },
  scratch: InsertScratch,
  { offsets }: HostColumn,
  data: number,
  attempt: number,
): Int32Array | null {
  const { words, firsts, validity, numRows } = scratch;
  const [hashes, ends, to] = [words, scratch.offsets, firsts].map(({ byteOffset }) =>
    byteOffset
  ) as [number, number, number];
  const first = offsets![0]!;
  const found = new Int32Array(numRows);
  let steps = 0;
  for (let start = 0; start < numRows; start += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, numRows - start);
    // Places beyond 2^31 wrap around, like addresses.
    for (let i = 0; i <= count; i++) scratch.offsets[i] = offsets![start + i]! - first;
    kernels.hashTableTexts!(ends, ends + 4 * count, data, seed, hashes);
    const end = hashes + 4 * count;
    kernels.touchSlots!(hashes, end, slots, shift);
    const table = [slots, numBytes - 1, shift] as const;
    const row = start + 1;
    steps += kernels.insertTexts!(hashes, end, ...table, ends, data, to, row, validity, start);
    if (steps > mostSteps(start + count, attempt)) return null;
    found.set(firsts.subarray(0, count), start);
  }
  return found;
}
