/**
 * The flights: 3,000,000 rows of a Parquet file get a route and a redacted name, meet the airports
 * of a CSV file twice, and go to a file: Arrow, for DuckDB Parquet, which is what it writes.
 *
 * @module
 */

import { airportsFile, flightsFile } from "../tests/support/sluice.ts";
import { expr, join, read, regroup, withColumns, write } from "../mod.ts";
import type { Contender, Contest } from "./support/contest.ts";
import { type BenchDevice, openDevices } from "./support/devices.ts";
import { DuckDb } from "./support/duckdb.ts";
import { hashRows } from "./support/hash_rows.ts";
import { loadPolars, type Polars } from "./support/polars.ts";

/** Columns of text in the result; what the rows are compared by. */
const TEXTS = ["origin", "destination", "route", "name", "city", "name_to", "city_to", "redacted"];

/** The contest. */
export async function flightsContest(): Promise<Contest> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  const devices = await openDevices();
  const duckDb = await DuckDb.open();
  const polars = await loadPolars();
  const ours = devices.map((device, index) => sluice(device, `${folder}/${index}.arrow`));
  const output = `${folder}/0.arrow`;
  const sizeOf = (path: string) => Deno.statSync(path).size;
  return {
    name: "flights, 3,000,000 rows to a file",
    numRows: 3_000_000,
    get numBytes() {
      return sizeOf(flightsFile) + 2 * sizeOf(airportsFile) + sizeOf(output);
    },
    contenders: [
      ...ours,
      duckDbContender(duckDb, `${folder}/duckdb.parquet`),
      polarsContender(polars, `${folder}/polars.arrow`),
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

/** A file in the place of an old one would be measured with the removal of the old one. */
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
        .pipeTo(write(path)),
    digest: () => hashRows(path, TEXTS),
  };
}

function duckDbContender(db: DuckDb, path: string): Contender {
  // A name without a blank gives null, as in the expression.
  const sql = `copy (
    select flights.*, origin || ' > ' || destination as route,
      start.name, start.city, stop.name as name_to, stop.city as city_to,
      case when delay <= 0 then case when contains(start.name, ' ')
        then substr(split_part(start.name, ' ', 2), 1, 1) || ' ' || split_part(start.name, ' ', 1)
        end else 'X X' end as redacted
    from read_parquet('${flightsFile}') as flights
      join read_csv('${airportsFile}') as start on flights.origin = start.iata
      join read_csv('${airportsFile}') as stop on flights.destination = stop.iata
  ) to '${path}' (format parquet)`;
  return {
    name: db.name,
    role: "peer",
    device: `host, ${db.threads} threads`,
    prepare: () => remove(path),
    run: () => db.run(sql),
    digest: () => hashRows(path, TEXTS),
  };
}

function polarsContender({ pl, name, threads }: Polars, path: string): Contender {
  const airports = () => pl.scanCSV(airportsFile).select("iata", "name", "city");
  const parts = pl.col("name").str.split(" ");
  // Unlike `concatString`, a sum with null is null.
  const redacted = parts.lst.get(1).str.slice(0, 1).plus(pl.lit(" ")).plus(parts.lst.get(0));
  const early = pl.col("delay").ltEq(0);
  const run = async () => {
    await pl.scanParquet(flightsFile)
      .withColumns(
        pl.concatString([pl.col("origin"), pl.lit(" > "), pl.col("destination")], "").alias(
          "route",
        ),
      )
      .join(airports(), { leftOn: "origin", rightOn: "iata", how: "inner" })
      .join(airports(), {
        leftOn: "destination",
        rightOn: "iata",
        how: "inner",
        suffix: "_to",
      })
      .withColumns(pl.when(early).then(redacted).otherwise(pl.lit("X X")).alias("redacted"))
      .sinkIpc(path, { compression: "uncompressed" })
      .collect();
  };
  return {
    name,
    role: "peer",
    device: `host, ${threads} threads`,
    prepare: () => remove(path),
    run,
    digest: () => hashRows(path, TEXTS),
  };
}
