/**
 * The build side of an as-of join by groups, in memory.
 *
 * @module
 */

import { RowGrouper } from "../../../gpu/order/group_rows.ts";
import { GroupedTimes } from "../../../gpu/order/as_of/grouped_times.ts";
import { Times } from "../../../gpu/order/as_of/times.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import type { BoundAsOf } from "./bound.ts";
import { emptyPayload, type TimedBuild } from "./timed_build.ts";
import {
  type AsOfBuild,
  concatSelections,
  type MatchedRows,
  matchedRows,
  Payload,
  rowsOfBatch,
} from "./matched_rows.ts";
import type { TimedRows } from "./sides.ts";

/** A whole build side, sorted by group, in memory. */
export class GroupedBuild implements AsOfBuild {
  readonly #times: GroupedTimes;
  readonly #payload: Payload;

  private constructor(times: GroupedTimes, payload: Payload) {
    this.#times = times;
    this.#payload = payload;
  }

  /** Sorts all batches of the build side, whose groups have numbers below `numGroups`. */
  static of(bound: BoundAsOf, batches: readonly TimedBuild[], numGroups: number): GroupedBuild {
    const times: Times[] = [];
    const rows: Int32Array[] = [];
    const ofTime: Int32Array[] = [];
    let numRows = 0;
    for (const { timed } of batches) {
      times.push(timed.times);
      rows.push(rowsByGroup(timed, numRows));
      ofTime.push(groupsByGroup(timed));
      numRows += timed.numRows;
    }
    const grouped = new RowGrouper().group(concatSelections(ofTime), numGroups);
    const sorted = Times.concat(times, bound.form).pick(grouped.order);
    const all = concatSelections(rows);
    const order = grouped.order.map((at) => all[at]!);
    const payload = emptyPayload(bound).map((empty, index) =>
      concatColumns([empty, ...batches.map(({ payload }) => payload[index]!)])
    );
    return new GroupedBuild(
      new GroupedTimes(bound.rule, sorted, { ...grouped, order }, numGroups),
      new Payload(payload),
    );
  }

  async *match({ times, rows, grouped, numRows }: TimedRows): AsyncGenerator<MatchedRows> {
    const matches = new Int32Array(times.length);
    this.#times.match(times, grouped!, matches);
    const found = rowsOfBatch(matches, rows ?? undefined, 0, numRows);
    if (numRows > 0) yield matchedRows(this.#payload, found, 0);
  }
}

/** Returns rows of the build side, in the order of the times of a batch. */
function rowsByGroup({ rows, grouped }: TimedRows, firstRow: number): Int32Array {
  return grouped!.order.map((at) => firstRow + (rows === null ? at : rows[at]!));
}

/** Returns the group of each time of a batch. */
function groupsByGroup({ times, grouped }: TimedRows): Int32Array {
  const { groups, starts } = grouped!;
  const ofTime = new Int32Array(times.length);
  groups.forEach((group, index) => ofTime.fill(group, starts[index]!, starts[index + 1]!));
  return ofTime;
}
