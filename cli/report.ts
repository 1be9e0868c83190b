/**
 * Errors as the user sees them: their step, their lines on stderr, and the exit status.
 *
 * @module
 */

import { parseCommandLine, type StepWords } from "./command_line.ts";
import { type Place, showPlace } from "../ops/syntax/expr_error.ts";
import { isStdin } from "../streams/bytes/standard_streams.ts";
import { localPath } from "../base/url.ts";

/** Parsing the words, opening (no file is read yet), planning, or running. */
type Phase = "parse" | "open" | "plan" | "run";

/** An error and the step it belongs to. */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly step: StepWords;
  readonly phase: Phase;

  constructor(step: StepWords, phase: Phase, cause: unknown) {
    super(`step ${step.number}, ${step.verb}`, { cause });
    this.step = step;
    this.phase = phase;
  }
}

/**
 * Runs part of a step and wraps what it throws in a StepFailure. The step is `words`, unless the error
 * names a node of the plan or a file: then it is the step among `nodes` that made that.
 */
export function inStep<T>(
  words: StepWords,
  phase: Phase,
  work: () => T,
  nodes: readonly StepWords[] = [],
): T {
  const fail = (error: unknown): never => {
    if (error instanceof StepFailure) throw error;
    throw new StepFailure(stepOf(error, nodes) ?? words, phase, error);
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(fail) as T : result;
  } catch (error) {
    return fail(error);
  }
}

function stepOf(error: unknown, nodes: readonly StepWords[]): StepWords | undefined {
  const { name, step, file } = error as { name?: string; step?: number; file?: string };
  if (name === "StepError" && step !== undefined) return nodes[step - 1];
  if (name === "FileError" && file !== undefined) {
    const isFile = (word: string) =>
      localPath(word) === file || (file === "standard input" && isStdin(word));
    return nodes.find(({ words }) => words.some(isFile));
  }
  return undefined;
}

/** Lines for stderr, and the exit status. */
interface Report {
  readonly lines: readonly string[];
  readonly status: number;
}

/** Errors whose cause lies outside the command: files, devices, memory. */
const outside = new Set(["FileError", "DeviceError", "OverflowError", "Utf8Error"]);

/** Describes an error: one line, and its place in a text if known. */
export function reportError(error: unknown): Report {
  const chain = causes(error);
  if (isBrokenPipe(error)) return { lines: [], status: 0 };
  const failure = chain.find((cause) => cause instanceof StepFailure);
  const place = chain.map((cause) => (cause as { place?: Place }).place).find((place) => place);
  const prefix = failure === undefined ? "" : `${failure.message}: `;
  const told = messageOf(failure?.cause ?? error);
  const shown = failure?.step.verb === "rechunk" ? withLimitOptions(told) : told;
  const message = `sluice: error: ${prefix}${shown}`;
  return {
    lines: place === undefined ? [message] : [message, ...indented(showPlace(place))],
    status: isMistake(chain, failure) ? 2 : 1,
  };
}

/** Whether the reader of stdout has closed the pipe, which is not an error. */
export function isBrokenPipe(error: unknown): boolean {
  return causes(error).some((cause) => cause instanceof Deno.errors.BrokenPipe);
}

/** Whether the command itself is wrong, as opposed to what it runs on. */
function isMistake(chain: readonly unknown[], failure: StepFailure | undefined): boolean {
  const names = chain.map((cause) => (cause as { name?: unknown }).name);
  if (names.includes("CommandError") || names.includes("ExprError")) return true;
  if (failure === undefined || failure.phase === "run") return false;
  if (failure.phase !== "plan") return true;
  if (names.some((name) => outside.has(String(name)))) return false;
  return chain.some((cause) => cause instanceof TypeError || cause instanceof RangeError);
}

