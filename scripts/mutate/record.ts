/**
 * The record of a run of faults, as a file from which the run can resume.
 *
 * @module
 */

import type { Fault } from "./fault.ts";

/** The outcome of a fault. */
type Outcome = "waiting" | "seen" | "timed out" | "survived";

/** A fault and its outcome. */
export interface Planted extends Fault {
  /** The place and both texts, as `describeFault` returns them. */
  readonly about: string;
  outcome: Outcome;
  /** The test file that found it, or the number of those that ran. */
  by?: string;
  /** The way in which these ended. */
  how?: string;
  /** The number of test files that ran, and their processor time. */
  numFiles?: number;
  seconds?: number;
}

/** A run of faults. */
export interface MutationRecord {
  /** The commit in which the faults are planted. */
  readonly commit: string;
  readonly seed: number;
  readonly under: readonly string[];
  readonly faults: readonly Planted[];
  /** By test file: whether it passes without a fault, and its processor time then. */
  readonly sound: Record<string, { readonly passes: boolean; readonly seconds: number }>;
  /** By test file that passed in spite of a fault: its processor time. */
  readonly seconds: Record<string, number>;
}

/** Reads a record; undefined if there is none yet. */
export async function readRecord(path: string): Promise<MutationRecord | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(path)) as MutationRecord;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Writes a record; it appears under its name when it is complete. */
export async function writeRecord(path: string, record: MutationRecord): Promise<void> {
  await Deno.writeTextFile(`${path}.new`, `${JSON.stringify(record, null, 1)}\n`);
  await Deno.rename(`${path}.new`, path);
}

/** Returns a line with the number of faults that were found. */
export function summaryOf({ faults, seed, commit }: MutationRecord): string {
  const count = (outcome: Outcome) => faults.filter((of) => of.outcome === outcome).length;
  const [seen, survived, waiting] = [count("seen"), count("survived"), count("waiting")];
  const [late, atOnce] = [
    count("timed out"),
    faults.filter((of) => of.outcome === "seen" && of.numFiles === 1).length,
  ];
  const share = seen + survived === 0 ? 0 : 100 * seen / (seen + survived);
  return `${seen} of ${seen + survived} faults were seen (${share.toFixed(1)} %), ${atOnce} of ` +
    `them by the nearest tests${late > 0 ? `, and tests timed out for ${late} more` : ""}` +
    `${waiting > 0 ? `, ${waiting} are left` : ""}; seed ${seed}, commit ${commit.slice(0, 8)}`;
}
