/**
 * The peers as contenders that compute one column of text from a table in their own memory. The
 * result stays there, whole; no row is fetched.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { collectGarbage } from "./collect_garbage.ts";
import type { Contender } from "./contest.ts";
import type { DuckDb } from "./duckdb.ts";
import { digestDataFrame, loadDataFrame, type Polars } from "./polars.ts";

/** DuckDB, with the column as an SQL expression. */
export async function duckDbContender(
  db: DuckDb,
  batches: readonly RecordBatch[],
  sql: string,
): Promise<Contender> {
  await db.load("input", batches);
  return {
    name: db.name,
    role: "peer",
    device: `host, ${db.threads} threads`,
    prepare: collectGarbage,
    // A materialised result, which takes less time than a table of it.
    run: () => db.run(`select ${sql} as value from input`),
    async digest() {
      await db.run(`create or replace temp table output as select ${sql} as value from input`);
      return await db.digest("output", "value");
    },
  };
}

/** Polars, with the column as an expression of its own. */
export async function polarsContender(
  { pl, name, threads }: Polars,
  batches: readonly RecordBatch[],
  // deno-lint-ignore no-explicit-any
  expression: any,
): Promise<Contender> {
  const input = await loadDataFrame(pl, batches);
  // deno-lint-ignore no-explicit-any
  let output: any;
  return {
    name,
    role: "peer",
    device: `host, ${threads} threads`,
    prepare: collectGarbage,
    async run() {
      output = await input.lazy().select(expression.alias("value")).collect();
    },
    digest: () => Promise.resolve(digestDataFrame(output, "value")),
  };
}
