/**
 * The index of a hash table over packed keys.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { FIND_WORDS, TOUCH_WORDS } from "./hash_find.ts";
import { buildHashTable, type HashTable } from "./hash_table.ts";
import type { BuiltIndex, KeyIndex } from "./key_index.ts";
import { BLOCK_ROWS, type KeyReader, type KeyWidth } from "../../column/key_words.ts";

/** Builds the hash table of the build side's keys, and the index that looks into it. */
export function buildHashIndex(
  key: HostColumn,
  width: KeyWidth,
  readerOf: (key: HostColumn) => KeyReader,
): BuiltIndex {
  const firstRows = new Int32Array(key.length);
  const table = buildHashTable(key, width, readerOf(key), firstRows);
  return { index: new HashIndex(table, width, readerOf), firstRows };
}

/** Looks keys up in a finished table. */
class HashIndex implements KeyIndex {
  readonly #table: HashTable;
  readonly #width: KeyWidth;
  readonly #readerOf: (key: HostColumn) => KeyReader;

  constructor(table: HashTable, width: KeyWidth, readerOf: (key: HostColumn) => KeyReader) {
    this.#table = table;
    this.#width = width;
    this.#readerOf = readerOf;
  }

  find(key: HostColumn, firstRows: Int32Array): void {
    const table = this.#table;
    const read = this.#readerOf(key);
    const findWords = FIND_WORDS[this.#width];
    const touchWords = TOUCH_WORDS[this.#width];
    for (let start = 0; start < key.length; start += BLOCK_ROWS) {
      const stop = Math.min(start + BLOCK_ROWS, key.length);
      const block = read(start, stop);
      if (table.touchesAhead) table.touched |= touchWords(table, block, stop - start);
      findWords(table, block, stop - start, firstRows, start);
      for (let i = 0; i < block.numUnpacked; i++) firstRows[start + block.unpacked[i]!] = -1;
    }
  }
}
