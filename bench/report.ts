/**
 * `deno task bench`: every job beside its peers, in rounds, as a table, and whether the targets
 * were reached; then the speed at row sizes, peak memory, and what 64-bit offsets cost text that
 * needs none. With names as arguments (`redact`, `upper`, `strings`, `flights`, `sizes`, `memory`,
 * `offsets`), only those. `--rounds=N` sets how often everyone runs; SLUICE_BENCH_SOFTWARE=1 takes a
 * WebGPU adapter in software too. The same jobs as plain benches:
 *
 *     deno bench -A --v8-flags=--expose-gc --lock=deno.dev.lock --frozen bench/
 *
 * @module
 */

import { flightsContest } from "./flights.ts";
import { measureMemory } from "./memory.ts";
import { measureOffsets } from "./offsets.ts";
import { redactContest } from "./redact.ts";
import { measureRowSizes, rowSizeNames } from "./row_sizes.ts";
import { checkContest, type Contest } from "./support/contest.ts";
import { formatMarkdown, judge, judgementText, tableHead, tableRows } from "./support/judge.ts";
import { measureContest } from "./support/measure.ts";
import { stringContests } from "./strings.ts";
import { upperContest } from "./upper.ts";

/** Each makes contests that are held, and closed, one after the other. */
const contests: Readonly<Record<string, readonly (() => Promise<Contest[]>)[]>> = {
  redact: [600_000, 5_000_000].map((numRows) => async () => [await redactContest(numRows)]),
  upper: [async () => [await upperContest()]],
  strings: [stringContests],
  flights: [async () => [await flightsContest()]],
};

const names = Deno.args.filter((arg) => !arg.startsWith("-"));
const rounds = Deno.args.find((arg) => arg.startsWith("--rounds="))?.slice("--rounds=".length);
const numRounds = Number(rounds ?? 3);
const others = ["sizes", "memory", "offsets"];
const unknown = names.find((name) => !others.includes(name) && contests[name] === undefined);
if (unknown !== undefined || !(Number.isInteger(numRounds) && numRounds > 0)) {
  console.error(
    "deno task bench [--rounds=N] [redact] [upper] [strings] [flights] [sizes] [memory] [offsets]",
  );
  Deno.exit(2);
}
const isWanted = (name: string) => names.length === 0 || names.includes(name);

const rows: (readonly string[])[] = [...tableHead];
const judgements: string[] = [];
for (const [name, makers] of Object.entries(contests)) {
  for (const make of isWanted(name) ? makers : []) {
    for (const contest of await make()) {
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
  }
}
if (rows.length > tableHead.length) {
  console.log(`Medians of ${numRounds} rounds of three runs\n\n${formatMarkdown(rows)}\n`);
  console.log(judgements.join("\n"));
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
