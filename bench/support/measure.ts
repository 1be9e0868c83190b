/**
 * Measuring a contest: in each round every contender runs a few times in a row. So a slow minute of
 * the machine falls on all of them, and still each one runs with its own memory and caches warm, as
 * it does in a program: a single run right behind a peer took up to twice the time, most of it
 * for memory that the system had taken back.
 *
 * @module
 */

import { collectGarbage } from "./collect_garbage.ts";
import type { Contender, Contest } from "./contest.ts";

/** How long a contender took. */
export interface Measured {
  readonly contender: Contender;
  readonly medianMs: number;
  /** Of all runs that count, in their order. */
  readonly runsMs: readonly number[];
}

/** Runs of a contender in one round, unless its contest says how many; those in front do not count. */
const WARM_UP_RUNS = 2;
const MEASURED_RUNS = 3;

/** Runs the rounds. */
export async function measureContest(
  { contenders, runsOfRound = MEASURED_RUNS }: Contest,
  numRounds: number,
): Promise<Measured[]> {
  const times = contenders.map((): number[] => []);
  for (let round = 0; round < numRounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      await collectGarbage();
      for (let run = -WARM_UP_RUNS; run < runsOfRound; run++) {
        const elapsedMs = await timeRun(contender);
        if (run >= 0) times[index]!.push(elapsedMs);
      }
    }
  }
  return contenders.map((contender, index) => {
    const runsMs = times[index]!;
    return { contender, medianMs: median(runsMs), runsMs };
  });
}

/** Runs a contender once; gives milliseconds. */
export async function timeRun(contender: Contender): Promise<number> {
  await contender.prepare?.();
  const start = performance.now();
  await contender.run();
  return performance.now() - start;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
