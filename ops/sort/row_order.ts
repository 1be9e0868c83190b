/**
 * The order of a sort over the columns of a row.
 *
 * @module
 */

import type { ColumnOrder } from "../../gpu/order/sort_columns.ts";

/** The columns by which rows are sorted, and the order of each. */
export interface RowOrder {
  readonly places: readonly number[];
  readonly orders: readonly ColumnOrder[];
}
