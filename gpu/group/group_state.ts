/**
 * The state of an aggregate: one value or more for each group, which grows row by row.
 *
 * Groups are numbers from 0 on, in the order of their first rows. The result depends on the rows and
 * their order alone, not on the batches in which they come.
 *
 * @module
 */

import type { HostColumn } from "../column/column.ts";

/** Rows that are added to a state. */
export interface GroupedInput {
  /** The group of each row, below `numGroups`. */
  readonly groups: Int32Array;
  /** The number of groups so far, those of these rows included. */
  readonly numGroups: number;
  /** The arguments of the aggregate, with a row for each of `groups`. */
  readonly inputs: readonly HostColumn[];
}

/** The state of an aggregate for all groups. */
export interface GroupState {
  /** Adds rows. */
  add(rows: GroupedInput): void;
  /** Returns the result of each group. Nothing may be added afterwards. */
  finish(numGroups: number): HostColumn;
  /** The approximate bytes of memory that it occupies. */
  readonly numBytes: number;
}
