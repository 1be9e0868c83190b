/**
 * Types for blocks of keys as 32-bit words, and for the text that they are read from.
 *
 * @module
 */

import type { Offsets } from "../column/column.ts";

/** The words of one key. */
export type KeyWidth = 1 | 2 | 3;

/**
 * The most rows of a block: enough to overlap cache misses, and few enough for the first-level
 * cache.
 */
export const BLOCK_ROWS = 512;

/** The keys of a block of rows. The key of row i of the block starts at `words[at + i * width]`. */
export interface KeyBlock {
  readonly words: Int32Array;
  at: number;
  /** The rows of the block whose key has no packed form and thus equals no packed key. */
  readonly unpacked: Int32Array;
  numUnpacked: number;
}

/**
 * A function that reads the keys of the rows [start, stop), at most BLOCK_ROWS. The next call
 * overwrites them.
 */
export type KeyReader = (start: number, stop: number) => KeyBlock;

/** A string column with a view to read words. */
export interface TextView {
  readonly offsets: Offsets;
  readonly data: Uint8Array;
  readonly view: DataView;
}
