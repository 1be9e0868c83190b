/**
 * Rows that a gather takes, as they lie on the device.
 *
 * @module
 */

import type { PooledBuffer } from "./buffer_pool.ts";

/** Rows of a range or of a column, in any order and any number of times. */
export interface Selection {
  /** Word 0: number of rows in it; then one row a word, 0xffffffff for a row that is missing. */
  readonly rows: PooledBuffer;
  /** The range of rows in it: `length` from `start` on. Before the count is known, an upper bound. */
  readonly start: number;
  readonly length: number;
  /** Whether a row may be missing; it is null in the result. */
  readonly mayMiss: boolean;
}
