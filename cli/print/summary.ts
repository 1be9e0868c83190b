/**
 * The summary of `--stats`.
 *
 * @module
 */

import process from "node:process";
import type { Engine, FileSink, OperatorStats, RunStats, WideText } from "../../mod.ts";
import { describeWideText, formatElapsed, formatRows, wideTextRule } from "./quantities.ts";
import { formatBytes, formatCount } from "../../base/quantities.ts";
import { showControls } from "../../base/show_controls.ts";

interface Work {
  readonly engine: Engine;
  readonly runs: readonly RunStats[];
  readonly outputs: readonly FileSink[];
}

/** Formats the device, then the rows, bytes and operators of each run, then files, time and memory. */
export async function formatSummary({ engine, runs, outputs }: Work): Promise<string[]> {
  const { description, reason, probe } = await engine.describe();
  const lines = [summaryLine("device", `${description} (${reason})`)];
  if (probe !== undefined) lines.push(summaryLine("  measured", probe));
  for (const run of runs) lines.push(...runLines(run, engine));
  // The counters of a run include those of earlier runs, unless it has computed nothing.
  const failedParts = Math.max(0, ...runs.map(({ counters }) => counters.failedParts));
  if (failedParts > 0) lines.push(summaryLine("threads", describeFailedParts(failedParts)));
  for (const { name, bytesWritten } of outputs) {
    lines.push(summaryLine("written", `${name}, ${formatBytes(bytesWritten)}`));
  }
  // Since the start of the process, so that loading is included.
  lines.push(summaryLine("elapsed", formatElapsed(performance.now())));
  lines.push(summaryLine("peak memory", formatBytes(peakBytes())));
  return lines;
}

/**
 * Returns the peak memory of the process. On Linux, `maxRSS` includes the parent process, so this tries
 * VmHWM first.
 */
export function peakBytes(): number {
  const path = "/proc/self/status";
  // Reading without permission would prompt on a terminal.
  if (Deno.permissions.querySync({ name: "read", path }).state === "granted") {
    try {
      const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(Deno.readTextFileSync(path)) ?? [];
      if (kibibytes !== undefined) return 1024 * Number(kibibytes);
    } catch {
      // Another system has no such file.
    }
  }
  return 1024 * process.resourceUsage().maxRSS;
}

function describeFailedParts(count: number): string {
  const parts = count === 1 ? "1 part" : `${formatCount(count)} parts`;
  return `${parts} failed on a thread and ran again; please report it`;
}

const labelWidth = 13;

/** Formats a line of the summary. */
export function summaryLine(label: string, text: string): string {
  return showControls(`${label.padEnd(labelWidth)}${text}`);
}

function runLines(run: RunStats, engine: Engine): string[] {
  // Text in views or dictionaries becomes plain text only in the output.
  const known = new Set(run.operators.at(-1)?.wideText.map(({ column }) => column));
  const late = run.wideText.filter(({ column }) => !known.has(column));
  return [
    summaryLine("rows", `${formatCount(run.numRowsIn)} in, ${formatCount(run.numRowsOut)} out`),
    summaryLine("bytes", `${bytesRead(run)}, ${formatBytes(run.bytesOut)} out`),
    ...run.operators.flatMap(operatorLines),
    ...wideLines("  out", late, run.batchesOut),
    ...(hasWideText(run) ? [summaryLine("offsets", wideTextRule(engine.offsets))] : []),
  ];
}

/** Describes the bytes of the input that were read, and the number of requests over a network. */
function bytesRead({ bytesIn, bytesPresent, numRequests }: RunStats): string {
  const present = bytesPresent === undefined ? "" : ` of ${formatBytes(bytesPresent)}`;
  const requests = numRequests === 1 ? "1 request" : `${formatCount(numRequests)} requests`;
  return `${formatBytes(bytesIn)}${present} read${numRequests === 0 ? "" : ` in ${requests}`}`;
}

function hasWideText({ operators, wideText }: RunStats): boolean {
  return wideText.length > 0 || operators.some((operator) => operator.wideText.length > 0);
}

/** Formats an operator with the number of its step in the command. */
function operatorLines(operator: OperatorStats): string[] {
  const { step, name, elapsedMs, rowsOut, batchesOut, wideText } = operator;
  const time = formatElapsed(elapsedMs).padStart(10);
  // The name of a file without its folder.
  const label = name.replace(/^(\w+) .*[\\/]/, "$1 ");
  const bytes = [[operator.bytesHeld, "held"], [operator.bytesSpilled, "spilled"]] as const;
  const apart = bytes.map(([count, what]) => count === 0 ? "" : `, ${formatBytes(count)} ${what}`);
  return [
    summaryLine(`  step ${step}`, `${time}  ${label}: ${formatRows(rowsOut)}${apart.join("")}`),
    ...wideLines("", wideText, batchesOut),
  ];
}

function wideLines(label: string, wideText: readonly WideText[], numBatches: number): string[] {
  return wideText.map((text) =>
    summaryLine(label, " ".repeat(12) + describeWideText(text, numBatches))
  );
}
