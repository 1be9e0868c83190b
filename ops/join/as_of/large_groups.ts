/**
 * As-of joins by groups whose build side exceeds memory.
 *
 * Both sides are divided into partitions in files, by the numbers of their groups, and joined partition
 * by partition. If its build rows fit into memory, they are sorted there; else the partition is divided
 * again, until the file of a single group is read along with its probe rows, as a join without groups
 * does. So no group is too large. The results go to files too, and are merged into the order of the probe
 * side.
 *
 * @module
 */

import { RowGrouper } from "../../../gpu/order/group_rows.ts";
import { columnBytes, type HostColumn, nullColumn } from "../../../gpu/column/column.ts";
import { gatherColumns } from "../../../gpu/column/gather.ts";
import { evenBlocks } from "../../spill/blocks.ts";
import { divideRows } from "../../spill/divide.ts";
import { type HostRows, rowsBytes } from "../../spill/host_rows.ts";
import { countFrom, numberColumn } from "../../spill/row_numbers.ts";
import { type JoinedRows, probeRun, restoreOrder, type RunRows } from "../shared/restore_order.ts";
import type { RowFile } from "../../spill/row_file.ts";
import { FAN_OUT } from "../../spill/sizes.ts";
import type { Spill } from "../../spill/spill.ts";
import type { BoundAsOf } from "./bound.ts";
import { emptyPayload, type TimedBuild } from "./timed_build.ts";
import { fileRows, groupsOfRows, headColumns, timedRows } from "./file_rows.ts";
import { GroupedBuild } from "./grouped_build.ts";
import type { AsOfBuild } from "./matched_rows.ts";
import { cutByBytes, rowsKept } from "./output_rows.ts";
import type { TimedRows } from "./sides.ts";
import { StreamedBuild } from "./streamed_build.ts";

/** The number of bits of a group's number by which rows are divided at a time. */
const BITS = Math.log2(FAN_OUT);

/** The bytes that a row takes in memory besides its payload: time, group, and places. */
const ROW_BYTES = 40;

/** Returns the bytes of a build side in memory, which has its payload twice while it concatenates it. */
export function bytesInMemory(numRows: number, payloadBytes: number): number {
  return 2 * payloadBytes + ROW_BYTES * numRows;
}

/** Returns the bytes of the payload of a batch. */
export function payloadBytes({ payload }: TimedBuild): number {
  return payload.reduce((sum, column) => sum + columnBytes(column), 0);
}

/** Rows of a batch of the probe side, with the columns that come out. */
export interface ProbeRows {
  readonly timed: TimedRows;
  readonly columns: readonly HostColumn[];
}

/** Files of rows: the time, the group, then other columns. */
interface Partition {
  readonly build: RowFile;
  buildBytes: number;
  readonly probe: RowFile;
}

/** A build side in files, which is joined once. */
export class LargeGroups {
  readonly #bound: BoundAsOf;
  readonly #groups: { readonly size: number };
  readonly #spill: Spill;
  readonly #partitions: readonly Partition[];
  /** The number of groups of the build side. */
  #numBuildGroups = 0;

  /** `groups` are the groups known so far. */
  constructor(
    bound: BoundAsOf,
    groups: { readonly size: number },
    spill: Spill,
  ) {
    this.#bound = bound;
    this.#groups = groups;
    this.#spill = spill;
    this.#partitions = this.#newPartitions();
  }

