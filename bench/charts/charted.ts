/**
 * The contests of a chart, and what all charts say of where they were held.
 *
 * @module
 */

import type { ContenderResult, ContestResult, Results } from "../support/results.ts";

/** Characters of an operation that fit into its label. */
const LABEL_LENGTH = 32;

/** A contest about a subject, with its time of each series. */
export interface Charted {
  readonly name: string;
  readonly contest: ContestResult;
  /** Series and what it took; ours is the first. */
  readonly times: ReadonlyMap<string, ContenderResult>;
}

/** The contests about a subject, as its label says; the empty one where there is none. */
export function chartedContests({ contests }: Results, subject: string): Charted[] {
  return Object.entries(contests)
    .filter(([, { labels }]) => (labels["subject"] ?? "") === subject)
    .map(([name, contest]) => ({
      name,
      contest,
      times: new Map(contest.contenders.map((contender) => [seriesOf(contender), contender])),
    }));
}

/** The series that occur, ours first. */
export function seriesNames(charted: readonly Charted[]): string[] {
  return [...new Set(charted.flatMap(({ times }) => [...times.keys()]))];
}

/** How many times as fast as the faster peer ours on the host is; undefined without a peer. */
export function ratioOf({ times }: Charted): number | undefined {
  const ours = times.get("Sluice")?.medianMs;
  const peers = [...times.values()].filter(({ role }) => role === "peer");
  if (ours === undefined || peers.length === 0) return undefined;
  return Math.min(...peers.map(({ medianMs }) => medianMs)) / ours;
}

/** Which code ran where, without peers. */
export function machineText({ machine, versions }: Results): string {
  const { commit, sluice, deno } = versions;
  return `Sluice ${commit ?? sluice}, Deno ${deno}; ${machine.cores} cores, ${machine.cpu}, ` +
    `${machine.memory} GB`;
}

/** Where and with what the contests were held, in two lines. */
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

/** A time for a table. */
export function msText(ms: number): string {
  return ms < 1000 ? `${ms.toPrecision(3)} ms` : `${ms.toFixed(0)} ms`;
}

/** An operation as a label has room for it. */
export function shortened(operation: string): string {
  return operation.length <= LABEL_LENGTH ? operation : `${operation.slice(0, LABEL_LENGTH - 1)}…`;
}

/** A name without the version; a device of ours other than the host is a series of its own. */
function seriesOf({ name, role, device }: ContenderResult): string {
  if (role === "ours" && device !== "host") return `${name} on a GPU`;
  return role === "limit" ? name : name.split(" ")[0]!;
}
