/**
 * Jobs from files to a file, as written for each contender: the flights with airports and alone, and a join of two
 * tables.
 *
 * @module
 */

// The peers have types, which are not loaded.
// deno-lint-ignore-file no-explicit-any

import { airportsFile, flightsFile } from "../../tests/support/processes/sluice.ts";

/** A job as written for each contender. */
export interface FileJob {
  /** Our verbs from `read` up to, but not including, `write`. */
  readonly words: readonly string[];
  readonly sql: string;
  /** Returns a lazy frame. */
  readonly polars: (pl: any) => any;
}

/** The formats that the contenders write. */
export const fileFormats = {
  /** DuckDB writes no Arrow files. */
  arrow: { title: "to Arrow, DuckDB to Parquet, uncompressed", peers: "uncompressed" },
  parquet: { title: "to Parquet, snappy", peers: "snappy" },
} as const;

/** The name of a format. */
export type FileFormatName = keyof typeof fileFormats;

/** The jobs by name. */
export const fileJobs = { flights: flightsJob, copy: copyJob, join: joinJob } as const;

const REDACTED =
  'delay <= 0 ? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0) : "X X"';

/** Adds a route and a redacted name to 3,000,000 flights, and joins the airports twice. */
function flightsJob(): FileJob {
  const airports = ["join", airportsFile, "--columns", "iata,name,city"];
  return {
    words: [
      ...["read", flightsFile, "then", "with", 'route = origin + " > " + destination'],
      ...["then", ...airports, "--on", "origin=iata"],
      ...["then", ...airports, "--on", "destination=iata", "--suffix", "_to"],
      ...["then", "with", `redacted = ${REDACTED}`, "then", "regroup", "--rows", "65536"],
    ],
    // A name without a blank becomes null, as in the expression.
    sql: `select flights.*, origin || ' > ' || destination as route,
        start.name, start.city, stop.name as name_to, stop.city as city_to,
        case when delay <= 0 then case when contains(start.name, ' ')
          then substr(split_part(start.name, ' ', 2), 1, 1) || ' ' || split_part(start.name, ' ', 1)
          end else 'X X' end as redacted
      from read_parquet('${flightsFile}') as flights
        join read_csv('${airportsFile}') as start on flights.origin = start.iata
        join read_csv('${airportsFile}') as stop on flights.destination = stop.iata`,
    polars(pl) {
      const airports = () => pl.scanCSV(airportsFile).select("iata", "name", "city");
      const parts = pl.col("name").str.split(" ");
      // Unlike `concatString`, a sum with null is null.
      const redacted = parts.lst.get(1).str.slice(0, 1).plus(pl.lit(" ")).plus(parts.lst.get(0));
      const route = [pl.col("origin"), pl.lit(" > "), pl.col("destination")];
      const early = pl.col("delay").ltEq(0);
      return pl.scanParquet(flightsFile)
        .withColumns(pl.concatString(route, "").alias("route"))
        .join(airports(), { leftOn: "origin", rightOn: "iata", how: "inner" })
        .join(airports(), {
          leftOn: "destination",
          rightOn: "iata",
          how: "inner",
          suffix: "_to",
        })
        .withColumns(pl.when(early).then(redacted).otherwise(pl.lit("X X")).alias("redacted"));
    },
  };
}

/** Copies the flights: the cost of reading and writing alone. */
function copyJob(): FileJob {
  return {
    words: ["read", flightsFile],
    sql: `select * from read_parquet('${flightsFile}')`,
    polars: (pl) => pl.scanParquet(flightsFile),
  };
}

/** Joins two Parquet files by the column `key`. */
function joinJob(probe: string, build: string): FileJob {
  return {
    words: ["read", probe, "then", "join", build, "--on", "key"],
    sql: `select * from read_parquet('${probe}') as probe
      join read_parquet('${build}') as build using (key)`,
    polars: (pl) => pl.scanParquet(probe).join(pl.scanParquet(build), { on: "key", how: "inner" }),
  };
}

/** Runs a job with DuckDB. */
export async function runDuckDb(
  db: { run(sql: string): Promise<unknown> },
  { sql }: FileJob,
  format: FileFormatName,
  path: string,
): Promise<void> {
  await db.run(
    `copy (${sql}) to '${path}' (format parquet, compression ${fileFormats[format].peers})`,
  );
}

/** Runs a job with Polars. */
export async function runPolars(
  pl: any,
  { polars }: FileJob,
  format: FileFormatName,
  path: string,
): Promise<void> {
  const compression = fileFormats[format].peers;
  const frame = polars(pl);
  await (format === "arrow"
    ? frame.sinkIpc(path, { compression })
    : frame.sinkParquet(path, { compression })).collect();
}
