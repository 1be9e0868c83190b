/**
 * Which row of the build side has a key first: the heart of a join, in the form that suits the
 * keys.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { KeyType } from "../../backend.ts";
import { readIntKeys, readTextKeys, textKeyWidth } from "../../key/key_words.ts";
import type { BuiltIndex } from "./built_index.ts";
import { buildDenseIndex } from "./dense_index.ts";
import { buildHashIndex } from "./hash_index.ts";
import type { JoinMemory } from "./memory.ts";
import { buildTextIndex } from "./text_index.ts";

/** Builds the index of the build side's keys. */
export function buildKeyIndex(memory: JoinMemory, key: HostColumn, keyType: KeyType): BuiltIndex {
  if (keyType.kind === "string") {
    if (key.type.kind !== "string") {
      throw new TypeError(`Cannot read ${key.type.kind} keys as strings`);
    }
    const width = textKeyWidth(key);
    if (width === null) return buildTextIndex(memory, key);
    return buildHashIndex(memory, key, width, readTextKeys(key, width));
  }
  const width = keyType.bits === 32 ? 1 : 2;
  return buildDenseIndex(memory, key, width) ??
    buildHashIndex(memory, key, width, readIntKeys(key, width));
}
