/**
 * A block of keys as 32-bit words, and the text that it is read from.
 *
 * @module
 */

import type { Offsets } from "../column/column.ts";

/** Words of one key. */
export type KeyWidth = 1 | 2 | 3;

/** The rows of a block: enough to overlap cache misses, and few enough for the first-level cache. */
export const BLOCK_ROWS = 512;

/** The keys of a block of rows. The key of the block's row i starts at `words[at + i * width]`. */
export interface KeyBlock {
  readonly words: Int32Array;
  at: number;
  /** The rows of the block whose key has no packed form, and so equals no packed key. */
  readonly unpacked: Int32Array;
  numUnpacked: number;
}

/** Reads the keys of the rows [start, stop), at most BLOCK_ROWS; the next call overwrites them. */
export type KeyReader = (start: number, stop: number) => KeyBlock;

/** A string column, ready to be read by words. */
export interface TextView {
  readonly offsets: Offsets;
  readonly data: Uint8Array;
  readonly view: DataView;
}
