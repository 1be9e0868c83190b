/**
 * Measures whole processes, from start to exit: the flights, with airports and alone, and a join of ten million
 * rows with a million, from files to a file. Measures elapsed time, processor time and memory.
 *
 * @module
 */

import { createEngine, fromBatches, read, write } from "../mod.ts";
import { checkoutPath } from "../tests/support/processes/sluice.ts";
import type { Contender, Contest } from "./support/contest.ts";
import { type FileFormatName, fileFormats, type FileJob, fileJobs } from "./support/file_jobs.ts";
import { FLIGHT_COLUMNS, hashRows } from "./support/hash_rows.ts";
import { digestJoin, type JoinDigest } from "./support/join_contenders.ts";
import { joinTables } from "./support/join_tables.ts";
import { loadPolars } from "./support/polars.ts";
import { DuckDb } from "./support/duckdb.ts";
import { processUsage, sluiceArgs } from "./support/process_usage.ts";
import { sampleRows } from "./support/sampled_text.ts";

const NUM_BUILD_ROWS = 1_000_000;

/** A job, and the digest of its result. */
interface ProcessJob {
  readonly name: keyof typeof fileJobs;
  readonly title: string;
  readonly numRows: number;
  /** The files that it reads, unless the job has them itself. */
  readonly files: readonly string[];
  readonly job: FileJob;
  digest(path: string): Promise<string>;
  /** Our targets. */
  readonly targets: Contest["targets"];
}

/** Yields the contests of the flights, in each format. */
export async function* flightsProcesses(): AsyncGenerator<Contest, void, void> {
  yield* contestsOf({
    name: "flights",
    title: "flights, 3,000,000 rows",
    numRows: 3_000_000,
    files: [],
    job: fileJobs.flights(),
    digest: (path) => hashRows(path, FLIGHT_COLUMNS),
    targets: [{ against: "DuckDB", factor: 1.3 }],
  });
}

/** Yields the contests that read and write the flights alone, in each format. */
export async function* copyProcesses(): AsyncGenerator<Contest, void, void> {
  yield* contestsOf({
    name: "copy",
    title: "flights read and written, 3,000,000 rows",
    numRows: 3_000_000,
    files: [],
    job: fileJobs.copy(),
    digest: (path) => hashRows(path, FLIGHT_COLUMNS.slice(0, 4)),
    targets: [{ against: "DuckDB", factor: 1 }],
  });
}

/** Yields the contests of the join, in each format. */
export async function* joinProcesses(numRows: number): AsyncGenerator<Contest, void, void> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  try {
    const [probe, build] = await writeJoinFiles(folder, numRows);
    const digest: JoinDigest = {
      value: "value",
      number: "number",
      label: "label",
      sample: sampleRows(numRows),
    };
    yield* contestsOf({
      name: "join",
      title: `join, ${numRows.toLocaleString("en")} rows by ${NUM_BUILD_ROWS.toLocaleString("en")}`,
      numRows,
      files: [probe, build],
      job: fileJobs.join(probe, build),
      digest: (path) => digestJoin(read(path, { engine: createEngine({ device: "cpu" }) }), digest),
      targets: [{ against: "DuckDB", factor: 1 }],
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Writes the tables of the join to a folder. Returns the paths of the probe side and the build side. */
export async function writeJoinFiles(
  folder: string,
  numRows: number,
): Promise<[probe: string, build: string]> {
  const { probe, build } = await joinTables("int32", numRows, NUM_BUILD_ROWS);
  const paths = [`${folder}/probe.parquet`, `${folder}/build.parquet`] as const;
  await fromBatches([...probe]).pipeTo(write(paths[0], { compression: "none" }));
  await fromBatches([...build]).pipeTo(write(paths[1], { compression: "none" }));
  return [...paths];
}

async function* contestsOf(job: ProcessJob): AsyncGenerator<Contest, void, void> {
  for (const format of Object.keys(fileFormats) as FileFormatName[]) {
    yield await contestOf(job, format);
  }
}

async function contestOf(job: ProcessJob, format: FileFormatName): Promise<Contest> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  const { duckDb, polars } = await peerNames();
  const [ours, ducks, bears] = [
    `${folder}/sluice.${format}`,
    `${folder}/duckdb.parquet`,
    `${folder}/polars.${format}`,
  ] as const;
  const { words } = job.job;
  const compression = format === "parquet" ? ["--compression", "snappy"] : [];
  const sluice = sluiceArgs(["--quiet", ...words, "then", "write", ours, ...compression]);
  return {
    name: `processes: ${job.title}, ${fileFormats[format].title}`,
    labels: { subject: "processes", operation: job.title, format },
    numRows: job.numRows,
    get numBytes() {
      return Deno.statSync(ours).size;
    },
    contenders: [
      contender(job, "Sluice", "ours", sluice, ours),
      contender(job, duckDb, "peer", peerArgs(job, "duckdb", format, ducks), ducks),
      contender(job, polars, "peer", peerArgs(job, "polars", format, bears), bears),
    ],
    warmUpRuns: 1,
    targets: job.targets.map((target) => ({ ...target, against: duckDb })),
    close: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Returns the arguments of Deno for a peer. */
function peerArgs(
  { name, files }: ProcessJob,
  peer: "duckdb" | "polars",
  format: FileFormatName,
  path: string,
): string[] {
  const lock = `--lock=${checkoutPath("deno.dev.lock")}`;
  const script = checkoutPath("bench/peer_process.ts");
  return [
    "run",
    "-q",
    "-A",
    "--no-check",
    lock,
    "--frozen",
    script,
    peer,
    name,
    format,
    path,
    ...files,
  ];
}

function contender(
  { digest }: ProcessJob,
  name: string,
  role: Contender["role"],
  args: readonly string[],
  path: string,
): Contender {
  return {
    name,
    role,
    device: "host",
    // Otherwise the time would include replacing the old file.
    async prepare() {
      await Deno.remove(path).catch(() => {});
    },
    run: () => processUsage(args),
    digest: () => digest(path),
  };
}

/** Returns the names of the peers, with their versions. */
async function peerNames(): Promise<{ readonly duckDb: string; readonly polars: string }> {
  const db = await DuckDb.open();
  const { name } = await loadPolars();
  db.close();
  return { duckDb: db.name, polars: name };
}
