/**
 * Runs jobs over text far below the threshold of 64-bit offsets, in its own process and with any version of the
 * library. Prints the least milliseconds of each job as JSON.
 *
 *     deno run -A bench/offsets_job.ts DIRECTORY [afterWide]
 *
 * DIRECTORY is a checkout. With `afterWide`, every job first runs with 64-bit offsets, so that V8 does not optimize
 * its code for 32-bit offsets alone.
 *
 * It measures processor time, which other work on the machine affects least.
 *
 * @module
 */

import process from "node:process";
import { pathToFileURL } from "node:url";
import type { RecordBatch } from "apache-arrow";
import type { BatchStream, Engine } from "../mod.ts";
import { textBatches, words } from "./support/names.ts";

const NUM_ROWS = 1_000_000;
const WARM_UP_RUNS = 3;
const MEASURED_RUNS = 15;

type Sluice = typeof import("../mod.ts");
type Job = (stream: BatchStream, build: BatchStream, sluice: Sluice) => BatchStream;

const withExpr = (text: string): Job => (stream, _, { expr, withColumns }) =>
  stream.pipeThrough(withColumns({ name: expr(text) }));

/** Every operator that reads or makes offsets. */
const jobs: Readonly<Record<string, Job>> = {
  "name.upper()": withExpr("name.upper()"),
  'name + "b"': withExpr('name + "b"'),
  "name.slice(2, 8)": withExpr("name.slice(2, 8)"),
  'name.contains("an")': withExpr('name.contains("an")'),
  'name.replace(" ", " von ")': withExpr('name.replace(" ", " von ")'),
  'name.splitPart(" ", 1)': withExpr('name.splitPart(" ", 1)'),
  "filter": (stream, _, { expr, filter }) =>
    stream.pipeThrough(filter(expr('name.contains("an")'))),
  "join": (stream, build, { join }) => stream.pipeThrough(join(build, { on: "first" })),
  "regroup": (stream, _, { regroup }) => stream.pipeThrough(regroup({ rows: 250_000 })),
};

if (import.meta.main) {
  const [directory, mode] = Deno.args;
  if (directory === undefined) throw new TypeError("Give the directory of a checkout");
  const sluice: Sluice = await import(pathToFileURL(`${directory}/mod.ts`).href);
  const { names, build } = inputs();
  const least: Record<string, number> = {};
  const wide = sluice.createEngine({ device: "cpu", threshold: 1 });
  const narrow = sluice.createEngine({ device: "cpu" });
  for (const job of mode === "afterWide" ? Object.values(jobs) : []) {
    for (let run = 0; run < WARM_UP_RUNS; run++) await runJob(sluice, job, wide, names, build);
  }
  for (const [name, job] of Object.entries(jobs)) {
    const times: number[] = [];
    for (let run = -WARM_UP_RUNS; run < MEASURED_RUNS; run++) {
      const start = process.cpuUsage();
      await runJob(sluice, job, narrow, names, build);
      const { user, system } = process.cpuUsage(start);
      if (run >= 0) times.push((user + system) / 1000);
    }
    least[name] = Math.min(...times);
  }
  console.log(JSON.stringify(least));
}

function inputs(): { readonly names: RecordBatch[]; readonly build: RecordBatch[] } {
  const first = words(2_000, 1);
  const last = words(5_000, 2);
  const pick = (from: readonly string[], random: () => number) => from[random() % from.length]!;
  const names = textBatches(NUM_ROWS, {
    first: (random) => pick(first, random),
    name: (random) => `${pick(first, random)} ${pick(last, random)}`,
  });
  let row = 0;
  const build = textBatches(first.length, {
    first: () => first[row++]!,
    city: (random) => pick(last, random),
  });
  return { names, build };
}

async function runJob(
  { fromBatches, ...sluice }: Sluice,
  job: Job,
  engine: Engine,
  names: readonly RecordBatch[],
  build: readonly RecordBatch[],
): Promise<void> {
  const stream = fromBatches(names, { engine });
  const side = fromBatches(build, { engine });
  let numRows = 0;
  for await (const batch of job(stream, side, { fromBatches, ...sluice })) numRows += batch.numRows;
  if (numRows === 0) throw new Error("No row came out");
}
