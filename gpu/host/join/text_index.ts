/**
 * The index of text keys that have no packed form: a hash table of the 32-bit hashes, whose
 * matches are then compared byte by byte.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { bitAt } from "../../column/bitmap.ts";
import { CACHE_BYTES, chooseSlots, mostSteps, randomOdd } from "./hash_table.ts";
import type { BuiltIndex, KeyIndex, SharedIndex } from "./key_index.ts";
import { newWords, sharedBytes, sharedOffsets, sharedWords } from "./shared_words.ts";
import { equalRows, findHash, findTexts, firstSlot, hashRow, type TextTable } from "./text_find.ts";
import { type TextView, textView } from "../../key/key_words.ts";

/** The factor of the hash in the first attempt. */
const FIRST_FACTOR = 0x9e3779b1 | 0;

/** Builds the table of the build side's keys, and the index that looks into it. */
export function buildTextIndex(key: HostColumn): BuiltIndex {
  const text = textView(key);
  const firstRows = new Int32Array(key.length);
  const numSlots = chooseSlots(key.length - key.nullCount, 8);
  const hashShift = 32 - Math.log2(numSlots);
  let factor = FIRST_FACTOR;
  for (let attempt = 1;; attempt++) {
    const slots = newWords(2 * numSlots);
    const touchesAhead = slots.byteLength > CACHE_BYTES;
    const table = { slots, hashShift, factor, touchesAhead };
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

class TextIndex implements KeyIndex {
  #table: TextTable;
  #text: TextView;

  constructor(table: TextTable, text: TextView) {
    this.#table = table;
    this.#text = text;
  }

  find(key: HostColumn, firstRows: Int32Array): void {
    findTexts(this.#table, this.#text, textView(key), key.length, firstRows);
  }

  share(): SharedIndex {
    const { data, offsets } = this.#text;
    const bytes = sharedBytes(data);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const text = this.#text = { data: bytes, offsets: sharedOffsets(offsets), view };
    const table = this.#table = { ...this.#table, slots: sharedWords(this.#table.slots) };
    return { kind: "text", table, text: { data: text.data, offsets: text.offsets } };
  }
}
