/**
 * `deno task bench`: every job beside its peers, in rounds, as a table, and whether the targets
 * were reached; then whether slices take longer of a larger file, the speed at row sizes, peak memory,
 * and what 64-bit offsets cost text that needs none; rechunking beside a straight copy, and copies of
 * boxes. With names as arguments (`redact`, `upper`, `strings`, `flights`, `join`, `regroup`, `slices`,
 * `sizes`, `memory`, `offsets`, `rechunk`, `boxes`, or a part such as `join/int32`), only those.
 * `--rounds=N` sets how often everyone runs, `--rows=N` how many rows are joined and how many rows the
 * files of slices have; SLUICE_BENCH_SOFTWARE=1 takes a WebGPU adapter in software too. The same jobs
 * as plain benches:
 *
 *     deno bench -A --v8-flags=--expose-gc --lock=deno.dev.lock --frozen bench/
 *
 * @module
 */

import { measureBoxes } from "./boxes.ts";
import { dbJoinContests } from "./db_join.ts";
import { flightsContest } from "./flights.ts";
import { joinContests } from "./join.ts";
import { joinProcessContest } from "./join_process.ts";
import { measureMemory } from "./memory.ts";
import { measureOffsets } from "./offsets.ts";
import { redactContest } from "./redact.ts";
import { measureRechunk } from "./rechunk.ts";
import { regroupContests } from "./regroup.ts";
import { measureRowSizes, rowSizeNames } from "./row_sizes.ts";
import { measureGrowth, sliceContests } from "./slices.ts";
import { checkContest, type Contest } from "./support/contest.ts";
import { formatMarkdown, judge, judgementText, tableHead, tableRows } from "./support/judge.ts";
import { measureContest } from "./support/measure.ts";
import { SliceFiles } from "./support/slice_files.ts";
import { stringContests } from "./strings.ts";
import { upperContest } from "./upper.ts";

const numRounds = option("rounds", 3);
const numJoinRows = option("rows", 10_000_000);
const numSliceRows = option("rows", 20_000_000);
/** Times of a file over those of a file of about a tenth of its rows, at most. */
const MOST_GROWTH = 1.2;

const sliceFiles = new SliceFiles();

/** Each makes contests that are held, and closed, one after the other. */
const contests: Readonly<Record<string, () => Promise<Contest[]>>> = {
  "redact/600k": async () => [await redactContest(600_000)],
  "redact/5m": async () => [await redactContest(5_000_000)],
  upper: async () => [await upperContest()],
  strings: stringContests,
  flights: async () => [await flightsContest()],
  ...joinContests(numJoinRows),
  "join/process": async () => [await joinProcessContest(numJoinRows)],
  "join/db-benchmark": () => dbJoinContests(numJoinRows),
  regroup: regroupContests,
  ...sliceContests(sliceFiles, numSliceRows),
};

const names = Deno.args.filter((arg) => !arg.startsWith("-"));
const others = ["slices/growth", "sizes", "memory", "offsets", "rechunk", "boxes"];
const isPart = (name: string, wanted: string) => name === wanted || name.startsWith(`${wanted}/`);
const all = [...Object.keys(contests), ...others];
const unknown = names.some((wanted) => !all.some((name) => isPart(name, wanted)));
if (unknown || ![numRounds, numJoinRows].every((count) => Number.isInteger(count) && count > 0)) {
  const groups = [...new Set(all.map((name) => name.split("/")[0]))];
  console.error(
    `deno task bench [--rounds=N] [--rows=N] ${
      groups.map((name) => `[${name}]`).join(" ")
    }\nor parts of them: ${all.filter((name) => name.includes("/")).join(", ")}`,
  );
  Deno.exit(2);
}
const isWanted = (name: string) =>
  names.length === 0 || names.some((wanted) => isPart(name, wanted));

const rows: (readonly string[])[] = [...tableHead];
const judgements: string[] = [];
try {
  for (const [name, make] of Object.entries(contests)) {
    for (const contest of isWanted(name) ? await make() : []) await hold(contest);
  }
  if (rows.length > tableHead.length) {
    console.log(
      `Medians of ${numRounds} rounds of three runs, of slices more\n\n${formatMarkdown(rows)}\n`,
    );
    console.log(judgements.join("\n"));
  }
  if (isWanted("slices/growth")) await reportGrowth();
} finally {
  await sliceFiles.close();
}

