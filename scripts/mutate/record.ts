/**
 * What a run of faults has found so far, as a file from which it goes on.
 *
 * @module
 */

import type { Fault } from "./fault.ts";

/** What came of a fault. */
export type Outcome = "waiting" | "seen" | "timed out" | "survived";

/** A fault, and what came of it. */
export interface Planted extends Fault {
  /** Place and both texts, for a person. */
  readonly about: string;
  outcome: Outcome;
  /** The tests that have seen it, or all that were run. */
  by?: string;
  /** How these ended. */
  how?: string;
  /** Files of tests that were run, and the processor time that they took. */
  numFiles?: number;
  seconds?: number;
}

/** A run of faults. */
export interface MutationRecord {
  /** The faults are those of this commit. */
  readonly commit: string;
  readonly seed: number;
  readonly under: readonly string[];
  readonly faults: readonly Planted[];
  /** Files of tests without any fault: whether they pass, and the processor time that they take. */
  readonly sound: Record<string, { readonly passes: boolean; readonly seconds: number }>;
  /** Processor time of files of tests that have passed in spite of a fault. */
  readonly seconds: Record<string, number>;
}

/** Reads a record; undefined where there is none yet. */
export async function readRecord(path: string): Promise<MutationRecord | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(path)) as MutationRecord;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Writes a record under its name when it is complete. */
export async function writeRecord(path: string, record: MutationRecord): Promise<void> {
  await Deno.writeTextFile(`${path}.new`, `${JSON.stringify(record, null, 1)}\n`);
  await Deno.rename(`${path}.new`, path);
}

/** How many were seen, for a last line: of those that were planted. */
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