/** The message without the library's step number; the command numbers steps itself. */
function messageOf(error: unknown): string {
  const { name, row, cause, message } = error as Error & { row?: number };
  if (name === "StepError" && cause !== undefined) {
    return messageOf(cause) + (row === undefined ? "" : ` (row ${row})`);
  }
  const text = asOptions(error instanceof Error ? String(message) : textOf(error), error);
  return text.replace(/\s+/g, " ").trim().replace(/(?<!\.)\.$/, "") || "Unknown error";
}

/** What the library says of its options, and what the command line says of its own. */
const otherOptions: readonly (readonly [RegExp, string])[] = [
  [/; duplicates: "number" numbers them/, "; --duplicates number numbers them"],
  [/; hold: true allows it/, "; --hold allows it"],
  [/; maxWaste: 1 allows it/, "; --max-waste 1 allows it"],
];

/** Replaces options of functions by those of the command line. */
function asOptions(message: string, error: unknown): string {
  const { column = "" } = (error ?? {}) as { column?: string };
  const name = /^[\w.-]+$/.test(column) ? column : "NAME";
  const types = [
    /; name its type in types, such as "(\w+)"/,
    `; give its type: --types ${name}=$1`,
  ] as const;
  return [types, ...otherOptions].reduce((text, [from, to]) => text.replace(from, to), message);
}

/** Calls the limits of rechunk as on the command line; not in names, which no such words follow. */
function withLimitOptions(message: string): string {
  return message.replace(/(?<![\w./-])(min|max)Mem(?= (of|is|to|or)\b|,|$)/g, "--$1-mem");
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "";
  }
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let cause = error; cause !== null && cause !== undefined && chain.length < 20;) {
    chain.push(cause);
    cause = (cause as { cause?: unknown }).cause;
  }
  return chain;
}

function indented(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}

/** Verbs that keep all rows in order, so that a slice after them picks of the rows before them. */
const keeping: readonly string[] = ["with", "select", "drop", "rename"];
const slicing: readonly string[] = ["slice", "head", "tail", "at", "take"];
const sinks: readonly string[] = ["write", "show", "count", "schema", "explain"];

/**
 * For a difference between the backends, a line with a command that reproduces it; none for other
 * errors. It is the given command, cut down to the row that differs, and does not write what the
 * last step would write.
 */
export function repeatLines(words: readonly string[], error: unknown): string[] {
  const chain = causes(error).filter((cause) => cause instanceof Error);
  const failure = chain.find((cause) => cause instanceof StepFailure);
  const isDifference = chain.some(({ name }) => name === "DifferenceError");
  if (failure === undefined || !isDifference) return [];
  const { row } = chain.find((cause) => "row" in cause) as { row?: number };
  return [`  reproduce with: ${repeatCommand(words, failure.step.number, row)}`];
}

function repeatCommand(words: readonly string[], number: number, row: number | undefined): string {
  const { steps } = parseCommandLine(words);
  const numStepWords = steps.reduce((sum, step) => sum + step.words.length + 2, -1);
  const options = words.slice(0, words.length - numStepWords);
  if (!options.some((word) => /^--device(=|$)/.test(word))) options.unshift("--device", "check");
  const parts = steps.slice(0, number - 1).map(wordsOf);
  if (row !== undefined) parts.push(["slice", `${row}:${row + 1}`]);
  let keeps = row !== undefined;
  for (const step of steps.slice(number - 1)) {
    if (sinks.includes(step.verb)) break;
    // Of one row, such a slice could leave nothing.
    if (!keeps || !slicing.includes(step.verb)) parts.push(wordsOf(step));
    keeps &&= keeping.includes(step.verb) || slicing.includes(step.verb);
  }
  const all = [...parts, ["show"]].map((part) => part.map(quoted).join(" "));
  return ["sluice", ...options.map(quoted), all.join(" then ")].join(" ");
}

function wordsOf({ verb, words }: StepWords): string[] {
  return [verb, ...words];
}

/** A word, quoted for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