  /** Adds rows of the build side. */
  add({ timed, payload }: TimedBuild): void {
    const { rows, groups } = fileRows(timed, payload);
    addBuild(this.#partitions, rows, placesOf(groups, 0));
  }

  /** Joins the rows of the probe side, in order. */
  joined(probe: AsyncIterable<ProbeRows>): AsyncGenerator<JoinedRows, void, void> {
    this.#numBuildGroups = this.#groups.size;
    return restoreOrder(this.#spill, this.#results(probe));
  }

  /** Yields the results of all partitions. Rows that cannot match come first, in a run of their own. */
  async *#results(probe: AsyncIterable<ProbeRows>): AsyncGenerator<RunRows, void, void> {
    const run = this.#spill.nextRun();
    let firstRow = 0;
    for await (const { timed, columns } of probe) {
      this.#spill.checkSignal();
      const numbers = numberColumn(countFrom(firstRow, timed.numRows));
      const all = [...columns, numbers];
      const { rows, groups } = fileRows(timed, all);
      const places = placesOf(groups, 0);
      const unmatched = this.#unmatchedRows(timed, groups, places);
      if (this.#bound.how === "left" && unmatched.length > 0) {
        const nulls = emptyPayload(this.#bound)
          .map(({ type }) => nullColumn(type, unmatched.length));
        yield probeRun(run, gatherColumns(all, unmatched, { mayMiss: false }), nulls);
      }
      addProbe(this.#partitions, rows, places);
      firstRow += timed.numRows;
    }
    for (const [place, partition] of this.#partitions.entries()) {
      yield* this.#joinPartition(partition, BITS, place);
    }
  }

  /** Returns the rows without time or group, or of a group that the build side lacks; no file has them. */
  #unmatchedRows({ numRows, rows }: TimedRows, groups: Int32Array, places: Int32Array): Int32Array {
    const isUnmatched = new Uint8Array(numRows).fill(rows === null ? 0 : 1);
    for (let at = 0; at < groups.length; at++) {
      const isKnown = groups[at]! < this.#numBuildGroups;
      isUnmatched[rows === null ? at : rows[at]!] = isKnown ? 0 : 1;
      if (!isKnown) places[at] = -1;
    }
    return Int32Array.from(isUnmatched.keys()).filter((row) => isUnmatched[row] === 1);
  }

  /** Joins the groups whose numbers end with the `bits` bits of `place`, and removes their files. */
  async *#joinPartition(
    { build, buildBytes, probe }: Partition,
    bits: number,
    place: number,
  ): AsyncGenerator<RunRows, void, void> {
    this.#spill.checkSignal();
    build.finish();
    probe.finish();
    if (probe.numRows > 0) {
      const mostBytes = Math.max(this.#spill.memory / 2, this.#spill.sizes.block);
      const fits = bytesInMemory(build.numRows, buildBytes) <= mostBytes;
      if (fits || place + 2 ** bits >= this.#numBuildGroups) {
        const batches = this.#buildRowsOf(build, bits);
        const side = fits
          ? GroupedBuild.of(this.#bound, await Array.fromAsync(batches), this.#groupsOf(bits))
          : new StreamedBuild(this.#bound, batches, this.#spill.signal);
        yield* this.#joinFile(side, probe, bits);
        await batches.return();
      } else {
        yield* this.#joinDivided(build, probe, bits, place);
      }
    }
    build.remove();
    probe.remove();
  }

  /** Divides a partition again. */
  async *#joinDivided(
    build: RowFile,
    probe: RowFile,
    bits: number,
    place: number,
  ): AsyncGenerator<RunRows, void, void> {
    const partitions = this.#newPartitions();
    for await (const rows of build.rows()) {
      addBuild(partitions, rows, placesOf(groupsOfRows(rows, this.#bound.form), bits));
    }
    for await (const rows of probe.rows()) {
      addProbe(partitions, rows, placesOf(groupsOfRows(rows, this.#bound.form), bits));
    }
    for (const [index, partition] of partitions.entries()) {
      yield* this.#joinPartition(partition, bits + BITS, place + index * 2 ** bits);
    }
  }

  /** Joins the probe rows of a partition, in a run of their own. */
  async *#joinFile(
    side: AsOfBuild,
    probe: RowFile,
    bits: number,
  ): AsyncGenerator<RunRows, void, void> {
    const { form, how } = this.#bound;
    const run = this.#spill.nextRun();
    const grouper = new RowGrouper();
    for await (const rows of evenBlocks(probe.rows(), this.#spill.sizes.block)) {
      this.#spill.checkSignal();
      const timed = timedRows(rows, form, bits, grouper, this.#groupsOf(bits));
      const columns = rows.columns.slice(headColumns(form));
      for await (const matched of side.match(timed)) {
        for (const part of cutByBytes(matched, this.#spill.limits)) {
          const { probeRows, buildRows } = rowsKept(part, how);
          if (probeRows.length === 0) continue;
          const probed = gatherColumns(columns, probeRows, { mayMiss: false });
          yield probeRun(run, probed, gatherColumns(part.payload.columns, buildRows));
        }
      }
    }
  }

  /** Yields the rows of a file of the build side. */
  async *#buildRowsOf(build: RowFile, bits: number): AsyncGenerator<TimedBuild, void, void> {
    const { form } = this.#bound;
    const grouper = new RowGrouper();
    for await (const rows of build.rows()) {
      const timed = timedRows(rows, form, bits, grouper, this.#groupsOf(bits));
      yield { timed, payload: rows.columns.slice(headColumns(form)) };
    }
  }

  /** Returns the number of groups of a partition, which are numbered by the bits that they do not share. */
  #groupsOf(bits: number): number {
    return Math.ceil(this.#numBuildGroups / 2 ** bits);
  }

  #newPartitions(): Partition[] {
    const newPartition = () => ({
      build: this.#spill.newFile(),
      buildBytes: 0,
      probe: this.#spill.newFile(),
    });
    return Array.from({ length: FAN_OUT }, newPartition);
  }
}

function addBuild(partitions: readonly Partition[], rows: HostRows, places: Int32Array): void {
  for (const { place, rows: taken } of divideRows(rows, places, FAN_OUT)) {
    partitions[place]!.buildBytes += rowsBytes(taken);
    partitions[place]!.build.take(taken);
  }
}

function addProbe(partitions: readonly Partition[], rows: HostRows, places: Int32Array): void {
  for (const { place, rows: taken } of divideRows(rows, places, FAN_OUT)) {
    partitions[place]!.probe.take(taken);
  }
}

/** Returns the partition of each group: the bits of its number above `bits`. */
function placesOf(groups: Int32Array, bits: number): Int32Array {
  return groups.map((group) => (group >>> bits) & (FAN_OUT - 1));
}
