/**
 * Runs test files or suites side by side, each in its own process, so that a driver that crashes affects no
 * other. Prints a line for each as it ends, with the errors of one that failed; then the full output of the
 * failures; those of many that took the most processor time; and a last line with the counts and the total
 * processor time.
 *
 * @module
 */

import { processTree } from "./process_tree.ts";
import { runWatched, type WatchLimits } from "./run_watched.ts";
import type { TestUnit } from "./suites.ts";

/** The results of the tests of one or more files. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
}

/** The result of a test file or suite. */
interface Result extends Counts {
  readonly file: string;
  readonly output: string;
}

/** A result with the processor time of the file or suite, and of what it started. */
interface TimedResult extends Result {
  readonly processorSeconds: number;
}

/** The way to run test files. */
interface SideBySideOptions {
  /** The arguments of `deno` for every process, before its module. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The limits of a file; the longest takes a tenth of them. */
const LIMITS: WatchLimits = { processorSeconds: 1800, idleSeconds: 300 };

/** The bytes of memory that the largest file takes. */
const FILE_BYTES = 2 * 2 ** 30;

/** The least number of files and suites for which the longest are listed. */
const MANY_UNITS = 20;
const NUM_LONGEST = 10;

/** Runs test files and suites, and prints their results. */
export async function runSideBySide(
  units: readonly TestUnit[],
  options: SideBySideOptions,
): Promise<Counts> {
  const start = performance.now();
  const before = processTree(Deno.pid)?.seconds;
  const waiting = [...units];
  const results: TimedResult[] = [];
  const work = async () => {
    for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) {
      const begin = performance.now();
      const result = await runUnit(unit, options);
      results.push(result);
      const mark = result.failed > 0 ? "FAILED" : "ok    ";
      console.log(
        `${mark} ${secondsSince(begin).padStart(7)} s  ${unit.name}: ${countsLine(result)}`,
      );
      if (result.failed > 0) {
        for (const error of errorsOf(result.output)) console.log(`  ${error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: numProcesses() }, work));
  for (const { file, output } of results.filter(({ failed }) => failed > 0)) {
    console.log(`\n== ${file}\n${output.trimEnd()}`);
  }
  for (const line of longestLines(results)) console.log(line);
  const sum = (of: keyof Counts) => results.reduce((total, result) => total + result[of], 0);
  const counts = { passed: sum("passed"), failed: sum("failed"), ignored: sum("ignored") };
  // The time of each file includes the processes that it started.
  const after = processTree(Deno.pid)?.seconds;
  const processor = before === undefined || after === undefined
    ? ""
    : `, ${(after - before).toFixed(1)} s of processor time`;
  const numFiles = units.reduce((sum, unit) => sum + unit.numFiles, 0);
  const times = `${numFiles} files, ${secondsSince(start)} s${processor}`;
  console.log(`\n${countsLine(counts)} (${times})`);
  return counts;
}

/** Returns the number of processes: DENO_JOBS, or the number of processors, fewer if memory is short. */
function numProcesses(): number {
  const asked = Number(Deno.env.get("DENO_JOBS"));
  if (asked >= 1) return Math.floor(asked);
  const fit = Math.floor(Deno.systemMemoryInfo().available / FILE_BYTES);
  return Math.max(1, Math.min(navigator.hardwareConcurrency, fit));
}

async function runUnit(
  { name, module }: TestUnit,
  { args, env = {} }: SideBySideOptions,
): Promise<TimedResult> {
  // Colours would hide the counts.
  const watched = await runWatched([...args, module], LIMITS, { env: { ...env, NO_COLOR: "1" } });
  const { end, output, processorSeconds } = watched;
  return { ...resultOf(name, end, output), processorSeconds };
}

/**
 * Parses the last line of `deno test`: "ok | 3 passed (1 step) | 0 failed | 1 ignored (2s)". A process whose
 * `end` is not status 0 has at least one failure, unless it used a device and was killed after all its tests
 * had ended: Mesa's adapters now and then abort a process that exits.
 */
export function resultOf(file: string, end: number | string, output: string): Result {
  const line = output.match(/^(?:ok|FAILED) \| \d+ passed .*$/gm)?.at(-1) ?? "";
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
  const counts = { passed: count("passed"), failed: count("failed"), ignored: count("ignored") };
  const hasAborted = end === "SIGABRT" || end === "SIGSEGV";
  const isSound = end === 0 || (hasAborted && line !== "" && file.includes("tests/device/"));
  if (isSound || counts.failed > 0) return { ...counts, file, output };
  const reason = `It ended with ${typeof end === "number" ? `status ${end}` : end}`;
  return { ...counts, failed: 1, file, output: `${output.trimEnd()}\n${reason}` };
}

/**
 * Returns the errors that tests printed, one line each, with the first differing lines of two values. The full
 * output follows at the end, but a long log may be truncated before it.
 */
export function errorsOf(output: string): string[] {
  const errors: string[][] = [];
  for (const line of output.split("\n")) {
    if (line.startsWith("error: ")) errors.push([line]);
    else if (/^[-+] {3}/.test(line)) errors.at(-1)?.push(line.replace(/ +/, " "));
  }
  return errors.slice(0, 5).map((lines) => lines.slice(0, 8).join(" "));
}

/** Returns lines that name the results with the most processor time, for many files and suites. */
export function longestLines(
  results: readonly { readonly file: string; readonly processorSeconds: number }[],
): string[] {
  if (results.length < MANY_UNITS) return [];
  const longest = results.toSorted((one, other) => other.processorSeconds - one.processorSeconds);
  const lines = longest.slice(0, NUM_LONGEST).map(({ file, processorSeconds }) =>
    `${processorSeconds.toFixed(1).padStart(14)} s  ${file}`
  );
  return ["\nThe most processor time:", ...lines];
}

/** Formats counts, as the last line of every task has them. */
export function countsLine({ passed, failed, ignored }: Counts): string {
  return `${passed} passed, ${failed} failed${ignored > 0 ? `, ${ignored} ignored` : ""}`;
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}
