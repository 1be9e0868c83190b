/**
 * The times and groups of both sides of an as-of join, batch by batch, and the check of their order.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { UnsortedError } from "../../../base/errors/step_error.ts";
import { GroupOrder, TimeOrder, type Unsorted } from "../../../gpu/order/as_of/time_order.ts";
import { type GroupedRows, RowGrouper } from "../../../gpu/order/group_rows.ts";
import { presentRows, readTimes } from "../../../gpu/order/as_of/read_times.ts";
import type { Times } from "../../../gpu/order/as_of/times.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { encodeKey } from "../../../gpu/key/encode_key.ts";
import { KeyIds } from "../../../gpu/key/key_ids.ts";
import { keyTypeOf } from "../../../gpu/key/key_layout.ts";
import { isoText } from "../../syntax/iso_time.ts";
import { showValue } from "../shared/show_value.ts";
import { timeUnit } from "./tolerance.ts";
import type { BoundAsOf, SideColumns } from "./bound.ts";

/** The rows of a batch that have a time, and a group in a join by groups. */
export interface TimedRows {
  /** The number of rows of the batch. */
  readonly numRows: number;
  /** The rows with a time; null if all rows have one. */
  readonly rows: Int32Array | null;
  /** Their times; with groups, sorted by group. */
  readonly times: Times;
  /** Their order by group; null without groups. */
  readonly grouped: GroupedRows | null;
}

/** The groups of both sides: a number for each key of either side. */
export class Groups {
  readonly #parts: BoundAsOf["parts"];
  readonly #ids: KeyIds;

  constructor(parts: BoundAsOf["parts"]) {
    this.#parts = parts;
    this.#ids = new KeyIds(keyTypeOf(parts, false));
  }

  get size(): number {
    return this.#ids.size;
  }

  get numBytes(): number {
    return this.#ids.numBytes;
  }

  /** Returns the group of each row; -1 where one of the columns is null. */
  of(columns: readonly HostColumn[]): Int32Array {
    return this.#ids.idsOf(encodeKey(columns, this.#parts, false));
  }
}

/** Reads the batches of one side in order. */
export class SideReader {
  readonly #side: SideColumns;
  readonly #form: BoundAsOf["form"];
  readonly #groups: Groups | null;
  readonly #order: TimeOrder;
  readonly #groupOrder: GroupOrder;
  readonly #grouper = new RowGrouper();
  #numRows = 0;

  /** `groups` are those of both sides; null without groups. */
  constructor(side: SideColumns, form: BoundAsOf["form"], groups: Groups | null) {
    this.#side = side;
    this.#form = form;
    this.#groups = groups;
    this.#order = new TimeOrder();
    this.#groupOrder = new GroupOrder(form);
  }

  /**
   * Reads the next batch, given its time and its `by` columns on the host. Throws an UnsortedError for a row
   * that is earlier than the row before it in the same group.
   */
  read(time: HostColumn, by: readonly HostColumn[], numRows: number): TimedRows {
    const firstRow = this.#numRows;
    this.#numRows += numRows;
    if (this.#groups === null) {
      const rows = presentRows(time);
      const times = readTimes(time, this.#form, rows);
      const unsorted = this.#order.check(times);
      if (unsorted !== null) throw this.#errorOf(unsorted, firstRow, rows, null);
      return { numRows, rows, times, grouped: null };
    }
    const ofRow = this.#groups.of(by);
    const rows = rowsWithBoth(time, ofRow);
    const groups = rows === null ? ofRow : rows.map((row) => ofRow[row]!);
    const grouped = this.#grouper.group(groups, this.#groups.size);
    const times = readTimes(time, this.#form, rows).pick(grouped.order);
    const unsorted = this.#groupOrder.check(times, grouped, this.#groups.size);
    if (unsorted !== null) throw this.#errorOf(unsorted, firstRow, rows, by);
    return { numRows, rows, times, grouped };
  }

  #errorOf(
    { row, time, before }: Unsorted,
    firstRow: number,
    rows: Int32Array | null,
    by: readonly HostColumn[] | null,
  ): UnsortedError {
    const { side, timeName, timeType, byNames, byTypes } = this.#side;
    const rowOfBatch = rows === null ? row : rows[row]!;
    const group = by === null
      ? ""
      : `, of the group ${
        byNames.map((name, index) =>
          `${name} ${showValue(byTypes[index]!, by[index]!, rowOfBatch)}`
        ).join(", ")
      }`;
    const values = `${showTime(time, timeType)} comes after ${showTime(before, timeType)}`;
    const message = `The ${side} is not sorted by ${timeName}: ${values}${group}`;
    return new UnsortedError(firstRow + rowOfBatch, message);
  }
}

/** Returns the rows that have a time and a group; null if all have. */
function rowsWithBoth(time: HostColumn, groups: Int32Array): Int32Array | null {
  const timed = presentRows(time);
  if (timed === null && !groups.includes(-1)) return null;
  return timed === null
    ? Int32Array.from(groups.keys()).filter((row) => groups[row]! >= 0)
    : timed.filter((row) => groups[row]! >= 0);
}

/** Returns a time as errors show it: dates and timestamps in ISO form, others with their unit. */
function showTime(value: number | bigint, type: DataType): string {
  const unit = timeUnit(type);
  if (unit === null) return String(value);
  if (DataType.isDate(type) || DataType.isTimestamp(type)) {
    try {
      return isoText(BigInt(value), type);
    } catch {
      // A year that JavaScript's dates do not reach.
    }
  }
  return `${value}${unit}`;
}
