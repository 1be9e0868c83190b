/**
 * What a run of the benches measured, as JSON that charts are drawn from.
 *
 * @module
 */

import type { Growth } from "../growth.ts";
import type { StagedJob } from "../stages.ts";
import type { Contest } from "./contest.ts";
import { judge } from "./judge.ts";
import { type Machine, thisMachine, type Versions, versions } from "./machine.ts";
import type { Measured } from "./measure.ts";

/** Lines of cells: a head, the rules below it, and the rows. */
export type Lines = string[][];

/** All that was measured. */
export interface Results {
  readonly machine: Machine;
  readonly versions: Versions;
  /** Contests by their names. */
  readonly contests: Record<string, ContestResult>;
  /** What was measured without a contest, as lines of cells. */
  readonly tables: Record<string, Lines>;
  /** How time and memory of pipelines grow with rows, by their names. */
  growth?: Readonly<Record<string, Growth>>;
  /** Where the time of whole processes goes. */
  stages?: readonly StagedJob[];
}

/** A contest. */
export interface ContestResult {
  /** When it ended, in UTC. */
  readonly date: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly numRows: number;
  /** Bytes that the job must read and write. */
  readonly numBytes: number;
  readonly rounds: number;
  readonly contenders: readonly ContenderResult[];
  readonly targets: readonly TargetResult[];
}

/** What one contender took. */
export interface ContenderResult {
  readonly name: string;
  readonly role: string;
  readonly device: string;
  /** The job in its words, where there are several ways to write it. */
  readonly spelling?: string;
  readonly medianMs: number;
  /** The quarters of the runs: a quarter of them took less than the first, more than the second. */
  readonly quartilesMs: readonly [low: number, high: number];
  readonly runs: number;
  /** Median time of processors, all threads together. */
  readonly processorMs?: number;
  /** Median peak of memory; only of runs that are processes of their own. */
  readonly peakBytes?: number;
}

interface TargetResult {
  readonly against: string;
  readonly factor: number;
  readonly ratio: number;
  readonly reached: boolean;
}

/** The results that a file has, whatever they are about. */
export async function readResults(path: string): Promise<Results> {
  return JSON.parse(await Deno.readTextFile(path));
}

/**
 * The results that a file has, to add to; empty where there is no file, or where it is about another
 * machine or other versions, which do not compare.
 */
export async function openResults(path: string): Promise<Results> {
  const now = { machine: thisMachine(), versions: await versions() };
  const empty: Results = { ...now, contests: {}, tables: {} };
  const known = await readResults(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return empty;
    throw error;
  });
  const { machine, versions: then } = known;
  return JSON.stringify({ machine, versions: then }) === JSON.stringify(now) ? known : empty;
}

/** Adds a contest, in the place of an earlier one of its name. */
export function addContest(
  results: Results,
  contest: Contest,
  measured: readonly Measured[],
  rounds: number,
): void {
  const { name, labels = {}, numRows, numBytes } = contest;
  results.contests[name] = {
    date: new Date().toISOString(),
    labels,
    numRows,
    numBytes,
    rounds,
    contenders: measured.map(contenderResult),
    targets: judge(contest, measured).map(({ target, ratio, reached }) => ({
      ...target,
      ratio: rounded(ratio),
      reached,
    })),
  };
}

/** Writes results to a file. */
export async function writeResults(path: string, results: Results): Promise<void> {
  await Deno.writeTextFile(path, JSON.stringify(results, null, 1) + "\n");
}

function contenderResult(
  { contender, medianMs, runsMs, processorMs, peakBytes }: Measured,
): ContenderResult {
  const { name, role, device, spelling } = contender;
  const sorted = runsMs.toSorted((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.round(share * (sorted.length - 1))]!);
  return {
    name,
    role,
    device,
    ...(spelling === undefined ? {} : { spelling }),
    medianMs: rounded(medianMs),
    quartilesMs: [at(0.25), at(0.75)],
    runs: runsMs.length,
    processorMs: rounded(processorMs),
    ...(peakBytes === undefined ? {} : { peakBytes: rounded(peakBytes) }),
  };
}

/** To four digits, which is more than repeats. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
