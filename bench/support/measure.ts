/**
 * Measures a contest: in each round every contender runs a few times in a row. A slow minute of the machine affects
 * all of them, and yet each runs with warm memory and caches, as in a program: a single run right after a peer took
 * up to twice the time, most of it for memory that the system had reclaimed.
 *
 * @module
 */

import process from "node:process";
import { collectGarbage } from "./collect_garbage.ts";
import type { Contender, Contest } from "./contest.ts";

/** The measured times of a contender. */
export interface Measured {
  readonly contender: Contender;
  readonly medianMs: number;
  /** The times of all runs that count, in order. */
  readonly runsMs: readonly number[];
  /** The median processor time of all threads together. */
  readonly processorMs: number;
  /** The median peak memory; undefined if the runs share a process. */
  readonly peakBytes: number | undefined;
}

/** The usage of a run. */
interface Run {
  readonly elapsedMs: number;
  readonly processorMs: number;
  readonly peakBytes?: number;
}

/** The default runs of a contender in a round; warm-up runs do not count. */
const WARM_UP_RUNS = 2;
const MEASURED_RUNS = 3;

/** Runs the rounds. */
export async function measureContest(
  { contenders, runsOfRound = MEASURED_RUNS, warmUpRuns = WARM_UP_RUNS }: Contest,
  numRounds: number,
): Promise<Measured[]> {
  const runs = contenders.map((): Run[] => []);
  for (let round = 0; round < numRounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      await collectGarbage();
      for (let run = -warmUpRuns; run < runsOfRound; run++) {
        const taken = await timeRun(contender);
        if (run >= 0) runs[index]!.push(taken);
      }
    }
  }
  return contenders.map((contender, index) => {
    const own = runs[index]!;
    const runsMs = own.map(({ elapsedMs }) => elapsedMs);
    const peaks = own.flatMap(({ peakBytes }) => peakBytes ?? []);
    return {
      contender,
      medianMs: median(runsMs),
      runsMs,
      processorMs: median(own.map(({ processorMs }) => processorMs)),
      peakBytes: peaks.length === 0 ? undefined : median(peaks),
    };
  });
}

/** Runs a contender once. */
export async function timeRun(contender: Contender): Promise<Run> {
  await contender.prepare?.();
  const before = process.cpuUsage();
  const start = performance.now();
  const usage = await contender.run();
  if (usage !== undefined) return usage;
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { elapsedMs, processorMs: (user + system) / 1000 };
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
