/**
 * Measures how the time and peak memory of each operator over a stream grow with its rows, from 10^4 to 10^7.5.
 * Each runs in its own process, which begins with nothing compiled. The time of a streaming operator should be
 * linear, and its memory constant, except for garbage that is not yet collected. Time is processor time, which
 * other work on the machine hardly affects.
 *
 * @module
 */

import { checkoutPath } from "../tests/support/processes/sluice.ts";
import type { GrowthResult } from "./growth_job.ts";
import { type GrowthPipeline, growthPipelines } from "./growth_pipelines.ts";

/** The numbers of rows of each pipeline, as powers of ten. */
const POWERS = [4, 5, 6, 6.5, 7, 7.5];

/** One pipeline at one number of rows. */
interface GrowthPoint extends GrowthResult {
  readonly numRows: number;
}

/** One pipeline over each number of rows. */
export interface Growth {
  readonly family: GrowthPipeline["family"];
  readonly points: readonly GrowthPoint[];
  /** Processor time of a row: of the largest run, less that of the smallest run. */
  readonly nsOfRow: number;
  /** The growth of processor time for ten times the rows, up to the most; undefined if a pipeline stops early. */
  readonly tenfold: number | undefined;
  /** The growth of peak memory for ten times the rows. */
  readonly memoryGrowth: number;
  readonly isMissed: boolean;
}

/**
 * The most growth of time and memory for ten times the rows. Time can grow less than tenfold, since V8 compiles
 * code during the first million rows.
 */
const MOST_TENFOLD = 13;
const MOST_MEMORY_GROWTH = 1.5;

/** Shorter runs vary: the least of several counts. */
const SHORT_MS = 700;
const RUNS_OF_SHORT = 3;

/** Measures all pipelines, up to `mostRows`. */
export async function measureStreams(
  mostRows: number = Infinity,
): Promise<Record<string, Growth>> {
  const counts = POWERS.map((power) => Math.round(10 ** power)).filter((count) =>
    count <= mostRows
  );
  const points: Record<string, GrowthPoint[]> = {};
  for (const numRows of counts) {
    console.error(`growth, ${numRows.toLocaleString("en")} rows ...`);
    const folder = await Deno.makeTempDir({ prefix: "sluice-bench-" });
    try {
      for (const name of Object.keys(growthPipelines)) {
        (points[name] ??= []).push({ numRows, ...await shortest(name, numRows, folder) });
        // The next pipeline reads a written file; any other leftover would be in the way.
        if (growthPipelines[name]!.family !== "write") await empty(folder);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
  return Object.fromEntries(
    Object.entries(points).map(([name, own]) => [name, growthOf(growthPipelines[name]!, own)]),
  );
}

function growthOf({ family, stops }: GrowthPipeline, points: readonly GrowthPoint[]): Growth {
  const last = points.at(-1)!;
  const first = points[0]!;
  const tenth = points.findLast(({ numRows }) => numRows < last.numRows / 9) ?? first;
  // Every time includes the start of the process.
  const [all, part] = [last, tenth].map(({ processorMs }) => processorMs - first.processorMs);
  const tenfold = stops || tenth === first
    ? undefined
    : all! / part! * 10 * tenth.numRows / last.numRows;
  const memoryGrowth = last.peakBytes / tenth.peakBytes;
  const isLinear = tenfold === undefined || tenfold <= MOST_TENFOLD;
  return {
    family,
    points,
    nsOfRow: stops ? 0 : 1e6 * all! / (last.numRows - first.numRows),
    tenfold,
    memoryGrowth,
    isMissed: !isLinear || memoryGrowth > MOST_MEMORY_GROWTH,
  };
}

async function shortest(name: string, numRows: number, folder: string): Promise<GrowthResult> {
  if (growthPipelines[name]!.prepare !== undefined) await runJob(name, numRows, folder, "prepare");
  let best = await timeJob(name, numRows, folder);
  for (let run = 1; run < RUNS_OF_SHORT && best.processorMs < SHORT_MS; run++) {
    const other = await timeJob(name, numRows, folder);
    best = {
      ...best,
      elapsedMs: Math.min(best.elapsedMs, other.elapsedMs),
      processorMs: Math.min(best.processorMs, other.processorMs),
      peakBytes: Math.max(best.peakBytes, other.peakBytes),
    };
  }
  return best;
}

async function timeJob(name: string, numRows: number, folder: string): Promise<GrowthResult> {
  // `write` does not replace an array.
  await Deno.remove(`${folder}/target.zarr`, { recursive: true }).catch(() => {});
  return JSON.parse(await runJob(name, numRows, folder));
}

async function runJob(name: string, numRows: number, ...rest: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", checkoutPath("bench/growth_job.ts"), name, `${numRows}`, ...rest],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${name} failed over ${numRows} rows`);
  return new TextDecoder().decode(stdout);
}

async function empty(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    await Deno.remove(`${folder}/${name}`, { recursive: true });
  }
}
