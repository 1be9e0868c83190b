/**
 * All contests by their names.
 *
 * @module
 */

import { dbJoinContests } from "./db_join.ts";
import { flightsContests } from "./flights.ts";
import { joinContests } from "./join.ts";
import { numberContests } from "./numbers.ts";
import { copyProcesses, flightsProcesses, joinProcesses } from "./processes.ts";
import { redactContest } from "./redact.ts";
import { regroupContests } from "./regroup.ts";
import { sliceContests } from "./slices.ts";
import { rowContests, stringContests } from "./strings.ts";
import type { Contest } from "./support/contest.ts";
import { SliceFiles } from "./support/slice_files.ts";
import { type TextKindName, textKinds } from "./support/texts.ts";

/** Makes contests that are held and closed one by one. */
type Maker = () => Promise<Contest[]> | AsyncIterable<Contest>;

/** The options of contests. */
interface ContestOptions {
  /** The rows to join, slice or compute. Default: that of each contest. */
  readonly numRows: number | undefined;
  readonly sliceFiles: SliceFiles;
}

/** Returns the makers by name. */
export function contests(
  { numRows, sliceFiles }: ContestOptions,
): Readonly<Record<string, Maker>> {
  const numJoinRows = numRows ?? 10_000_000;
  const texts = Object.keys(textKinds) as TextKindName[];
  return {
    "redact/600k": () => redactContest("ascii", 600_000),
    "redact/5m": () => redactContest("ascii", 5_000_000),
    "redact/real": () => redactContest("real", 600_000),
    ...Object.fromEntries(
      texts.map((text) => [`strings/${text}`, () => stringContests(text, { numRows })]),
    ),
    "strings/handed-on": () => stringContests("real", { numRows, subject: "strings handed on" }),
    "strings/new": () => stringContests("real", { numRows, subject: "new strings" }),
    "strings/rows": rowContests,
    ...numberContests(numRows ?? 10_000_000),
    flights: flightsContests,
    "processes/flights": flightsProcesses,
    "processes/copy": copyProcesses,
    "processes/join": () => joinProcesses(numJoinRows),
    ...joinContests(numJoinRows),
    "join/db-benchmark": () => dbJoinContests(numJoinRows),
    regroup: regroupContests,
    ...sliceContests(sliceFiles, numRows ?? SliceFiles.numRows),
  };
}
