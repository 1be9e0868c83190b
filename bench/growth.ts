/**
 * How time and peak memory of each operator over a stream grow with its rows, from 10^4 to 10^7.5: each
 * in a process of its own, which begins with nothing compiled. What streams takes memory that does not
 * grow with its rows, beyond what the garbage collector leaves for later, and time that does.
 *
 * @module
 */

import { checkoutPath } from "../tests/support/sluice.ts";
import { growthPipelines, type GrowthResult } from "./growth_job.ts";

/** The numbers of rows that each pipeline is run over. */
export const growthRowCounts = [4, 5, 6, 7, 7.5].map((power) => Math.round(10 ** power));

/** One operator, over each number of rows. */
interface Growth {
  readonly pipeline: string;
  readonly results: readonly GrowthResult[];
  readonly nsOfRow: number;
  /** The peak of memory over that of a third of the rows. Over fewer the heap is still to grow. */
  readonly memoryGrowth: number;
}

/** Measures the pipelines one after the other. */
export async function* measureStreams(): AsyncGenerator<Growth, void, void> {
  for (const pipeline of Object.keys(growthPipelines)) {
    const results: GrowthResult[] = [];
    for (const numRows of growthRowCounts) results.push(await runJob(pipeline, numRows));
    const [before, last] = results.slice(-2) as [GrowthResult, GrowthResult];
    const [numBefore, numLast] = growthRowCounts.slice(-2) as [number, number];
    yield {
      pipeline,
      results,
      // What came before the first rows is in both.
      nsOfRow: 1e6 * (last.elapsedMs - before.elapsedMs) / (numLast - numBefore),
      memoryGrowth: last.peakBytes / before.peakBytes,
    };
  }
}

async function runJob(name: string, numRows: number): Promise<GrowthResult> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", checkoutPath("bench/growth_job.ts"), name, `${numRows}`],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${name} failed over ${numRows} rows`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
