/**
 * The five join questions of the db-benchmark: `x`, ten million rows, with the small, the medium (by number, as a
 * left join, by text) and the big table. The results have all columns of both sides.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { fromBatches, join } from "../mod.ts";
import { batchBytes } from "./support/columns.ts";
import type { Contest } from "./support/contest.ts";
import { dbTables } from "./support/db_tables.ts";
import { openDevices } from "./support/devices.ts";
import { DuckDb } from "./support/duckdb.ts";
import { duckDbJoin, type JoinDigest, polarsJoin, sluiceJoin } from "./support/join_contenders.ts";
import { loadDataFrame, loadPolars } from "./support/polars.ts";

/** A question of the benchmark, in its words. */
interface Question {
  readonly name: string;
  readonly table: "small" | "medium" | "big";
  readonly on: string;
  readonly how: "inner" | "left";
}

const questions: readonly Question[] = [
  { name: "small inner on int", table: "small", on: "id1", how: "inner" },
  { name: "medium inner on int", table: "medium", on: "id2", how: "inner" },
  { name: "medium outer on int", table: "medium", on: "id2", how: "left" },
  { name: "medium inner on factor", table: "medium", on: "id5", how: "inner" },
  { name: "big inner on int", table: "big", on: "id3", how: "inner" },
];

/** Returns the contests, which share their tables. */
export async function dbJoinContests(numRows: number): Promise<Contest[]> {
  const tables = dbTables(numRows);
  const devices = await openDevices();
  const duckDb = await DuckDb.open();
  const polars = await loadPolars();
  // deno-lint-ignore no-explicit-any
  const frames: Record<string, any> = {};
  for (const [name, batches] of Object.entries<readonly RecordBatch[]>({ ...tables })) {
    await duckDb.load(name, batches);
    frames[name] = (await loadDataFrame(polars.pl, batches)).lazy();
  }
  let numOpen = questions.length;
  return questions.map(({ name, table, on, how }): Contest => {
    const build = tables[table];
    // `label` is a text of the build side under its new name; `sample` has small keys of `x`.
    const digest: JoinDigest = {
      value: "id3",
      // The small table has no number but its key.
      number: table === "small" ? "id2" : "id1_right",
      label: "id4_right",
      sample: [1, 2, 3, 1000, 1001],
    };
    return {
      name: `db-benchmark: ${name}`,
      numRows,
      numBytes: 2 * batchBytes(tables.x) + batchBytes(build),
      contenders: [
        ...devices.map((device) =>
          sluiceJoin(
            device,
            tables.x,
            (stream) =>
              stream.pipeThrough(
                join(fromBatches([...build], { engine: device.engine }), { on, how }),
              ),
            digest,
          )
        ),
        duckDbJoin(duckDb, questionSql(table, on, how, tables), digest),
        polarsJoin(
          polars,
          frames.x.join(frames[table], { on, how, suffix: "_right" }),
          digest,
        ),
      ],
      targets: [{ against: "the faster peer", factor: 1 }],
      async close() {
        if (--numOpen > 0) return;
        for (const { engine } of devices) await engine.close();
        duckDb.close();
      },
    };
  });
}

/** Returns the statement. It renames columns of the build side as our join does. */
function questionSql(
  table: Question["table"],
  on: string,
  how: string,
  tables: { readonly [name in "x" | Question["table"]]: readonly RecordBatch[] },
): string {
  const taken = new Set(namesOf(tables.x));
  const added = namesOf(tables[table]).filter((name) => name !== on)
    .map((name) => `${table}.${name}${taken.has(name) ? ` as ${name}_right` : ""}`);
  return `select x.*, ${added.join(", ")} from x ${how} join ${table} using (${on})`;
}

function namesOf(batches: readonly RecordBatch[]): string[] {
  return batches[0]!.schema.fields.map(({ name }) => name);
}
