/**
 * How time and peak memory of each operator over a stream grow with its rows, from 10^4 to 10^7.5: each
 * in a process of its own, which begins with nothing compiled.
 *
 *     deno run -A --lock=deno.dev.lock --frozen bench/growth.ts
 *
 * With names of operators as arguments only those. What streams takes memory that does not grow with its
 * rows, beyond what the garbage collector leaves for later, and time that does.
 *
 * @module
 */

import { checkoutPath } from "../tests/support/sluice.ts";
import { growthPipelines, type GrowthResult } from "./growth_job.ts";
import { formatMarkdown } from "./support/judge.ts";

const rowCounts = [4, 5, 6, 7, 7.5].map((power) => Math.round(10 ** power));
/** Of these two memory is compared: over fewer rows the heap has not become as large as it stays. */
const [BEFORE, LAST] = [rowCounts.length - 2, rowCounts.length - 1];
/** Times of the peak over a third of the rows, at most. */
const MOST_GROWTH = 1.5;

const unknown = Deno.args.filter((name) => !(name in growthPipelines));
if (unknown.length > 0) {
  console.error(`No operator ${unknown[0]}; there are ${Object.keys(growthPipelines).join(", ")}`);
  Deno.exit(2);
}

const lines: string[][] = [
  ["Rows", ...rowCounts.map((count) => count.toLocaleString("en")), "ns a row", "Growth of MB"],
  ["---", ...rowCounts.map(() => "---:"), "---:", "---:"],
];
for (const name of Deno.args.length > 0 ? Deno.args : Object.keys(growthPipelines)) {
  console.error(`${name} ...`);
  const results: GrowthResult[] = [];
  for (const numRows of rowCounts) results.push(await runJob(name, numRows));
  lines.push(lineOf(name, results));
}
console.log(`Milliseconds, and MB at the peak\n\n${formatMarkdown(lines)}`);

function lineOf(name: string, results: readonly GrowthResult[]): string[] {
  const cells = results.map(({ elapsedMs, peakBytes }) =>
    `${elapsedMs.toFixed(0)}, ${(peakBytes / 1e6).toFixed(0)}`
  );
  const [before, last] = [results[BEFORE]!, results[LAST]!];
  // What came before the first rows is in both.
  const nsOfRow = 1e6 * (last.elapsedMs - before.elapsedMs) /
    (rowCounts[LAST]! - rowCounts[BEFORE]!);
  const growth = last.peakBytes / before.peakBytes;
  const judgement = `${growth.toFixed(2)}${growth > MOST_GROWTH ? ", MISSED" : ""}`;
  return [name, ...cells, nsOfRow.toFixed(1), judgement];
}

async function runJob(name: string, numRows: number): Promise<GrowthResult> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", checkoutPath("bench/growth_job.ts"), name, `${numRows}`],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${name} failed over ${numRows} rows`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
