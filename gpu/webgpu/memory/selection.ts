/**
 * The rows that a gather takes, as a list on the device, and the column that it takes them from.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type { PooledBuffer } from "./buffer_pool.ts";
import type { WindowView } from "./device_column.ts";

/** Rows of a range or of a column, in any order, each any number of times. */
export interface Selection {
  /** Word 0: number of rows in it; then one row a word, 0xffffffff for a missing row. */
  readonly rows: PooledBuffer;
  /**
   * The range of rows in it: `length` from `start` on. An upper bound while the count is unknown.
   */
  readonly start: number;
  readonly length: number;
  /** Whether a row may be missing; it is null in the result. */
  readonly mayMiss: boolean;
}

/** A column to gather rows from: one window of it, or all. */
export interface GatherSource {
  readonly type: ColumnType;
  readonly views: readonly WindowView[];
  readonly hasValidity: boolean;
  readonly label: string;
}
