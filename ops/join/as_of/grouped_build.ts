/**
 * The build side of an as-of join by groups, in memory.
 *
 * @module
 */

import { Schema } from "apache-arrow";
import { RowGrouper } from "../../../gpu/column/as_of/group_rows.ts";
import { GroupedTimes } from "../../../gpu/column/as_of/grouped_times.ts";
import { Times } from "../../../gpu/column/as_of/times.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { type Batch, concatBatches } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import type { BoundAsOf } from "./bound.ts";
import {
  type AsOfBuild,
  concatRows,
  inBuildSide,
  type MatchedRows,
  partOf,
  type Piece,
  pieceOf,
  rowsOfBatch,
} from "./matched_rows.ts";
import { type Groups, SideReader, type TimedRows } from "./sides.ts";

/** A whole build side by group, in memory. */
export class GroupedBuild implements AsOfBuild {
  readonly #times: GroupedTimes;
  readonly #payload: Piece;

  private constructor(times: GroupedTimes, payload: Piece) {
    this.#times = times;
    this.#payload = payload;
  }

  /**
   * Reads all batches; undefined once the join was cancelled. Throws an Error as soon as they take more
   * than the memory of the context.
   */
  static async read(
    bound: BoundAsOf,
    groups: Groups,
    batches: AsyncIterable<Batch>,
    { memory, signal }: StageContext,
  ): Promise<GroupedBuild | undefined> {
    const { built, form, payload, read } = bound;
    const reader = new SideReader(built, form, groups);
    const payloadSchema = new Schema(payload.map((place) => read.fields[place]!));
    const held: Batch[] = [];
    const times: Times[] = [];
    const rows: Int32Array[] = [];
    const ofRow: Int32Array[] = [];
    let numBytes = 0;
    let numRows = 0;
    for await (const batch of batches) {
      const columnAt = (place: number) => batch.columns[place]!.column as HostColumn;
      const timed = inBuildSide(() =>
        reader.read(columnAt(built.time), built.by.map(columnAt), batch)
      );
      times.push(timed.times);
      rows.push(rowsByGroup(timed, numRows));
      ofRow.push(groupsByGroup(timed));
      const kept = batch.pick(payloadSchema, payload);
      held.push(kept);
      numRows += batch.numRows;
      numBytes += kept.numBytes + timed.times.length * BYTES_OF_TIME;
      checkMemory(
        "the rows of the build side",
        numBytes + groups.numBytes + reader.numBytes,
        memory,
      );
    }
    if (signal.aborted) return undefined;
    const grouped = new RowGrouper().group(concatRows(ofRow), groups.size);
    const sorted = Times.concat(times, form).pick(grouped.order);
    const all = concatRows(rows);
    const order = grouped.order.map((at) => all[at]!);
    return new GroupedBuild(
      new GroupedTimes(bound.rule, sorted, { ...grouped, order }, groups.size),
      pieceOf(payloadOfAll(payloadSchema, held), null),
    );
  }

  async *match({ times, rows, grouped, numRows }: TimedRows): AsyncGenerator<MatchedRows> {
    const matches = new Int32Array(times.length);
    this.#times.match(times, grouped!, matches);
    const found = rowsOfBatch(matches, rows ?? undefined, 0, numRows);
    if (numRows > 0) yield partOf(this.#payload, found, 0);
  }
}

/** Time, group and row of the build side, in the batches and put together. */
const BYTES_OF_TIME = 40;

/** Throws where what an as-of join by groups holds takes too much. */
export function checkMemory(what: string, numBytes: number, memory: number): void {
  if (numBytes <= memory) return;
  throw new Error(
    `An as-of join by groups holds ${what} in memory, which take more than its ${memory} bytes; ` +
      `give it more, or join without groups where both sides are sorted by time`,
  );
}

/** Rows of the build side, in the order in which the times of a batch lie. */
function rowsByGroup({ rows, grouped }: TimedRows, firstRow: number): Int32Array {
  return grouped!.order.map((at) => firstRow + (rows === null ? at : rows[at]!));
}

/** The group of each time of a batch. */
function groupsByGroup({ times, grouped }: TimedRows): Int32Array {
  const { groups, starts } = grouped!;
  const ofTime = new Int32Array(times.length);
  groups.forEach((group, index) => ofTime.fill(group, starts[index]!, starts[index + 1]!));
  return ofTime;
}

function payloadOfAll(schema: Schema, batches: readonly Batch[]): HostColumn[] {
  return concatBatches(schema, batches).columns.map(({ column }) => column as HostColumn);
}
