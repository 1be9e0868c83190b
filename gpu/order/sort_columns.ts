/**
 * The order of rows by several columns, and a stable sort by it.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import type { HostColumn } from "../column/column.ts";
import { areKeysExact, type CompareTies, orderKeys, tiesOf } from "./order_keys.ts";
import { sortRows } from "./sort_rows.ts";

/** The order of the values of a column. */
export interface ColumnOrder {
  /** Whether greater values come first. */
  readonly descending: boolean;
  /** Whether nulls come before all values, in both directions. */
  readonly nullsFirst: boolean;
}

/**
 * Returns the rows of columns, sorted by the first column, those that are equal in it by the second, and
 * so on. Rows that are equal in all columns keep their order. NaN is the greatest number, -0 equals 0, and
 * text is in the order of its bytes. All columns have the same number of rows.
 */
export function sortColumns(
  columns: readonly HostColumn[],
  orders: readonly ColumnOrder[],
): Int32Array {
  let rows = Int32Array.from({ length: columns[0]?.length ?? 0 }, (_, row) => row);
  // A stable sort by the last column first.
  for (let index = columns.length - 1; index >= 0; index--) {
    rows = sortByColumn(columns[index]!, orders[index]!, rows);
  }
  return rows;
}

function sortByColumn(
  column: HostColumn,
  { descending, nullsFirst }: ColumnOrder,
  rows: Int32Array,
): Int32Array<ArrayBuffer> {
  const validity = column.nullCount === 0 ? null : column.validity;
  const valid = validity === null ? rows : rows.filter((row) => bitAt(validity, row) === 1);
  const keys = orderKeys(column);
  const ties = areKeysExact(column, keys, valid) ? null : directedTies(column, column, descending);
  const sorted = sortRows(directed(keys, descending), valid, ties);
  if (validity === null) return sorted as Int32Array<ArrayBuffer>;
  const nulls = rows.filter((row) => bitAt(validity, row) === 0);
  const all = new Int32Array(rows.length);
  all.set(nullsFirst ? nulls : sorted);
  all.set(nullsFirst ? sorted : nulls, nullsFirst ? nulls.length : sorted.length);
  return all;
}

/** Makes keys count up in the order. */
function directed(keys: Float64Array, descending: boolean): Float64Array {
  // 0 - 0 is 0, while -0 has other bits.
  if (descending) { for (let row = 0; row < keys.length; row++) keys[row] = 0 - keys[row]!; }
  return keys;
}

function directedTies(column: HostColumn, other: HostColumn, descending: boolean): CompareTies {
  const ties = tiesOf(column, other);
  return descending ? (row, otherRow) => -ties(row, otherRow) : ties;
}

/** The key columns of some rows, prepared for comparisons with other rows. */
export class OrderedRows {
  readonly #columns: readonly HostColumn[];
  readonly #orders: readonly ColumnOrder[];
  readonly #keys: readonly Float64Array[];

  constructor(columns: readonly HostColumn[], orders: readonly ColumnOrder[]) {
    this.#columns = columns;
    this.#orders = orders;
    this.#keys = columns.map((column, index) =>
      directed(orderKeys(column), orders[index]!.descending)
    );
  }

  /** Returns a negative number, 0 or a positive one as a row comes before, with or after another one. */
  compare(row: number, other: OrderedRows, otherRow: number): number {
    for (let index = 0; index < this.#columns.length; index++) {
      const order = this.#compareIn(index, row, other, otherRow);
      if (order !== 0) return order;
    }
    return 0;
  }

  #compareIn(index: number, row: number, other: OrderedRows, otherRow: number): number {
    const [column, otherColumn] = [this.#columns[index]!, other.#columns[index]!];
    const { descending, nullsFirst } = this.#orders[index]!;
    const [isValid, isOtherValid] = [validAt(column, row), validAt(otherColumn, otherRow)];
    if (isValid === 0 || isOtherValid === 0) {
      return nullsFirst ? isValid - isOtherValid : isOtherValid - isValid;
    }
    const [key, otherKey] = [this.#keys[index]![row]!, other.#keys[index]![otherRow]!];
    if (key !== otherKey) return key < otherKey ? -1 : 1;
    return directedTies(column, otherColumn, descending)(row, otherRow);
  }
}

function validAt({ nullCount, validity }: HostColumn, row: number): number {
  return nullCount === 0 || validity === null ? 1 : bitAt(validity, row);
}
