/**
 * Runs the parts of a measurement, a process each, within a limit of time; goes on in a second call
 * where the first one ended. What a part has measured is in the file of results as soon as it is known, so
 * that a part that hangs, or a machine that goes away, costs only what came after.
 *
 * @module
 */

import { endProcesses, processTree } from "../../scripts/process_tree.ts";

/** A part: a program of Deno, and how long it may take. */
export interface TimedPart {
  readonly name: string;
  readonly seconds: number;
  /** Arguments of Deno; `{seconds}` stands for those that the part is given. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What its output says when all is done: then it does not matter how the process ends. */
  readonly sign?: RegExp;
}

/** How parts are run. */
export interface RunOptions {
  /** Where `results.jsonl`, `done.txt` and `log.txt` are, also those of an earlier call. */
  readonly folder: string;
  /** Seconds of all parts together. */
  readonly limitSeconds: number;
  readonly say: (line: string) => void;
}

/** What came of the parts, by their names. */
export interface RanParts {
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** Those for which there was no time. */
  readonly left: readonly string[];
  /** Those that an earlier call had done. */
  readonly before: readonly string[];
}

/** Seconds behind which no part begins, and that a part may go on behind its own. */
const LEAST_SECONDS = 5;
const GRACE_SECONDS = 5;

/** The status of a part that had too little time for all of its steps. */
export const CUT_STATUS = 75;

/** Lines of the output of a part that failed which are printed; all are in the log. */
const SHOWN_LINES = 5;

/** Runs those parts that are not named in `done.txt`. */
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
    // Where less than its own time was left, the next call begins it again.
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

/** Runs one part. How it ended: 0, another status, a signal, or for want of time. */
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
  // Some drivers abort a process that exits, and some let it hang.
  const isDone = sign?.test(output) === true;
  return { end: isDone ? 0 : isLate ? "out of time" : signal ?? code, output };
}
