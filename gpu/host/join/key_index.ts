/**
 * Which row of the build side has a key first: the heart of a join, in the form that suits the
 * keys.
 *
 * @module
 */

import type { HostColumn, Offsets } from "../../column/column.ts";
import type { KeyWidth } from "../../key/key_words.ts";
import type { DenseTable } from "./dense_find.ts";
import type { HashTable } from "./hash_find.ts";
import type { TextTable } from "./text_find.ts";

/** Finds keys among the keys of the build side. */
export interface KeyIndex {
  /**
   * For each row of `key`, the first row of the build side with an equal key, else -1. What is
   * written for rows that are null means nothing.
   */
  find(key: HostColumn, firstRows: Int32Array): void;

  /** The index as plain data in shared memory, where it stays from then on. */
  share(): SharedIndex;
}

/** An index as threads know it. */
export type SharedIndex =
  | { readonly kind: "dense"; readonly table: DenseTable; readonly width: 1 | 2 }
  | {
    readonly kind: "hash";
    readonly table: HashTable;
    readonly width: KeyWidth;
    /** Whether keys are text, to be packed into words. */
    readonly ofText: boolean;
  }
  | {
    readonly kind: "text";
    readonly table: TextTable;
    readonly text: { readonly data: Uint8Array; readonly offsets: Offsets };
  };

/** An index, and what was learned while it was built. */
export interface BuiltIndex {
  readonly index: KeyIndex;
  /**
   * For each row of the build side, the first row with an equal key: the row itself if no earlier
   * one has it. -1 where the key is null.
   */
  readonly firstRows: Int32Array;
}
