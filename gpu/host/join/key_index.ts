/**
 * Which row of the build side has a key first: the heart of a join, in the form that suits the
 * keys.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";

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