if (isWanted("sizes")) {
  console.error("row sizes ...");
  const lines: string[][] = [
    ["MB/s on the host, bytes a row", ...rowSizeNames, "Fastest to slowest from 64 bytes"],
    ["---", ...rowSizeNames.map(() => "---:"), "---:"],
  ];
  for await (const { operation, speeds, spread } of measureRowSizes()) {
    const judgement = `${spread.toFixed(2)}${spread > 3 ? ", MISSED" : ""}`;
    lines.push([operation, ...speeds.map((speed) => speed.toFixed(0)), judgement]);
  }
  console.log(`\n${formatMarkdown(lines)}`);
}

if (isWanted("memory")) {
  console.error("memory ...");
  const million = (count: number) => `${(count / 1e6).toFixed(1)}`;
  const lines: string[][] = [
    ["Stream job", "Million rows in", "Million rows out", "MB written", "Peak memory, MB"],
    ["---", "---:", "---:", "---:", "---:"],
  ];
  for await (const run of measureMemory()) {
    const { format, times, numRowsIn, numRowsOut, fileBytes, peakBytes } = run;
    lines.push([
      `flights to ${format}, ${times} times`,
      ...[numRowsIn, numRowsOut, fileBytes, peakBytes].map(million),
    ]);
  }
  console.log(`\n${formatMarkdown(lines)}`);
}

if (isWanted("offsets")) {
  console.error("offsets ...");
  const lines: string[][] = [
    ["Text below the threshold, ms", "Before 64 bits", "Now", "Ratio", "After 64 bits", "Ratio"],
    ["---", "---:", "---:", "---:", "---:", "---:"],
  ];
  for (const { job, without, now, afterWide } of await measureOffsets(numRounds)) {
    const ratio = without === undefined ? "" : (now / without).toFixed(2);
    lines.push([
      job,
      ...[without?.toFixed(1) ?? "", now.toFixed(1), ratio],
      ...[afterWide.toFixed(1), (afterWide / now).toFixed(2)],
    ]);
  }
  console.log(`\n${formatMarkdown(lines)}`);
}

if (isWanted("rechunk")) {
  console.error("rechunk ...");
  const lines: string[][] = [
    ["Rechunked, 1.1 GB", "Median, ms", "GB/s", "Of a straight copy", "Of the bound"],
    ["---", "---:", "---:", "---:", "---:"],
  ];
  for await (const time of measureRechunk(numRounds)) {
    const { store, name, medianMs, speed, ofCopy, ofBound } = time;
    const ratios = [ofCopy.toFixed(2), ofBound?.toFixed(2) ?? ""];
    lines.push([`${store}: ${name}`, medianMs.toFixed(0), speed.toFixed(2), ...ratios]);
  }
  console.log(`\n${formatMarkdown(lines)}`);
}

if (isWanted("boxes")) {
  console.error("boxes ...");
  const lines: string[][] = [];
  for await (const { job, speeds } of measureBoxes(numRounds)) {
    const names = Object.keys(speeds);
    if (lines.length === 0) {
      lines.push(["Boxes, GB/s", ...names], ["---", ...names.map(() => "---:")]);
    }
    lines.push([job, ...Object.values(speeds).map((speed) => speed.toFixed(2))]);
  }
  console.log(`\n${formatMarkdown(lines)}`);
}

/** Holds a contest, and notes what came of it. */
async function hold(contest: Contest): Promise<void> {
  try {
    console.error(`${contest.name} ...`);
    await checkContest(contest);
    const measured = await measureContest(contest, numRounds);
    rows.push(...tableRows(contest, measured));
    for (const judgement of judge(contest, measured)) {
      judgements.push(judgementText(contest, judgement));
    }
  } finally {
    await contest.close();
  }
}

async function reportGrowth(): Promise<void> {
  console.error("growth of slices ...");
  const lines: string[][] = [
    ["Slices, median ms", "Of about a tenth of the file", "Of the file", "Ratio"],
    ["---", "---:", "---:", "---:"],
  ];
  for await (
    const { job, smallMs, largeMs } of measureGrowth(sliceFiles, numSliceRows, numRounds)
  ) {
    const ratio = largeMs / smallMs;
    const judgement = `${ratio.toFixed(2)}${ratio > MOST_GROWTH ? ", MISSED" : ""}`;
    lines.push([job, smallMs.toFixed(2), largeMs.toFixed(2), judgement]);
  }
  console.log(`\n${formatMarkdown(lines)}`);
}

function option(name: string, otherwise: number): number {
  const given = Deno.args.find((arg) => arg.startsWith(`--${name}=`));
  return given === undefined ? otherwise : Number(given.slice(name.length + 3));
}
