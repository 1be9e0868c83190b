/**
 * The results of the benches, as JSON from which charts are drawn.
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

/** All results. */
export interface Results {
  readonly machine: Machine;
  readonly versions: Versions;
  /** Contests by name. */
  readonly contests: Record<string, ContestResult>;
  /** Measurements without a contest, as lines of cells. */
  readonly tables: Record<string, Lines>;
  /** The growth of time and memory with rows, by pipeline. */
  growth?: Readonly<Record<string, Growth>>;
  /** The stages of whole processes. */
  stages?: readonly StagedJob[];
}

/** The result of a contest. */
export interface ContestResult {
  /** The time at which it ended, in UTC. */
  readonly date: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly numRows: number;
  /** Bytes that the job must read and write. */
  readonly numBytes: number;
  readonly rounds: number;
  readonly contenders: readonly ContenderResult[];
  readonly targets: readonly TargetResult[];
}

/** The result of a contender. */
export interface ContenderResult {
  readonly name: string;
  readonly role: string;
  readonly device: string;
  /** The job as written for it, if there are several ways to write it. */
  readonly spelling?: string;
  readonly medianMs: number;
  /** The lower and the upper quartile of the runs. */
  readonly quartilesMs: readonly [low: number, high: number];
  readonly runs: number;
  /** The median processor time of all threads together. */
  readonly processorMs?: number;
  /** The median peak memory; only if each run is a process. */
  readonly peakBytes?: number;
}

interface TargetResult {
  readonly against: string;
  readonly factor: number;
  readonly ratio: number;
  readonly reached: boolean;
}

/** Reads the results in a file, of any machine and versions. */
export async function readResults(path: string): Promise<Results> {
  return JSON.parse(await Deno.readTextFile(path));
}

/**
 * Reads the results in a file, to add to them. Returns empty ones if there is no file, or if it is from another
 * machine or other versions, which are not comparable.
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

/** Adds a contest, replacing an earlier one of the same name. */
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

/** Rounds to four digits, more than are reproducible. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
