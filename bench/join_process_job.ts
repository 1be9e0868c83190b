/**
 * A peer joins two Parquet files to a file, in a process of its own.
 *
 *     deno run -A --lock=deno.dev.lock --frozen bench/join_process_job.ts duckdb PROBE BUILD OUTPUT
 *
 * @module
 */

import { loadPeer } from "../tests/support/peers.ts";

/** What each of them does. */
const jobs = { duckdb: joinWithDuckDb, polars: joinWithPolars } as const;

if (import.meta.main) {
  const [peer, probe, build, output] = Deno.args;
  const job = jobs[peer as keyof typeof jobs];
  if (job === undefined || probe === undefined || build === undefined || output === undefined) {
    throw new TypeError("Give duckdb or polars, two Parquet files and a file to write");
  }
  await job(probe, build, output);
}

async function joinWithDuckDb(probe: string, build: string, output: string): Promise<void> {
  const { DuckDBInstance } = await loadPeer("duckdb");
  const threads = `${navigator.hardwareConcurrency}`;
  const instance = await DuckDBInstance.create(":memory:", { threads });
  const connection = await instance.connect();
  await connection.run(`copy (
    select * from read_parquet('${probe}') as probe
      join read_parquet('${build}') as build using (key)
  ) to '${output}' (format parquet, compression uncompressed)`);
  connection.closeSync();
  instance.closeSync();
}

async function joinWithPolars(probe: string, build: string, output: string): Promise<void> {
  const { default: pl } = await loadPeer("polars");
  await pl.scanParquet(probe)
    .join(pl.scanParquet(build), { on: "key", how: "inner" })
    .sinkIpc(output, { compression: "uncompressed" })
    .collect();
}
