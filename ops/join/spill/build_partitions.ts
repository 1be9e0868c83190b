/**
 * The partitions of a build side: in memory as long as there is room, then in files.
 *
 * @module
 */

import { columnBytes } from "../../../gpu/column/column.ts";
import { partitionsOf, rowsByPlace } from "./divide.ts";
import { concatRows, freeRows, gatherRows, type HostRows, rowsBytes } from "./host_rows.ts";
import { RowFile } from "./row_file.ts";
import { indexBytes } from "./sizes.ts";
import type { SpilledJoin } from "./spilled_join.ts";

/** Rows of the build side that have the same hash. They are taken once. */
export class BuildPartition {
  readonly #join: SpilledJoin;
  #parts: HostRows[] = [];
  #file: RowFile | undefined;
  numRows = 0;
  /** Bytes of the rows, and of their keys where these are no column of theirs. */
  numBytes = 0;

  constructor(join: SpilledJoin) {
    this.#join = join;
  }

  /** Whether its rows are in a file. */
  get isSpilled(): boolean {
    return this.#file !== undefined;
  }

  /** Bytes of a join table of its rows, at most. */
  get tableBytes(): number {
    return this.numBytes + indexBytes(this.numRows, this.#join.shape.keyType);
  }

  /** Whether a table can be made of it while nothing else of the build side is in memory. */
  get fits(): boolean {
    const { rows, tables } = this.#join.sizes;
    // Rows are in memory twice while they are put behind each other.
    return this.numBytes + this.tableBytes <= rows && this.tableBytes <= tables;
  }

  /** Adds rows whose buffers are theirs alone. */
  add(rows: HostRows, numBytes: number): void {
    this.numRows += rows.numRows;
    this.numBytes += numBytes;
    if (this.#file === undefined) this.#parts.push(rows);
    else this.#file.take(rows);
  }

  /** Moves the rows to a file. */
  spill(): void {
    const { context, sizes } = this.#join;
    this.#file = new RowFile(context.folder, sizes.piece);
    for (const rows of this.#parts.splice(0)) this.#file.take(rows);
  }

  /** Ends the adding. */
  finish(): void {
    this.#file?.finish();
  }

  /** Forgets the rows. */
  drop(): void {
    this.#parts = [];
    this.#file?.remove();
  }

  /** The rows in pieces, which it forgets. */
  async *take(): AsyncGenerator<HostRows, void, void> {
    for (let part = this.#parts.shift(); part !== undefined; part = this.#parts.shift()) yield part;
    if (this.#file === undefined) return;
    yield* this.#file.rows();
    this.#file.remove();
  }

  /** All rows at once, which it forgets. It has some. */
  async takeAll(): Promise<HostRows> {
    const parts: HostRows[] = [];
    for await (const rows of this.take()) parts.push(rows);
    const all = concatRows(parts);
    if (parts.length > 1) parts.forEach(freeRows);
    return all;
  }
}

/** All partitions of a build side, while it is read. */
export class BuildPartitions {
  readonly #join: SpilledJoin;
  readonly seed: number;
  readonly partitions: readonly BuildPartition[];
  /** No rows, of the same columns. */
  readonly like: HostRows;
  #numBytes = 0;

  /** `fanOut` partitions, a power of two. Sides that are partitioned again need another seed. */
  constructor(join: SpilledJoin, seed: number, fanOut: number, like: HostRows) {
    this.#join = join;
    this.seed = seed;
    this.like = like;
    this.partitions = Array.from({ length: fanOut }, () => new BuildPartition(join));
  }

  /** Bytes of all rows, in memory or not. */
  get numBytes(): number {
    return this.#numBytes;
  }

  /** Adds rows, which are copied. Partitions go to files while there is no room, the largest first. */
  add(rows: HostRows): void {
    const { shape, kind } = this.#join;
    const key = shape.build.keyOf(rows);
    const nulls = shape.nullsEqual
      ? "with their hash"
      : kind.lastRows === "unmatched"
      ? "anywhere"
      : "nowhere";
    const places = partitionsOf(key, this.seed, this.partitions.length, nulls);
    const keyBytes = rows.columns.includes(key) ? 0 : columnBytes(key) / rows.numRows;
    rowsByPlace(places, this.partitions.length).forEach((selection, place) => {
      if (selection.length === 0) return;
      const taken = gatherRows(rows, selection);
      const numBytes = rowsBytes(taken) + keyBytes * taken.numRows;
      this.partitions[place]!.add(taken, numBytes);
      this.#numBytes += numBytes;
    });
    this.#makeRoom();
  }

  /** Ends the adding. */
  finish(): void {
    for (const partition of this.partitions) partition.finish();
  }

  /**
   * The partitions that tables can be made of all at once, and those that are joined one after the
   * other, the ones in memory first. Those without rows are in neither.
   */
  divide(): { readonly active: BuildPartition[]; readonly deferred: BuildPartition[] } {
    const active: BuildPartition[] = [];
    const deferred: BuildPartition[] = [];
    let room = this.#join.sizes.tables;
    for (const partition of this.partitions) {
      if (partition.numRows === 0) continue;
      const isActive = !partition.isSpilled && partition.tableBytes <= room;
      if (isActive) room -= partition.tableBytes;
      (isActive ? active : deferred).push(partition);
    }
    deferred.sort((left, right) => Number(left.isSpilled) - Number(right.isSpilled));
    return { active, deferred };
  }

  #makeRoom(): void {
    const inMemory = this.partitions.filter(({ isSpilled }) => !isSpilled)
      .sort((left, right) => right.numBytes - left.numBytes);
    let needed = inMemory.reduce((sum, { tableBytes }) => sum + tableBytes, 0);
    for (const partition of inMemory) {
      // One after the other is put together to a table, and then is in memory twice.
      if (needed + partition.numBytes <= this.#join.sizes.rows) return;
      needed -= partition.tableBytes;
      if (partition.numRows > 0) partition.spill();
    }
  }
}
