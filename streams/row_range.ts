/**
 * A half-open range of rows.
 *
 * @module
 */

/** Rows [start, stop) by position; both at least 0. */
export interface RowRange {
  readonly start: number;
  readonly stop: number;
}
