/**
 * Keeps the first rows of an order: of all rows, or of each group.
 *
 * Rows are buffered until there are several times as many as can come out; then they are sorted, and only
 * those that can come out stay. Once there are enough, a row that comes after the last of them is dropped at
 * once.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { GroupIds } from "../../gpu/group/group_ids.ts";
import { OrderedRows, sortColumns } from "../../gpu/order/sort_columns.ts";
import type { Batch, StageContext } from "../engine/operator_kit.ts";
import { batchOfRows, hostRowsOf } from "../spill/batch_rows.ts";
import { concatRows, gatherRows, type HostRows } from "../spill/host_rows.ts";
import type { RowOrder } from "./row_order.ts";
import { checkedRows } from "./run_sort.ts";

/** The fewest buffered rows that are sorted. */
const LEAST_SORTED = 65_536;
/** The most rows of a batch of the result. */
const BATCH_ROWS = 65_536;

/** The rows that come out: the first `count` of an order, or of each group of the columns `by`. */
export interface TopSpec extends RowOrder {
  readonly count: number;
  readonly by: readonly number[];
}

/** Yields the first rows of the input in an order; with groups, those of the first group first. */
export async function* runTop(
  input: AsyncIterable<Batch>,
  { backend, signal }: StageContext,
  spec: TopSpec,
  schema: Schema,
): AsyncGenerator<Batch, void, void> {
  const places = schema.fields.map((_, index) => index);
  const top = new TopRows(spec);
  for await (const rows of checkedRows(hostRowsOf(input, places, backend), spec)) {
    signal.throwIfAborted();
    top.add(rows);
  }
  for (const rows of top.results()) yield batchOfRows(schema, rows);
}

class TopRows {
  readonly #spec: TopSpec;
  #buffered: HostRows[] = [];
  #numBuffered = 0;
  /** The number of rows that stayed after the last sort. */
  #numKept = 0;
  /** The last row that can come out, once there are enough. */
  #limit: OrderedRows | undefined;

  constructor(spec: TopSpec) {
    this.#spec = spec;
  }

  add(rows: HostRows): void {
    const possible = this.#possible(rows);
    if (possible.numRows === 0) return;
    this.#buffered.push(possible);
    this.#numBuffered += possible.numRows;
    if (this.#numBuffered >= 2 * this.#numKept + LEAST_SORTED) this.#keep();
  }

  /** Yields the rows that come out. */
  *results(): Generator<HostRows, void, void> {
    this.#keep();
    const [rows] = this.#buffered;
    if (rows === undefined) return;
    for (let start = 0; start < rows.numRows; start += BATCH_ROWS) {
      const stop = Math.min(start + BATCH_ROWS, rows.numRows);
      yield gatherRows(rows, Int32Array.from({ length: stop - start }, (_, row) => start + row));
    }
  }

  /** Drops the rows that come after the last one that can come out. */
  #possible(rows: HostRows): HostRows {
    const limit = this.#limit;
    if (limit === undefined) return rows;
    const order = this.#ordered(rows);
    const selection = Int32Array.from({ length: rows.numRows }, (_, row) => row)
      .filter((row) => order.compare(row, limit, 0) < 0);
    return selection.length === rows.numRows ? rows : gatherRows(rows, selection);
  }

  /** Keeps only the rows that can come out, in their order. */
  #keep(): void {
    if (this.#buffered.length === 0) return;
    const rows = concatRows(this.#buffered);
    const { places, orders, count, by } = this.#spec;
    const sorted = sortColumns(places.map((place) => rows.columns[place]!), orders);
    const first = by.length === 0 ? sorted.subarray(0, count) : this.#firstOfGroups(rows, sorted);
    const kept = gatherRows(rows, first);
    this.#buffered = [kept];
    this.#numBuffered = this.#numKept = kept.numRows;
    if (by.length === 0 && kept.numRows === count) {
      this.#limit = this.#ordered(gatherRows(kept, Int32Array.of(count - 1)));
    }
  }

  #ordered({ columns }: HostRows): OrderedRows {
    const { places, orders } = this.#spec;
    return new OrderedRows(places.map((place) => columns[place]!), orders);
  }

  /** Returns the first sorted rows of each group, group by group. */
  #firstOfGroups({ columns }: HostRows, sorted: Int32Array): Int32Array {
    const { by, count } = this.#spec;
    const keys = by.map((place) => columns[place]!);
    // Groups are numbered by their rows in the order of the input.
    const ids = new GroupIds(keys.map(({ type }) => type));
    const { groups } = ids.groupsOf(keys);
    const rows: number[][] = Array.from({ length: ids.size }, () => []);
    for (const row of sorted) {
      const group = rows[groups[row]!]!;
      if (group.length < count) group.push(row);
    }
    return Int32Array.from(rows.flat());
  }
}
