/**
 * What a command did, for a person.
 *
 * @module
 */

import process from "node:process";
import type { Engine, FileSink, OperatorStats, RunStats } from "../mod.ts";
import { formatBytes, formatCount, formatElapsed, formatRows } from "./quantities.ts";

/** What a summary is about. */
export interface Work {
  readonly engine: Engine;
  readonly runs: readonly RunStats[];
  readonly outputs: readonly FileSink[];
}

/** Formats the device and why; for each run its rows, bytes and operators; then files and memory. */
export async function formatSummary({ engine, runs, outputs }: Work): Promise<string> {
  const { description, reason } = await engine.describe();
  const lines = [line("device", `${description} (${reason})`)];
  for (const run of runs) lines.push(...runLines(run));
  for (const { name, bytesWritten } of outputs) {
    lines.push(line("written", `${name}, ${formatBytes(bytesWritten)}`));
  }
  // The time since the process began, so that loading counts as well.
  lines.push(line("elapsed", formatElapsed(performance.now())));
  lines.push(line("peak memory", formatBytes(process.resourceUsage().maxRSS * 1024)));
  return lines.join("\n");
}

function line(label: string, text: string): string {
  return `${label.padEnd(13)}${text}`;
}

function runLines(run: RunStats): string[] {
  return [
    line("rows", `${formatCount(run.numRowsIn)} in, ${formatCount(run.numRowsOut)} out`),
    line("bytes", `${formatBytes(run.bytesIn)} read, ${formatBytes(run.bytesOut)} out`),
    ...run.operators.map(operatorLine),
  ];
}

/** In the order in which they ran; the number is the place in which they were written. */
function operatorLine({ step, name, elapsedMs, rowsOut }: OperatorStats): string {
  const time = formatElapsed(elapsedMs).padStart(10);
  const [verb, file] = name.split(" ", 2);
  const label = file === undefined ? verb! : `${verb} ${file.replace(/^.*[\\/]/, "")}`;
  return line(`  step ${step}`, `${time}  ${label}: ${formatRows(rowsOut)}`);
}
