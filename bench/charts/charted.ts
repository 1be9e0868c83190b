/**
 * The contests of a chart, and the lines about the machine that all charts have.
 *
 * @module
 */

import type { ContenderResult, ContestResult, Results } from "../support/results.ts";

/** The characters of an operation that fit into its label. */
const LABEL_LENGTH = 32;

/** A contest with the results of each series. */
export interface Charted {
  readonly name: string;
  readonly contest: ContestResult;
  /** Results by series, ours first. */
  readonly times: ReadonlyMap<string, ContenderResult>;
}

/** Returns the contests whose label has a subject; a contest without that label has the empty subject. */
export function chartedContests({ contests }: Results, subject: string): Charted[] {
  return Object.entries(contests)
    .filter(([, { labels }]) => (labels["subject"] ?? "") === subject)
    .map(([name, contest]) => ({
      name,
      contest,
      times: new Map(contest.contenders.map((contender) => [seriesOf(contender), contender])),
    }));
}

/** Returns the series that occur, ours first. */
export function seriesNames(charted: readonly Charted[]): string[] {
  return [...new Set(charted.flatMap(({ times }) => [...times.keys()]))];
}

/** Returns our speed on the host as a multiple of that of the faster peer; undefined without a peer. */
export function ratioOf({ times }: Charted): number | undefined {
  const ours = times.get("Sluice")?.medianMs;
  const peers = [...times.values()].filter(({ role }) => role === "peer");
  if (ours === undefined || peers.length === 0) return undefined;
  return Math.min(...peers.map(({ medianMs }) => medianMs)) / ours;
}

/** Returns a line with the versions, without peers, and the machine. */
export function machineText({ machine, versions }: Results): string {
  const { commit, sluice, deno } = versions;
  return `Sluice ${commit ?? sluice}, Deno ${deno}; ${machine.cores} cores, ${machine.cpu}, ` +
    `${machine.memory} GB`;
}

/** Returns two lines with the versions, the peers, the machine and the date of contests. */
export function circumstances(
  { machine, versions }: Results,
  charted: readonly Charted[],
): string[] {
  const peers = new Set(
    charted.flatMap(({ contest }) =>
      contest.contenders.filter(({ role }) => role === "peer").map(({ name }) => name)
    ),
  );
  const dates = charted.map(({ contest }) => contest.date.slice(0, 10)).sort();
  return [
    `Sluice ${versions.commit ?? versions.sluice}, Deno ${versions.deno}; ${[...peers].join("; ")}`,
    `${machine.cores} cores, ${machine.cpu}, ${machine.memory} GB, ${dates.at(-1)}`,
  ];
}

/** Formats a time for a table. */
export function msText(ms: number): string {
  return ms < 1000 ? `${ms.toPrecision(3)} ms` : `${ms.toFixed(0)} ms`;
}

/** Shortens an operation to fit into a label. */
export function shortened(operation: string): string {
  return operation.length <= LABEL_LENGTH ? operation : `${operation.slice(0, LABEL_LENGTH - 1)}…`;
}

/** Returns the series of a contender: its name without the version. Ours on a GPU is a separate series. */
function seriesOf({ name, role, device }: ContenderResult): string {
  if (role === "ours" && device !== "host") return `${name} on a GPU`;
  return role === "limit" ? name : name.split(" ")[0]!;
}
