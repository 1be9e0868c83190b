/**
 * The flights within one process: 3,000,000 rows of a Parquet file get a route and a redacted name, are joined
 * twice with the airports of a CSV file, and go to a file.
 *
 * @module
 */

import { airportsFile, flightsFile } from "../tests/support/processes/sluice.ts";
import { expr, join, read, regroup, withColumns, write } from "../mod.ts";
import type { Contender, Contest } from "./support/contest.ts";
import { type BenchDevice, openDevices } from "./support/devices.ts";
import { DuckDb } from "./support/duckdb.ts";
import { FLIGHT_COLUMNS, hashRows } from "./support/hash_rows.ts";
import {
  type FileFormatName,
  fileFormats,
  fileJobs,
  runDuckDb,
  runPolars,
} from "./support/file_jobs.ts";
import { loadPolars } from "./support/polars.ts";

/** Yields the contest in each format. */
export async function* flightsContests(): AsyncGenerator<Contest, void, void> {
  for (const format of Object.keys(fileFormats) as FileFormatName[]) yield await contestOf(format);
}

async function contestOf(format: FileFormatName): Promise<Contest> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  const devices = await openDevices();
  const duckDb = await DuckDb.open();
  const polars = await loadPolars();
  const ours = devices.map((device, index) => sluice(device, `${folder}/${index}.${format}`));
  const output = `${folder}/0.${format}`;
  const [ducks, bears] = [`${folder}/duckdb.parquet`, `${folder}/polars.${format}`] as const;
  const job = fileJobs.flights();
  const sizeOf = (path: string) => Deno.statSync(path).size;
  return {
    name: `flights, 3,000,000 rows ${fileFormats[format].title}`,
    labels: { subject: "flights", operation: "flights", format },
    numRows: 3_000_000,
    get numBytes() {
      return sizeOf(flightsFile) + 2 * sizeOf(airportsFile) + sizeOf(output);
    },
    contenders: [
      ...ours,
      peer(duckDb.name, duckDb.threads, ducks, () => runDuckDb(duckDb, job, format, ducks)),
      peer(polars.name, polars.threads, bears, () => runPolars(polars.pl, job, format, bears)),
    ],
    targets: [
      { against: duckDb.name, factor: 1.3 },
      { against: polars.name, factor: 2 },
    ],
    async close() {
      for (const { engine } of devices) await engine.close();
      duckDb.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Removes an old file; otherwise the time would include replacing it. */
async function remove(path: string): Promise<void> {
  await Deno.remove(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

function sluice({ name: device, engine }: BenchDevice, path: string): Contender {
  const route = expr('origin + " > " + destination');
  const redacted = expr(
    'delay <= 0 ? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0) : "X X"',
  );
  const airports = () => read(airportsFile, { columns: ["iata", "name", "city"], engine });
  return {
    name: "Sluice",
    role: "ours",
    device,
    prepare: () => remove(path),
    run: () =>
      read(flightsFile, { engine })
        .pipeThrough(withColumns({ route }))
        .pipeThrough(join(airports(), { on: { origin: "iata" } }))
        .pipeThrough(join(airports(), { on: { destination: "iata" }, suffix: "_to" }))
        .pipeThrough(withColumns({ redacted }))
        .pipeThrough(regroup({ rows: 65_536 }))
        .pipeTo(write(path, path.endsWith(".parquet") ? { compression: "snappy" } : {})),
    digest: () => hashRows(path, FLIGHT_COLUMNS),
  };
}

function peer(name: string, threads: number, path: string, run: () => Promise<void>): Contender {
  return {
    name,
    role: "peer",
    device: `host, ${threads} threads`,
    prepare: () => remove(path),
    run,
    digest: () => hashRows(path, FLIGHT_COLUMNS),
  };
}
