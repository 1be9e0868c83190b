/**
 * Joins both sides partition by partition: a hybrid hash join.
 *
 * The partitions of the build side that fit into memory have tables, and their probe rows are joined as
 * they arrive. The probe rows of the other partitions go to files. These partitions are joined later, one
 * after another, and divided again if they are too large. Spilling only the rest is the idea of DeWitt
 * and others, 1984, and of Kuiper and others, "Saving Private Hash Join", VLDB 2025.
 *
 * @module
 */

import type { JoinTable } from "../../../gpu/backend.ts";
import { cutBlocks, evenBlocks } from "../../spill/blocks.ts";
import { type BuildPartition, BuildPartitions, takeAll } from "./build_partitions.ts";
import { divideRows, partitionsOf } from "../../spill/divide.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import { joinChunks } from "./join_chunks.ts";
import { mergeRuns } from "../../spill/merge_runs.ts";
import type { RowFile } from "../../spill/row_file.ts";
import { FAN_OUT } from "../../spill/sizes.ts";
import type { RunRows } from "../shared/restore_order.ts";
import type { SpilledJoin } from "./spilled_join.ts";
import { buildOnlyOf, makeEmptyTable, makeTable, probeNumbered, probeTable } from "./tables.ts";

/**
 * A partition with more than this share of the rows consists mostly of one key, or of a few, so dividing
 * it again would not help.
 */
const MOST_OF_ALL = 0.5;

/** Joins the rows of `probe` with the partitions of the build side, and takes ownership of these. */
export async function* joinPartitions(
  join: SpilledJoin,
  build: BuildPartitions,
  probe: AsyncIterable<HostRows>,
): AsyncGenerator<RunRows, void, void> {
  const { tables: groups, deferred } = build.divide();
  const files = deferred.map(() => join.spill.newFile());
  const tables: JoinTable[] = [];
  try {
    for (const group of groups) tables.push(await makeTable(join, await takeAll(group)));
    if (join.kind.unmatchedRows > 0) tables.push(await makeEmptyTable(join, build.like));
    const placeOf = placesOf(join, build, groups, deferred);
    yield* probeTables(join, build.seed, placeOf, tables, files, probe);
    yield* buildOnlyOf(join, tables);
  } finally {
    for (const table of tables) table.release();
  }
  for (const [index, partition] of deferred.entries()) {
    join.spill.checkSignal();
    yield* joinDeferred(join, build, partition, files[index]!);
    files[index]!.remove();
  }
}

/**
 * Returns the place of the probe rows of each partition: the number of a table, or after all tables that
 * of a file. The last entry is for rows that match nothing, as is that of a partition without rows: the
 * table without rows, or -1 where such rows do not come out.
 */
function placesOf(
  { kind }: SpilledJoin,
  { partitions }: BuildPartitions,
  groups: readonly (readonly BuildPartition[])[],
  deferred: readonly BuildPartition[],
): Int32Array {
  const numTables = groups.length + kind.unmatchedRows;
  const nowhere = kind.unmatchedRows > 0 ? groups.length : -1;
  const placeOf = new Int32Array(partitions.length + 1).fill(nowhere);
  groups.forEach((group, place) => {
    for (const partition of group) placeOf[partitions.indexOf(partition)] = place;
  });
  deferred.forEach((partition, file) => placeOf[partitions.indexOf(partition)] = numTables + file);
  return placeOf;
}

/** Joins the rows of the partitions with tables, and writes the other rows to files. */
async function* probeTables(
  join: SpilledJoin,
  seed: number,
  placeOf: Int32Array,
  tables: readonly JoinTable[],
  files: readonly RowFile[],
  probe: AsyncIterable<HostRows>,
): AsyncGenerator<RunRows, void, void> {
  const { shape, spill: { sizes }, numbersProbe } = join;
  const run = join.spill.nextRun();
  const numPartitions = placeOf.length - 1;
  const nulls = shape.nullsEqual ? "with their hash" : "nowhere";
  // Where results must wait for those of files anyway, rows can be gathered into larger blocks.
  const inBlocks = numbersProbe && files.length > 0 ? evenBlocks : cutBlocks;
  for await (const rows of inBlocks(probe, sizes.block)) {
    join.spill.checkSignal();
    const places = partitionsOf(shape.probe.keyOf(rows), seed, numPartitions, nulls);
    for (let row = 0; row < rows.numRows; row++) {
      const partition = places[row]!;
      places[row] = placeOf[partition < 0 ? numPartitions : partition]!;
    }
    const parts: ProbePart[] = [];
    for (const { place, rows: taken } of divideRows(rows, places, tables.length + files.length)) {
      const table = tables[place];
      if (table === undefined) files[place - tables.length]!.take(taken);
      else parts.push({ table, rows: taken });
    }
    for await (const result of probeParts(join, parts)) yield { ...result, run };
  }
  for (const file of files) file.finish();
}

/** Rows of one block, and the table that they are joined with. */
interface ProbePart {
  readonly table: JoinTable;
  readonly rows: HostRows;
}

/** Yields the results of one block, in the order of its rows if they carry numbers. */
async function* probeParts(
  join: SpilledJoin,
  parts: readonly ProbePart[],
): AsyncGenerator<Omit<RunRows, "run">, void, void> {
  if (join.numbersProbe) {
    const runs = parts.map(({ table, rows }) => probeNumbered(join, table, rows));
    for await (const rows of mergeRuns(runs, join.spill.limits)) yield { ...rows, side: "probe" };
    return;
  }
  for (const { table, rows } of parts) {
    for await (const { columns, numRows } of probeTable(join, table, rows, [])) {
      yield { side: "probe", columns, numRows };
    }
  }
}

/** Joins one partition, whose probe rows are in a file. */
async function* joinDeferred(
  join: SpilledJoin,
  { seed, numBytes, like }: BuildPartitions,
  partition: BuildPartition,
  probe: RowFile,
): AsyncGenerator<RunRows, void, void> {
  // Without probe rows there are no matches.
  if (probe.numRows === 0 && join.kind.buildOnlyRows !== "unmatched") return partition.drop();
  if (partition.fits) {
    const table = await makeTable(join, await takeAll([partition]));
    try {
      const run = join.spill.nextRun();
      for await (const rows of evenBlocks(probe.rows(), join.spill.sizes.block)) {
        join.spill.checkSignal();
        for await (const result of probeParts(join, [{ table, rows }])) yield { ...result, run };
      }
      yield* buildOnlyOf(join, [table]);
    } finally {
      table.release();
    }
  } else if (probe.numRows === 0 || partition.numBytes > MOST_OF_ALL * numBytes) {
    yield* joinChunks(join, partition.take(), probe);
  } else {
    const again = new BuildPartitions(join, seed + 1, fanOut(join, partition.numBytes), like);
    for await (const rows of evenBlocks(partition.take(), join.spill.sizes.block)) again.add(rows);
    again.finish();
    yield* joinPartitions(join, again, probe.rows());
  }
}

/** Returns the number of partitions for a build side of known size, so that a table of each fits. */
export function fanOut({ spill: { sizes } }: SpilledJoin, numBytes: number): number {
  const wanted = 4 * numBytes / Math.min(sizes.rows, sizes.tables);
  return 2 ** Math.ceil(Math.log2(Math.min(Math.max(wanted, 4), FAN_OUT)));
}
