/**
 * Which row of the build side has a key first: the heart of a join, in the form that suits the
 * keys.
 *
 * @module
 */

import type { KeyType } from "../../backend.ts";
import type { HostColumn } from "../../column/column.ts";
import { buildDenseIndex } from "./dense_index.ts";
import { buildHashIndex } from "./hash_index.ts";
import { readIntKeys, readTextKeys, textKeyWidth } from "../../column/key_words.ts";
import { buildTextIndex } from "./text_index.ts";

/** Finds keys among the keys of the build side. */
export interface KeyIndex {
  /**
   * For each row of `key`, the first row of the build side with an equal key, else -1. What is
   * written for rows that are null means nothing.
   */
  find(key: HostColumn, firstRows: Int32Array): void;
}

/** An index, and what was learned while it was built. */
export interface BuiltIndex {
  readonly index: KeyIndex;
  /**
   * For each row of the build side, the first row with an equal key: the row itself if no earlier
   * one has it. -1 where the key is null.
   */
  readonly firstRows: Int32Array;
}

/** Builds the index of the build side's keys. */
export function buildKeyIndex(key: HostColumn, keyType: KeyType): BuiltIndex {
  if (keyType.kind === "string") {
    checkString(key);
    const width = textKeyWidth(key);
    if (width === null) return buildTextIndex(key);
    return buildHashIndex(key, width, (column) => {
      checkString(column);
      return readTextKeys(column, width);
    });
  }
  const width = keyType.bits === 32 ? 1 : 2;
  return buildDenseIndex(key, width) ??
    buildHashIndex(key, width, (column) => readIntKeys(column, width));
}

function checkString(key: HostColumn): void {
  if (key.type.kind !== "string") {
    throw new TypeError(`Cannot read ${key.type.kind} keys as strings`);
  }
}
