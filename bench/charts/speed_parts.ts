/**
 * Prints the marked parts of docs/speed.md from results: the machine, the strings by kind of text, all other jobs as
 * one table, and the growth.
 *
 * @module
 */

import { formatMarkdown } from "../support/judge.ts";
import { median } from "../support/measure.ts";
import type { ContestResult, Results } from "../support/results.ts";
import { textKinds, textSubjects } from "../support/texts.ts";
import { type Charted, chartedContests, circumstances, msText, ratioOf } from "./charted.ts";

/** The subjects of contests that have their own charts. */
const CHARTED = [...Object.keys(textSubjects), "rows"];

/** Returns the parts by name. A subject that was not measured has no part. */
export function speedParts(results: Results): Record<string, string> {
  const subjects = new Set(Object.values(results.contests).map(subjectOf));
  const all = [...subjects].flatMap((subject) => chartedContests(results, subject));
  const jobs = all.filter(({ contest }) => !CHARTED.includes(subjectOf(contest)));
  return {
    ...(all.length === 0 ? {} : { machine: machinePart(results, all) }),
    ...(jobs.length === all.length ? {} : { strings: stringsPart(results) }),
    ...(jobs.length === 0 ? {} : { jobs: jobsTable(jobs) }),
    ...(results.growth === undefined ? {} : { growth: growthPart(results.growth) }),
  };
}

function machinePart(results: Results, all: readonly Charted[]): string {
  const runs = all.flatMap(({ contest }) => contest.contenders.map(({ runs }) => runs));
  const [code, machine] = circumstances(results, all);
  return `Medians of at least ${Math.min(...runs)} runs. ${code}; ${machine}.`;
}

/** Prints a table with a line for each kind of text. */
function stringsPart(results: Results): string {
  const lines = [
    ["text", "rows", "least", "median", "greatest", "targets reached"],
    ["---", "---:", "---:", "---:", "---:", "---:"],
  ];
  for (const [subject, how] of Object.entries(textSubjects)) {
    for (const [kind, { title }] of Object.entries(textKinds)) {
      const own = chartedContests(results, subject)
        .filter(({ contest }) => contest.labels["text"] === kind);
      const ratios = own.map((cell) => ratioOf(cell)!);
      if (ratios.length === 0) continue;
      const reached = own.filter(({ contest }) => contest.targets.every(({ reached }) => reached));
      lines.push([
        `${title}${how}`,
        own[0]!.contest.numRows.toLocaleString("en"),
        ...[Math.min(...ratios), median(ratios), Math.max(...ratios)].map((r) =>
          `${r.toFixed(2)}x`
        ),
        `${reached.length} of ${own.length}`,
      ]);
    }
  }
  return formatMarkdown(lines);
}

/** Prints a table with a row for each contest. */
function jobsTable(all: readonly Charted[]): string {
  const peers = [...new Set(all.flatMap(({ times }) => [...times.keys()]))]
    .filter((name) => name !== "Sluice");
  const lines = [
    ["job", "Sluice", ...peers, "target"],
    ["---", "---:", ...peers.map(() => "---:"), "---"],
  ];
  for (const { name, contest, times } of all) {
    const ours = times.get("Sluice")!;
    const cells = peers.map((peer) => {
      const ms = times.get(peer)?.medianMs;
      return ms === undefined ? "" : `${msText(ms)}, ${(ms / ours.medianMs).toFixed(2)}x`;
    });
    const targets = contest.targets.map(({ against, factor, reached }) => {
      const peer = against.replace(/ \d.*/, "");
      return `${Number(factor.toFixed(2))}x ${peer}: ${reached ? "reached" : "missed"}`;
    });
    lines.push([name, msText(ours.medianMs), ...cells, targets.join("; ")]);
  }
  return formatMarkdown(lines);
}

function growthPart(growth: NonNullable<Results["growth"]>): string {
  const all = Object.entries(growth);
  const missed = all.filter(([, { isMissed }]) => isMissed).map((
    [name, { tenfold, memoryGrowth }],
  ) => `${name} (${tenfold?.toFixed(1) ?? "0"}x time, ${memoryGrowth.toFixed(2)}x memory)`);
  const most = all[0]?.[1].points.at(-1)?.numRows ?? 0;
  return `For ten times the rows, up to ${most.toLocaleString("en")}, ` +
    `${
      all.length - missed.length
    } of ${all.length} pipelines take at most 13 times the processor ` +
    `time and at most 1.5 times the memory.` +
    `${missed.length === 0 ? "" : ` The others are: ${missed.join("; ")}.`}`;
}

function subjectOf({ labels }: ContestResult): string {
  return `${labels["subject"] ?? ""}`;
}
