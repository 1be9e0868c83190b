/**
 * How time and peak memory of each operator over a stream grow with its rows, from 10^4 to 10^7.5: each
 * in a process of its own, which begins with nothing compiled. What streams takes memory that does not
 * grow with its rows, beyond what the garbage collector leaves for later, and time that does. Judged is
 * the time of processors, on which other work of the machine has little influence.
 *
 * @module
 */

import { checkoutPath } from "../tests/support/processes/sluice.ts";
import type { GrowthResult } from "./growth_job.ts";
import { type GrowthPipeline, growthPipelines } from "./growth_pipelines.ts";

/** Powers of ten: the numbers of rows that each pipeline is run over. */
const POWERS = [4, 5, 6, 6.5, 7, 7.5];

/** One pipeline at one number of rows. */
export interface GrowthPoint extends GrowthResult {
  readonly numRows: number;
}

/** One pipeline over each number of rows. */
export interface Growth {
  readonly family: GrowthPipeline["family"];
  readonly points: readonly GrowthPoint[];
  /** Time of processors of a row, of the most rows, with those of the fewest and their time apart. */
  readonly nsOfRow: number;
  /** Times as much time of processors for ten times the rows, up to the most; undefined where a pipeline stops early. */
  readonly tenfold: number | undefined;
  /** Times the peak of memory for ten times the rows. */
  readonly memoryGrowth: number;
  readonly isMissed: boolean;
}

/**
 * What ten times the rows may take of time and of memory. Less than ten times the time is what V8
 * compiles in the first million rows.
 */
const MOST_TENFOLD = 13;
const MOST_MEMORY_GROWTH = 1.5;

/** Times of runs of this length are the least of several; they vary. */
const SHORT_MS = 700;
const RUNS_OF_SHORT = 3;

/** Measures all pipelines, up to a number of rows. */
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
        // What was written is read by the next pipeline, and then in the way.
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
  // What comes before the first rows is in all of them.
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
  // An array that exists is not replaced.
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
