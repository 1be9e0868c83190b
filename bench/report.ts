/**
 * `deno task bench`: every job beside its peers, in rounds, as a table, and whether the targets
 * were reached; then what is measured without peers. Results are kept as JSON in a folder.
 *
 * With names as arguments (`redact`, `strings`, `flights`, `join`, `regroup`, `slices`, `sizes`,
 * `growth`, `memory`, `offsets`, `rechunk`, `boxes`, or a part such as `strings/real` or `join/int32`), only
 * those; `charts` draws what was measured before. `--rounds=N` sets how often everyone runs, `--rows=N`
 * how many rows are joined, and how many the files of slices and the texts of strings have.
 * `--out=FOLDER` says where `results.json` and the charts are written (default: `bench/data/results`);
 * what the same code measured on the same machine before stays there.
 * SLUICE_BENCH_SOFTWARE=1 takes a WebGPU adapter in software too.
 *
 * @module
 */

import { drawCharts } from "./charts/draw.ts";
import { contests } from "./contests.ts";
import { count, endWith, namesGiven, option } from "./support/arguments.ts";
import { checkContest, type Contest } from "./support/contest.ts";
import { formatMarkdown, judge, judgementText, tableHead, tableRows } from "./support/judge.ts";
import { measureContest } from "./support/measure.ts";
import { addContest, openResults, readResults, writeResults } from "./support/results.ts";
import { SliceFiles } from "./support/slice_files.ts";
import { summaries } from "./support/summaries.ts";
import { tables } from "./tables.ts";

const numRounds = count("rounds") ?? 3;
const numRows = count("rows");
const folder = option("out") ?? "bench/data/results";

const sliceFiles = new SliceFiles();
const makers = contests({ numRows, sliceFiles });
const wanted = wantedNames([...Object.keys(makers), ...Object.keys(tables), "charts"]);

await Deno.mkdir(folder, { recursive: true });
const resultsPath = `${folder}/results.json`;
const isOnlyDrawn = wanted.every((name) => name === "charts");
const results = await (isOnlyDrawn ? readResults : openResults)(resultsPath);
const rows: (readonly string[])[] = [...tableHead];
const judgements: string[] = [];
const failures: string[] = [];
try {
  for (const name of wanted) {
    for await (const contest of await makers[name]?.() ?? []) await hold(contest);
  }
  if (rows.length > tableHead.length) {
    console.log(
      `Medians of ${numRounds} rounds of three runs, of slices more\n\n${formatMarkdown(rows)}\n`,
    );
    console.log([...judgements, ...summaries(results)].join("\n"));
  }
  for (const name of wanted) {
    if (!(name in tables)) continue;
    console.error(`${name} ...`);
    const numSliceRows = numRows ?? SliceFiles.numRows;
    const lines = await tables[name]!({ numRounds, numSliceRows, sliceFiles });
    results.tables[name] = lines;
    await writeResults(resultsPath, results);
    console.log(`\n${formatMarkdown(lines)}`);
  }
} finally {
  await sliceFiles.close();
}
for (const [name, svg] of Object.entries(await drawCharts(results))) {
  await Deno.writeTextFile(`${folder}/${name}`, svg);
}
if (failures.length > 0) {
  console.error(failures.join("\n"));
  Deno.exit(1);
}

/** Holds a contest, and notes what came of it; contenders that disagree spoil only theirs. */
async function hold(contest: Contest): Promise<void> {
  try {
    console.error(`${contest.name} ...`);
    await checkContest(contest);
    const measured = await measureContest(contest, numRounds);
    rows.push(...tableRows(contest, measured));
    for (const judgement of judge(contest, measured)) {
      judgements.push(judgementText(contest, judgement));
    }
    addContest(results, contest, measured, numRounds);
    await writeResults(resultsPath, results);
  } catch (error) {
    failures.push(`${error}`);
  } finally {
    await contest.close();
  }
}

/** The names that the arguments ask for, or all; ends the process where one is not known. */
function wantedNames(all: readonly string[]): string[] {
  const names = namesGiven();
  const isPart = (name: string, wanted: string) => name === wanted || name.startsWith(`${wanted}/`);
  if (names.some((wanted) => !all.some((name) => isPart(name, wanted)))) endWithUsage(all);
  return all.filter((name) => names.length === 0 || names.some((wanted) => isPart(name, wanted)));
}

function endWithUsage(all: readonly string[]): never {
  const groups = [...new Set(all.map((name) => name.split("/")[0]))];
  const options = `[--rounds=N] [--rows=N] [--out=FOLDER] ${
    groups.map((name) => `[${name}]`).join(" ")
  }`;
  endWith(
    `deno task bench ${options}\nor parts of them: ${
      all.filter((name) => name.includes("/")).join(", ")
    }\ndeno task bench compare COMMIT[..COMMIT] [NAME...]`,
  );
}
