/**
 * The partitions of a build side: in memory while they fit, then in files.
 *
 * @module
 */

import { columnBytes } from "../../../gpu/column/column.ts";
import { divideRows, partitionsOf } from "../../spill/divide.ts";
import { concatRows, freeRows, type HostRows, rowsBytes } from "../../spill/host_rows.ts";
import type { RowFile } from "../../spill/row_file.ts";
import type { SpilledJoin } from "./spilled_join.ts";
import { indexBytes } from "./tables.ts";

/** Rows of the build side whose keys fall into one partition of hashes. They can be taken once. */
export class BuildPartition {
  readonly #join: SpilledJoin;
  #buffered: HostRows[] = [];
  #file: RowFile | undefined;
  numRows = 0;
  /** The bytes of the rows, and of their keys if these are not among their columns. */
  numBytes = 0;

  constructor(join: SpilledJoin) {
    this.#join = join;
  }

  /** Whether the rows are in a file. */
  get isSpilled(): boolean {
    return this.#file !== undefined;
  }

  /** An upper bound of the bytes of a table of the rows. */
  get tableBytes(): number {
    return this.numBytes + indexBytes(this.numRows, this.#join.shape.keyType);
  }

  /** Whether a table of the rows fits while no other rows of the build side are in memory. */
  get fits(): boolean {
    const { rows, tables } = this.#join.spill.sizes;
    // Rows are in memory twice while they are concatenated.
    return this.numBytes + this.tableBytes <= rows && this.tableBytes <= tables;
  }

  /** Adds rows, and takes ownership of them. */
  add(rows: HostRows, numBytes: number): void {
    this.numRows += rows.numRows;
    this.numBytes += numBytes;
    if (this.#file === undefined) this.#buffered.push(rows);
    else this.#file.take(rows);
  }

  /** Moves the rows to a file. */
  spill(): void {
    this.#file = this.#join.spill.newFile();
    for (const rows of this.#buffered.splice(0)) this.#file.take(rows);
  }

  /** Ends the writing of the file, if there is one. */
  finish(): void {
    this.#file?.finish();
  }

  /** Drops the rows. */
  drop(): void {
    this.#buffered = [];
    this.#file?.remove();
  }

  /** Yields the rows in batches, and drops each batch. */
  async *take(): AsyncGenerator<HostRows, void, void> {
    while (this.#buffered.length > 0) yield this.#buffered.shift()!;
    if (this.#file === undefined) return;
    yield* this.#file.rows();
    this.#file.remove();
  }
}

/** Takes the rows of partitions, of which at least one has rows, as one batch. */
export async function takeAll(partitions: readonly BuildPartition[]): Promise<HostRows> {
  const parts: HostRows[] = [];
  for (const partition of partitions) {
    for await (const rows of partition.take()) parts.push(rows);
  }
  const all = concatRows(parts);
  if (parts.length > 1) parts.forEach(freeRows);
  return all;
}

/** All partitions of a build side. */
export class BuildPartitions {
  readonly #join: SpilledJoin;
  readonly seed: number;
  readonly partitions: readonly BuildPartition[];
  /** A batch without rows, with the same columns. */
  readonly like: HostRows;
  #numBytes = 0;

  /** Creates `fanOut` partitions, a power of two. Rows that are divided again need another seed. */
  constructor(join: SpilledJoin, seed: number, fanOut: number, like: HostRows) {
    this.#join = join;
    this.seed = seed;
    this.like = like;
    this.partitions = Array.from({ length: fanOut }, () => new BuildPartition(join));
  }

  /** The bytes of all rows, in memory or in files. */
  get numBytes(): number {
    return this.#numBytes;
  }

  /** Adds copies of rows. Partitions that do not fit into memory go to files, the largest first. */
  add(rows: HostRows): void {
    const { shape, kind } = this.#join;
    const key = shape.build.keyOf(rows);
    const nulls = shape.nullsEqual
      ? "with their hash"
      : kind.buildOnlyRows === "unmatched"
      ? "anywhere"
      : "nowhere";
    const places = partitionsOf(key, this.seed, this.partitions.length, nulls);
    const keyBytes = rows.columns.includes(key) ? 0 : columnBytes(key) / rows.numRows;
    for (const { place, rows: taken } of divideRows(rows, places, this.partitions.length)) {
      const numBytes = rowsBytes(taken) + keyBytes * taken.numRows;
      this.partitions[place]!.add(taken, numBytes);
      this.#numBytes += numBytes;
    }
    this.#spillLargest();
  }

  /** Ends the writing of files. */
  finish(): void {
    for (const partition of this.partitions) partition.finish();
  }

  /**
   * Divides the partitions that have rows. `tables` are those that have tables at the same time, grouped by
   * table. `deferred` are those to join one after another, the ones in memory first.
   */
  divide(): { readonly tables: BuildPartition[][]; readonly deferred: BuildPartition[] } {
    const { spill: { sizes }, numbersBuild } = this.#join;
    // Rows of one partition are in build order, but rows of several partitions are not.
    const most = numbersBuild ? 0 : sizes.group;
    const tables: BuildPartition[][] = [];
    const deferred: BuildPartition[] = [];
    let restBytes = sizes.tables;
    let table: BuildPartition[] = [];
    for (const partition of this.partitions.filter(({ numRows }) => numRows > 0)) {
      if (table.length > 0 && this.#numBytesOf([...table, partition]) > most) {
        restBytes -= this.#tableBytesOf(table);
        tables.push(table);
        table = [];
      }
      const fits = this.#tableBytesOf([...table, partition]) <= restBytes;
      (fits && !partition.isSpilled ? table : deferred).push(partition);
    }
    if (table.length > 0) tables.push(table);
    deferred.sort((left, right) => Number(left.isSpilled) - Number(right.isSpilled));
    return { tables, deferred };
  }

  #numBytesOf(partitions: readonly BuildPartition[]): number {
    return partitions.reduce((sum, { numBytes }) => sum + numBytes, 0);
  }

  #tableBytesOf(partitions: readonly BuildPartition[]): number {
    const numRows = partitions.reduce((sum, partition) => sum + partition.numRows, 0);
    return this.#numBytesOf(partitions) + indexBytes(numRows, this.#join.shape.keyType);
  }

  #spillLargest(): void {
    const { sizes } = this.#join.spill;
    const inMemory = this.partitions.filter(({ isSpilled }) => !isSpilled)
      .sort((left, right) => right.numBytes - left.numBytes);
    let needed = inMemory.reduce((sum, { tableBytes }) => sum + tableBytes, 0);
    for (const partition of inMemory) {
      // Rows are in memory twice while a table is made of them.
      const twice = Math.max(partition.numBytes, sizes.group);
      if (needed + twice <= sizes.rows) return;
      needed -= partition.tableBytes;
      if (partition.numRows > 0) partition.spill();
    }
  }
}
