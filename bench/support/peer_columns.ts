/**
 * The peers as contenders that compute one column of text from a table in their own memory. They keep the whole
 * result there, and no row of it is fetched; or they hand on batches: DuckDB streams its chunks to JavaScript;
 * Polars, which has no such stream, writes Arrow to `/dev/null`.
 *
 * @module
 */

import type { ResultOptions } from "./batch_contenders.ts";
import { collectGarbage } from "./collect_garbage.ts";
import type { Contender } from "./contest.ts";
import { digestFile } from "./digest_text.ts";
import type { DuckDb } from "./duckdb.ts";
import type { Polars } from "./polars.ts";

/** Returns DuckDB, with the column as an SQL expression over the loaded table `input`. */
export function duckDbColumn(
  db: DuckDb,
  sql: string,
  { mode, collects, isCompared }: ResultOptions,
): Contender {
  const query = `select ${sql} as value from input`;
  return {
    name: db.name,
    role: "peer",
    device: `host, ${db.threads} threads`,
    spelling: sql,
    ...(collects ? { prepare: collectGarbage } : {}),
    // A materialised result, which takes less time than a table of it.
    run: () => mode === "whole" ? db.run(query) : db.stream(query),
    digest: () =>
      withFile(".parquet", async (path) => {
        const text = `select (value)::varchar as value from (${query})`;
        await db.run(`copy (${text}) to '${path}' (format parquet, compression uncompressed)`);
        return await digestFile(path, "value", isCompared);
      }),
  };
}

/** Returns Polars, with the column as an expression over a data frame. */
export function polarsColumn(
  { pl, name, threads }: Polars,
  // deno-lint-ignore no-explicit-any
  input: any,
  // deno-lint-ignore no-explicit-any
  makeExpression: (pl: any) => any,
  { mode, collects, isCompared }: ResultOptions,
): Contender {
  const kept: unknown[] = [];
  const select = () => input.lazy().select(makeExpression(pl).alias("value"));
  const sink = (path: string) => select().sinkIpc(path, { compression: "uncompressed" }).collect();
  return {
    name,
    role: "peer",
    device: `host, ${threads} threads`,
    spelling: `${makeExpression}`.replace(/^\(pl\)\s*=>\s*/, ""),
    async prepare() {
      kept.length = 0;
      if (collects) await collectGarbage();
    },
    async run() {
      kept.push(mode === "whole" ? await select().collect() : await sink("/dev/null"));
    },
    digest: () =>
      withFile(".arrow", async (path) => {
        const texts = (await select().collect()).getColumn("value").cast(pl.Utf8);
        pl.DataFrame([texts]).writeIPC(path, { compression: "uncompressed" });
        return await digestFile(path, "value", isCompared);
      }),
  };
}

async function withFile<T>(suffix: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = await Deno.makeTempFile({ prefix: "sluice-bench-", suffix });
  try {
    return await use(path);
  } finally {
    await Deno.remove(path);
  }
}
