/**
 * Where the time of a whole process of ours goes, from its start to its exit: what the same command takes
 * over no rows, each step of its pipeline, and what comes after the last bytes. The file is watched from
 * outside, and the steps are those of `--stats`: how long the next one waited for each.
 *
 * @module
 */

import { type FileJob, fileJobs } from "./support/file_jobs.ts";
import {
  processUsage,
  sluiceArgs,
  type WatchedProcess,
  watchProcess,
} from "./support/process_usage.ts";
import { writeJoinFiles } from "./processes.ts";

/** A stage of a job. */
export interface Stage {
  readonly name: string;
  /** Milliseconds of the process, after those of the stages before. */
  readonly elapsedMs: number;
}

/** A job and its stages, which take the time of the whole process together. */
export interface StagedJob {
  readonly title: string;
  readonly stages: readonly Stage[];
  readonly processorMs: number;
}

/** Runs of a job; the one in the middle is shown. */
const NUM_RUNS = 5;

/** Measures the flights, and a join of so many rows by a million. */
export async function measureStages(numRows: number): Promise<StagedJob[]> {
  const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  try {
    const files = await writeJoinFiles(folder, numRows);
    const million = (count: number) => `${Number((count / 1e6).toPrecision(2))} million`;
    return [
      await stagesOf("flights, 3 million rows to Arrow", fileJobs.flights(), folder),
      await stagesOf(
        `join, ${million(numRows)} rows by 1 million, to Arrow`,
        fileJobs.join(...files),
        folder,
      ),
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function stagesOf(title: string, { words }: FileJob, folder: string): Promise<StagedJob> {
  const target = `${folder}/target`;
  const path = `${target}/rows.arrow`;
  const emptyModule = `${folder}/empty.ts`;
  await Deno.writeTextFile(emptyModule, "");
  const runs: Runs[] = [];
  const run = async (...more: readonly string[]) => {
    await Deno.remove(target, { recursive: true }).catch(() => {});
    await Deno.mkdir(target);
    const verbs = [...words, ...more, "then", "write", path];
    return await watchProcess(sluiceArgs(["--quiet", "--stats", ...verbs]), target);
  };
  for (let round = -1; round < NUM_RUNS; round++) {
    const { elapsedMs: startMs } = await processUsage(["run", "-q", "--no-config", emptyModule]);
    const ofNoRows = await run("then", "head", "0");
    const ofAll = await run();
    if (round >= 0) runs.push({ startMs, ofNoRows, ofAll });
  }
  runs.sort((a, b) => a.ofAll.elapsedMs - b.ofAll.elapsedMs);
  const median = runs[NUM_RUNS >> 1]!;
  return { title, stages: stagesOfRun(median), processorMs: median.ofAll.processorMs };
}

/** Processes one after the other. */
interface Runs {
  /** Deno runs a module that is empty. */
  readonly startMs: number;
  /** The job over the first 0 rows, and over all. */
  readonly ofNoRows: WatchedProcess;
  readonly ofAll: WatchedProcess;
}

function stagesOfRun({ startMs, ofNoRows, ofAll: { marks, elapsedMs, stderr } }: Runs): Stage[] {
  const steps = stepsOf(stderr);
  const { lastBytes, renamed } = marks;
  const ofSteps = steps.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
  const untilPlan = Math.max(startMs, Math.min(ofNoRows.marks.renamed, lastBytes - ofSteps));
  return [
    { name: "Deno starts", elapsedMs: startMs },
    { name: "modules, plan, metadata", elapsedMs: untilPlan - startMs },
    ...steps,
    { name: "build sides, writing", elapsedMs: Math.max(0, lastBytes - untilPlan - ofSteps) },
    { name: "rename", elapsedMs: Math.max(0, renamed - lastBytes) },
    { name: "exit", elapsedMs: elapsedMs - renamed },
  ];
}

/** The steps that `--stats` prints of the run with the most rows out of its source. */
function stepsOf(printed: string): Stage[] {
  const [, ...runs] = printed.split(/^rows /m);
  const rowsOf = (run: string) => Number(/^ *([\d,]+) in/.exec(run)![1]!.replaceAll(",", ""));
  const main = runs.toSorted((a, b) => rowsOf(b) - rowsOf(a))[0] ?? "";
  const lines = main.matchAll(/^ {2}step (\d+) +([\d.]+) (ms|s) +([^:]*):/gm);
  return [...lines].map(([, step, time, unit, name]) => ({
    name: `${step}. ${name}`,
    elapsedMs: Number(time) * (unit === "s" ? 1000 : 1),
  }));
}
