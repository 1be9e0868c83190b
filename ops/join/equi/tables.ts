/**
 * Tables of a join, and the results of probing them if rows carry their numbers.
 *
 * @module
 */

import type { JoinTable, KeyType, ResultRows } from "../../../gpu/backend.ts";
import { type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import type { JoinHow } from "../../../gpu/join_kind.ts";
import { emptyRows, type HostRows } from "../../spill/host_rows.ts";
import { numbersOf } from "../../spill/row_numbers.ts";
import { mergeRuns, type Run } from "../../spill/merge_runs.ts";
import type { RunRows } from "../shared/restore_order.ts";
import type { SpilledJoin } from "./spilled_join.ts";

/** Returns an approximate upper bound of the bytes of a table's index: slots, and the rows of each key. */
export function indexBytes(numRows: number, keyType: KeyType): number {
  const slotBytes = keyType.kind === "int" && keyType.bits === 32 ? 8 : 16;
  const numSlots = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * numRows)));
  return numSlots * slotBytes + 13 * numRows;
}

/** Makes a table of rows of the build side; `how` may differ from the kind of the whole join. */
export function makeTable(
  { shape, numbersBuild, backend }: Pick<SpilledJoin, "shape" | "numbersBuild" | "backend">,
  rows: HostRows,
  how: JoinHow = shape.how,
): Promise<JoinTable> {
  const { keyOf, payload, buildOnlyPayload } = shape.build;
  const pick = (index: number) => rows.columns[index]!;
  const last = buildOnlyPayload.map(pick);
  return backend.buildTable({
    key: keyOf(rows),
    keyType: shape.keyType,
    payload: payload.map(pick),
    buildOnlyPayload: numbersBuild ? [...last, rows.columns.at(-1)!] : last,
    how,
    nullsEqual: shape.nullsEqual,
  });
}

/** Makes a table without rows: each probe row comes out as an unmatched one. */
export function makeEmptyTable(join: SpilledJoin, like: HostRows): Promise<JoinTable> {
  return makeTable(join, emptyRows(like));
}

/**
 * Probes a table. The results stay on the host or the device. Their columns are those of the probe side
 * that come out, then `extra`, then the payload.
 */
export function probeTable(
  { shape, spill, backend }: SpilledJoin,
  table: JoinTable,
  rows: HostRows,
  extra: readonly HostColumn[],
): AsyncIterable<ResultRows> {
  const output = shape.probe.output.map((index) => rows.columns[index]!);
  const key = shape.probe.keyOf(rows);
  return backend.probe(table, key, [...output, ...extra], rows.numRows, spill.limits);
}

/** A result on the host, with the numbers of the probe rows of its rows. */
export interface MarkedRows extends HostRows {
  readonly marks: readonly Float64Array[];
}

/** Probes a table with rows and `extra` columns of their numbers. */
export async function* probeMarked(
  join: SpilledJoin,
  table: JoinTable,
  rows: HostRows,
  extra: readonly HostColumn[],
): AsyncGenerator<MarkedRows, void, void> {
  const place = join.shape.probe.output.length;
  for await (const result of probeTable(join, table, rows, extra)) {
    const { columns, numRows } = await onHost(join, result);
    const marks = columns.slice(place, place + extra.length).map(numbersOf);
    yield { columns: columns.toSpliced(place, extra.length), numRows, marks };
  }
}

/** Probes a table with rows that carry their numbers. */
export async function* probeNumbered(join: SpilledJoin, table: JoinTable, rows: HostRows): Run {
  for await (const result of probeMarked(join, table, rows, [rows.columns.at(-1)!])) {
    yield { ...result, numbers: result.marks[0]! };
  }
}

/** Yields the build-only rows of all tables, in build order if they carry numbers. */
export async function* buildOnlyOf(
  join: SpilledJoin,
  tables: readonly JoinTable[],
): AsyncGenerator<RunRows, void, void> {
  if (join.kind.buildOnlyRows === "none") return;
  const { backend, spill } = join;
  const run = spill.nextRun();
  if (join.numbersBuild) {
    const runs = tables.map((table) => buildOnlyNumbered(join, table));
    for await (const rows of mergeRuns(runs, spill.limits)) yield { ...rows, run, side: "build" };
    return;
  }
  for (const table of tables) {
    for await (const { columns, numRows } of backend.buildOnlyRows(table, spill.limits)) {
      yield { run, side: "build", columns, numRows };
    }
  }
}

async function* buildOnlyNumbered(join: SpilledJoin, table: JoinTable): Run {
  for await (const result of join.backend.buildOnlyRows(table, join.spill.limits)) {
    const { columns, numRows } = await onHost(join, result);
    yield { numbers: numbersOf(columns.at(-1)!), columns: columns.slice(0, -1), numRows };
  }
}

/** Moves a result to the host. */
async function onHost({ backend }: SpilledJoin, result: ResultRows): Promise<HostRows> {
  const { columns, numRows } = result;
  try {
    return { columns: await backend.download(columns), numRows };
  } finally {
    columns.forEach(releaseColumn);
  }
}
