/**
 * `deno task bench`: measures this checkout against its peers (report.ts); with `compare` two commits against
 * each other (compare.ts), with `publish` the numbers of docs/speed.md (publish.ts), with `gpu` the kernels of a
 * device (gpu_bench.ts).
 *
 * Names as arguments select benches (`redact`, `strings`, `numbers`, `flights`, `processes`, `join`, `regroup`, `slices`,
 * `sizes`, `growth`, `stages`, `memory`, `offsets`, `rechunk`, `boxes`, or a part such as `strings/real` or
 * `join/int32`); `charts` only draws earlier results. `--rounds=N` sets the number of rounds, `--rows=N` the
 * rows of joins and numbers, of the files of slices and of the texts of strings, and the most rows of growth.
 * `--out=FOLDER` is the folder for `results.json` and the charts (default: `bench/data/results`); earlier
 * results of the same code on the same machine stay there. SLUICE_BENCH_SOFTWARE=1 also uses a software
 * adapter.
 *
 * @module
 */

import { count, endWith, namesGiven, option } from "./support/arguments.ts";

const GPU_USAGE =
  "deno task bench gpu [quick] [--rows=N] [--minutes=N] [--only=WORK] [--out=FOLDER]";

const [first, commits, ...rest] = namesGiven();
if (first === "compare") await compareCommits();
else if (first === "publish") await publishResults();
else if (first === "gpu") await measureGpu();
else await reportJobs();

async function compareCommits(): Promise<void> {
  const { compare, compareNames } = await import("./compare.ts");
  const isKnown = rest.every((name) => compareNames.includes(name));
  if (commits === undefined || !isKnown) {
    const choices = compareNames.map((name) => `[${name}]`).join(" ");
    endWith(`deno task bench compare COMMIT[..COMMIT] [--rounds=N] [--rows=N] ${choices}`);
  }
  const table = await compare({
    commits,
    names: rest.length === 0 ? ["real", "start"] : rest,
    numPairs: count("rounds") ?? 11,
    numRows: count("rows"),
    onJob: (name) => console.error(`${name} ...`),
  });
  console.log(table);
}

async function publishResults(): Promise<void> {
  const { publish } = await import("./publish.ts");
  const names = namesGiven().slice(1);
  await checkNames(names);
  const [numRounds, numRows, numMinutes] = ["rounds", "rows", "minutes"].map(count);
  endOn(await publish({ names, numRounds, numRows, numMinutes }));
}

async function measureGpu(): Promise<void> {
  const { benchGpu } = await import("./gpu_bench.ts");
  const how = namesGiven().slice(1);
  if (how.some((name) => name !== "quick")) endWith(GPU_USAGE);
  endOn(
    await benchGpu({
      isQuick: how.includes("quick"),
      numRows: count("rows"),
      numMinutes: count("minutes"),
      only: option("only") ?? "",
      folder: option("out") ?? "bench/data/results",
    }),
  );
}

async function reportJobs(): Promise<void> {
  const { report } = await import("./report.ts");
  const names = namesGiven();
  await checkNames(names);
  const { failures } = await report({
    names,
    numRounds: count("rounds") ?? 3,
    numRows: count("rows"),
    folder: option("out") ?? "bench/data/results",
  });
  endOn(failures);
}

/** Ends the process if a name is unknown. */
async function checkNames(names: readonly string[]): Promise<void> {
  const { isPart, reportNames } = await import("./report.ts");
  const all = reportNames();
  if (names.some((wanted) => !all.some((name) => isPart(name, wanted)))) endWithUsage(all);
}

/** Ends the process with status 1 if something failed. */
function endOn(failures: readonly string[]): void {
  if (failures.length === 0) return;
  console.error(failures.join("\n"));
  Deno.exit(1);
}

function endWithUsage(all: readonly string[]): never {
  const groups = [...new Set(all.map((name) => name.split("/")[0]))];
  const options = `[--rounds=N] [--rows=N] [--out=FOLDER] ${
    groups.map((name) => `[${name}]`).join(" ")
  }`;
  endWith(
    `deno task bench ${options}\nor parts of them: ${
      all.filter((name) => name.includes("/")).join(", ")
    }\ndeno task bench compare COMMIT[..COMMIT] [NAME...]\ndeno task bench publish [--minutes=N] [NAME...]\n${GPU_USAGE}`,
  );
}
