/**
 * What a run did, for a person.
 *
 * @module
 */

import process from "node:process";
import type { Engine, RunStats } from "../mod.ts";
import { formatBytes, formatElapsed, formatRows } from "./quantities.ts";

/** Formats the device, and for each run its rows, bytes and time, operator by operator. */
export async function formatSummary(engine: Engine, runs: readonly RunStats[]): Promise<string> {
  const { description, reason } = await engine.describe();
  const lines = [["device", `${description} (${reason})`]];
  for (const run of runs) lines.push(...runLines(run));
  lines.push(["peak memory", formatBytes(process.resourceUsage().maxRSS * 1024)]);
  const width = Math.max(...lines.map(([label]) => label!.length));
  return lines.map(([label, text]) => `${label!.padEnd(width)}  ${text}`).join("\n");
}

function runLines(run: RunStats): [label: string, text: string][] {
  return [
    ["rows", `${formatRows(run.numRowsIn)} in, ${formatRows(run.numRowsOut)} out`],
    ["bytes", `${formatBytes(run.bytesIn)} in, ${formatBytes(run.bytesOut)} out`],
    ...run.operators.map((operator): [string, string] => [
      `  ${operator.name}`,
      `${formatElapsed(operator.elapsedMs).padStart(8)}  ${formatRows(operator.rowsOut)}`,
    ]),
  ];
}
