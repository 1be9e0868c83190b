/**
 * The index of the first row of each key, in the form that suits the keys.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { KeyType } from "../../backend.ts";
import {
  fitsOneWord,
  readIntKeys,
  readLowWords,
  readTextKeys,
  textKeyWidth,
} from "../../key/key_words.ts";
import type { BuiltIndex } from "./built_index.ts";
import { buildDenseIndex } from "./dense_index.ts";
import { buildHashIndex } from "./hash_index.ts";
import type { TableMemory } from "./memory.ts";
import { buildTextIndex } from "./text_index.ts";

/** Builds the index of a key. */
export function buildKeyIndex(memory: TableMemory, key: HostColumn, keyType: KeyType): BuiltIndex {
  if (keyType.kind === "string") {
    if (key.type.kind !== "string") {
      throw new TypeError(`Cannot read ${key.type.kind} keys as strings`);
    }
    const width = textKeyWidth(key);
    if (width === null) return buildTextIndex(memory, key);
    return buildHashIndex(memory, key, width, readTextKeys(key, width), "text");
  }
  const width = keyType.bits === 32 ? 1 : 2;
  return buildDenseIndex(memory, key, width) ?? buildIntIndex(memory, key, width);
}

/**
 * Builds the table of integers. Keys of two words become one word each if all of them fit. The
 * table is half as large then, and a key of the probe side that does not fit one word is not in it.
 */
function buildIntIndex(memory: TableMemory, key: HostColumn, width: 1 | 2): BuiltIndex {
  if (width === 1 || !fitsOneWord(key)) {
    return buildHashIndex(memory, key, width, readIntKeys(key, width), null);
  }
  return buildHashIndex(memory, key, 1, readLowWords(key), "pairs");
}
