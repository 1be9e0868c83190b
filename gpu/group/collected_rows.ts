/**
 * Aggregates that need all values of a group at once: lists, quantiles and the most frequent value.
 *
 * @module
 */

import {
  columnBytes,
  type ColumnType,
  type HostColumn,
  isNull,
  nullColumn,
} from "../column/column.ts";
import { concatColumns } from "../column/concat.ts";
import { gatherColumn } from "../column/gather.ts";
import { type GroupedRows, RowGrouper } from "../order/group_rows.ts";
import { Counts } from "./counts.ts";
import { floatColumn } from "./float_sums.ts";
import type { GroupedInput, GroupState } from "./group_state.ts";
import { asFloats } from "./moments.ts";
import { PairIds } from "./pair_ids.ts";
import { ChosenRowState } from "./chosen_rows.ts";

/** All rows of a column with their groups. */
class CollectedRows {
  readonly #groups: Int32Array[] = [];
  readonly #columns: HostColumn[] = [];
  #numBytes = 0;

  get numBytes(): number {
    return this.#numBytes;
  }

  /** Adds a copy of rows. */
  add({ groups, inputs: [input] }: GroupedInput): void {
    this.#groups.push(groups.slice());
    // The batch may share memory that its owner reuses.
    const rows = Int32Array.from(groups.keys());
    const column = gatherColumn(input!, rows);
    this.#columns.push(column);
    this.#numBytes += groups.byteLength + columnBytes(column);
  }

  /** Returns the rows, and their places sorted by group. */
  finish(type: ColumnType, numGroups: number): { column: HostColumn; sorted: GroupedRows } {
    const numRows = this.#groups.reduce((sum, { length }) => sum + length, 0);
    const groups = new Int32Array(numRows);
    let start = 0;
    for (const part of this.#groups) {
      groups.set(part, start);
      start += part.length;
    }
    const column = this.#columns.length === 0 ? nullColumn(type, 0) : concatColumns(this.#columns);
    return { column, sorted: new RowGrouper().group(groups, numGroups) };
  }
}

/** The values of each group as a list, in the order of the rows and with their nulls. */
export class ListState implements GroupState {
  readonly #rows = new CollectedRows();
  readonly #item: ColumnType;

  /** The items are of a type. */
  constructor(item: ColumnType) {
    this.#item = item;
  }

  get numBytes(): number {
    return this.#rows.numBytes;
  }

  add(rows: GroupedInput): void {
    this.#rows.add(rows);
  }

  finish(numGroups: number): HostColumn {
    const { column, sorted } = this.#rows.finish(this.#item, numGroups);
    const sizes = new Int32Array(numGroups);
    sorted.groups.forEach((group, index) =>
      sizes[group] = sorted.starts[index + 1]! - sorted.starts[index]!
    );
    const offsets = new Int32Array(numGroups + 1);
    for (let group = 0; group < numGroups; group++) {
      offsets[group + 1] = offsets[group]! + sizes[group]!;
    }
    return {
      place: "host",
      type: { kind: "list", item: this.#item },
      length: numGroups,
      nullCount: 0,
      validity: null,
      data: new Uint8Array(0),
      offsets,
      children: [gatherColumn(column, byGroup(sorted, offsets))],
    };
  }
}

/** Returns the rows in the order of their groups, since a grouper orders groups by their first rows. */
function byGroup({ order, groups, starts }: GroupedRows, offsets: Int32Array): Int32Array {
  const rows = new Int32Array(order.length);
  groups.forEach((group, index) =>
    rows.set(order.subarray(starts[index], starts[index + 1]), offsets[group])
  );
  return rows;
}

/**
 * A quantile of the numbers of each group that are not null, between two of them by their distance
 * (the method "linear"). NaN is the greatest number.
 */
export class QuantileState implements GroupState {
  readonly #rows = new CollectedRows();
  readonly #type: ColumnType;
  readonly #share: number;

  /** The values are of a type; `share` is from 0, the least value, to 1. */
  constructor(type: ColumnType, share: number) {
    this.#type = type;
    this.#share = share;
  }

  get numBytes(): number {
    return this.#rows.numBytes;
  }

  add(rows: GroupedInput): void {
    this.#rows.add(rows);
  }

  finish(numGroups: number): HostColumn {
    const { column, sorted: { order, groups, starts } } = this.#rows.finish(this.#type, numGroups);
    const floats = asFloats(column);
    const results = new Map<number, number>();
    groups.forEach((group, index) => {
      const rows = order.subarray(starts[index], starts[index + 1])
        .filter((row) => !isNull(column, row));
      const values = Float64Array.from(rows, (row) => floats[row]!).sort();
      if (values.length > 0) results.set(group, quantileOf(values, this.#share));
    });
    return floatColumn(numGroups, (group) => results.get(group));
  }
}

function quantileOf(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!];
  const part = position - below;
  if (part === 0 || low === high) return low;
  const distance = high - low;
  return Number.isFinite(distance) ? low + distance * part : low * (1 - part) + high * part;
}

/** The most frequent value of each group that is not null; of several the one that came first. */
export class ModeState implements GroupState {
  readonly #pairs: PairIds;
  readonly #counts = new Counts();
  readonly #values: ChosenRowState;
  /** The group of each pair. */
  #groups: number[] = [];

  /** The values are of a type. */
  constructor(type: ColumnType) {
    this.#pairs = new PairIds(type);
    this.#values = new ChosenRowState(type, "first");
  }

  get numBytes(): number {
    return this.#pairs.numBytes + this.#counts.numBytes + this.#values.numBytes +
      8 * this.#groups.length;
  }

  add({ groups, inputs }: GroupedInput): void {
    const pairs = this.#pairs.idsOf(groups, inputs[0]!);
    for (let row = 0; row < pairs.length; row++) {
      if (pairs[row] === this.#groups.length) this.#groups.push(groups[row]!);
    }
    const rows = Int32Array.from(pairs.keys()).filter((row) => pairs[row]! >= 0);
    const valid = {
      groups: rows.map((row) => pairs[row]!),
      numGroups: this.#pairs.size,
      inputs: [gatherColumn(inputs[0]!, rows)],
    };
    this.#counts.add({ ...valid, inputs: [] });
    this.#values.add(valid);
  }

  finish(numGroups: number): HostColumn {
    const counts = this.#counts.values(this.#groups.length);
    const best = new Int32Array(numGroups).fill(-1);
    this.#groups.forEach((group, pair) => {
      if (best[group] === -1 || counts[pair]! > counts[best[group]!]!) best[group] = pair;
    });
    return gatherColumn(this.#values.finish(this.#groups.length), best);
  }
}
