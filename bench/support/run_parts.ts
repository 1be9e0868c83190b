/**
 * Runs the parts of a measurement, each a process, within a time limit; a second call resumes where the first one
 * ended. A part writes its results to a file as soon as they are known, so that a part that hangs, or a machine that
 * goes away, loses only later results.
 *
 * @module
 */

import { endProcesses, processTree } from "../../scripts/process_tree.ts";

/** A part: a program of Deno, and its time limit. */
export interface TimedPart {
  readonly name: string;
  readonly seconds: number;
  /** The arguments of Deno; `{seconds}` stands for the time limit of the part. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Matches its output when everything is done; the end of the process then does not matter. */
  readonly sign?: RegExp;
}

/** The options of a run of parts. */
interface RunOptions {
  /** The folder with `results.jsonl`, `done.txt` and `log.txt`, perhaps of an earlier call. */
  readonly folder: string;
  /** The time limit of all parts together. */
  readonly limitSeconds: number;
  readonly say: (line: string) => void;
}

/** The outcomes of the parts, by name. */
export interface RanParts {
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** The parts for which there was no time. */
  readonly left: readonly string[];
  /** The parts that an earlier call had finished. */
  readonly before: readonly string[];
}

/** The least time limit with which a part starts, and the seconds that it may exceed its limit. */
const LEAST_SECONDS = 5;
const GRACE_SECONDS = 5;

/** The exit status of a part that had too little time for all its steps. */
export const CUT_STATUS = 75;

/** The printed lines of the output of a failed part; the log has all. */
const SHOWN_LINES = 5;

/** Runs the parts that `done.txt` does not name. */
export async function runParts(
  parts: readonly TimedPart[],
  { folder, limitSeconds, say }: RunOptions,
): Promise<RanParts> {
  await Deno.mkdir(folder, { recursive: true });
  const startMs = performance.now();
  const elapsed = () => (performance.now() - startMs) / 1000;
  const append = (file: string, text: string) =>
    Deno.writeTextFile(`${folder}/${file}`, text, { append: true });
  const before = new Set((await readIfThere(`${folder}/done.txt`)).split("\n"));
  const ran = { done: [], failed: [], left: [], before: [] } as Record<keyof RanParts, string[]>;
  for (const part of parts) {
    const { name } = part;
    if (before.has(name)) {
      ran.before.push(name);
      continue;
    }
    const seconds = Math.min(part.seconds, limitSeconds - elapsed() - GRACE_SECONDS);
    if (seconds < LEAST_SECONDS) {
      ran.left.push(name);
      continue;
    }
    say(`${elapsed().toFixed(0).padStart(4)} s  ${name}, ${seconds.toFixed(0)} s at most`);
    const { end, output } = await runPart(part, seconds);
    await append("log.txt", `== ${name}\n${output}\n`);
    const isShort = seconds < part.seconds;
    if (end === 0 || end === CUT_STATUS && !isShort) {
      ran.done.push(name);
      await append("done.txt", `${name}\n`);
      continue;
    }
    // A part that had less than its own time starts again in the next call.
    const isCut = isShort && (end === "out of time" || end === CUT_STATUS);
    ran[isCut ? "left" : "failed"].push(name);
    await append("results.jsonl", `${JSON.stringify({ part: name, ended: end })}\n`);
    say(`  ${name} ended: ${end}`);
    for (const line of output.trimEnd().split("\n").slice(-SHOWN_LINES)) say(`  ${line}`);
  }
  return ran;
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Runs one part. `end` is its exit status, a signal, or "out of time". */
async function runPart(
  { args, env = {}, sign }: TimedPart,
  seconds: number,
): Promise<{ end: number | string; output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: args.map((arg) => arg.replace("{seconds}", `${Math.floor(seconds)}`)),
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endProcesses(processTree(child.pid)?.pids ?? [child.pid]);
  }, 1000 * (seconds + GRACE_SECONDS));
  const { code, signal, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const text = new TextDecoder();
  const output = text.decode(stdout) + text.decode(stderr);
  // Some drivers abort a process that exits, and some make it hang.
  const isDone = sign?.test(output) === true;
  return { end: isDone ? 0 : isLate ? "out of time" : signal ?? code, output };
}
