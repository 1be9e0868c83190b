/**
 * Runs a job from files to a file with a peer, in its own process.
 *
 *     deno run -A --lock=deno.dev.lock --frozen bench/peer_process.ts duckdb flights parquet OUTPUT
 *     deno run -A --lock=deno.dev.lock --frozen bench/peer_process.ts polars join arrow OUTPUT PROBE BUILD
 *
 * @module
 */

// Nothing here loads our library: that time would be measured too.
import { loadPeer } from "../tests/support/judges/peers.ts";
import { type FileFormatName, fileJobs, runDuckDb, runPolars } from "./support/file_jobs.ts";

const [peer, name, format, path, ...files] = Deno.args as [
  string,
  keyof typeof fileJobs,
  FileFormatName,
  string,
  ...string[],
];
const [probe, build] = files as [string, string];
const job = fileJobs[name](probe, build);
if (peer === "duckdb") {
  const { DuckDBInstance } = await loadPeer("duckdb");
  const threads = `${navigator.hardwareConcurrency}`;
  const instance = await DuckDBInstance.create(":memory:", { threads });
  const connection = await instance.connect();
  await runDuckDb(connection, job, format, path);
  connection.closeSync();
  instance.closeSync();
} else {
  const { default: pl } = await loadPeer("polars");
  await runPolars(pl, job, format, path);
}
