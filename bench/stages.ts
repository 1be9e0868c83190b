/**
 * Measures where a whole process of Sluice spends its time, from start to exit: the time of the same command over no
 * rows, of each step of its pipeline, and after the last bytes. Another process watches the file; the times of steps
 * are those of `--stats`, the time that the next step waited for each.
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
interface Stage {
  readonly name: string;
  /** Milliseconds of the process, after the earlier stages. */
  readonly elapsedMs: number;
}

/** A job and its stages, whose times add up to that of the whole process. */
export interface StagedJob {
  readonly title: string;
  readonly stages: readonly Stage[];
  readonly processorMs: number;
}

/** The number of runs of a job; the median one is shown. */
const NUM_RUNS = 5;

/** Measures the flights, and a join of `numRows` rows with a million. */
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

/** Processes that ran one after the other. */
interface Runs {
  /** The time in which Deno runs an empty module. */
  readonly startMs: number;
  /** The job over no rows, and over all. */
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

/** Returns the steps that `--stats` prints for the run whose source yields the most rows. */
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
