/**
 * The peers as contenders that compute one column of text from a table in their own memory. The
 * result stays there, whole; no row is fetched.
 *
 * @module
 */

import { collectGarbage } from "./collect_garbage.ts";
import type { Contender } from "./contest.ts";
import type { DuckDb } from "./duckdb.ts";
import { digestDataFrame, type Polars } from "./polars.ts";

/** DuckDB, with the column as an SQL expression over the table `input`, which is loaded. */
export function duckDbContender(db: DuckDb, sql: string): Contender {
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

/** Polars, with the column as an expression of its own over a data frame. */
export function polarsContender(
  { pl, name, threads }: Polars,
  // deno-lint-ignore no-explicit-any
  input: any,
  // deno-lint-ignore no-explicit-any
  expression: any,
): Contender {
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
    digest: () => Promise.resolve(digestDataFrame(pl, output, "value")),
  };
}
