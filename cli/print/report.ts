/**
 * Reports errors: their step, their lines on stderr, and the exit status.
 *
 * @module
 */

import { isStdin } from "../library/known_words.ts";
import { commandMessage, shellWord } from "../../base/errors/option_text.ts";
import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { type Phase, VerbError } from "../../base/errors/command_error.ts";
import { parseCommandLine, type StepWords } from "../words/command_line.ts";
import { type Place, showPlace } from "../../base/errors/expr_error.ts";
import { localPath } from "../../base/url.ts";

/**
 * Returns a function that wraps an error in a VerbError. Its step is `words`, or, if the error names a node
 * of the plan or a file, the step among `nodes` that added it.
 */
export function wrapIn(
  words: StepWords,
  phase: Phase,
  nodes: readonly StepWords[] = [],
): (error: unknown) => VerbError {
  return (error) => {
    if (isSluiceError(error, "VerbError")) return error;
    const { number, verb } = stepOf(error, nodes) ?? words;
    return new VerbError(number, verb, phase, error);
  };
}

function stepOf(error: unknown, nodes: readonly StepWords[]): StepWords | undefined {
  if (isSluiceError(error, "StepError")) return nodes[error.step - 1];
  if (!isSluiceError(error, "FileError")) return undefined;
  const { file } = error;
  const isFile = (word: string) =>
    localPath(word) === file || (file === "standard input" && isStdin(word));
  return nodes.find(({ words }) => words.some(isFile));
}

/** Lines for stderr, and the exit status. */
interface Report {
  readonly lines: readonly string[];
  readonly status: number;
}

/** Describes an error in one line, followed by its place in a text if known. */
export function reportError(error: unknown): Report {
  const chain = causes(error);
  if (isBrokenPipe(error)) return { lines: [], status: 0 };
  const failure = chain.find((cause) => isSluiceError(cause, "VerbError"));
  const place = chain.map((cause) => (cause as { place?: Place }).place).find((place) => place);
  const prefix = failure === undefined ? "" : `${failure.message}: `;
  const message = `sluice: error: ${prefix}${messageOf(failure?.cause ?? error)}`;
  return {
    lines: place === undefined ? [message] : [message, ...indented(showPlace(place))],
    status: isMistake(chain, failure) ? 2 : 1,
  };
}

/** Whether the reader of stdout has closed the pipe, which is not an error. */
export function isBrokenPipe(error: unknown): boolean {
  return causes(error).some((cause) => cause instanceof Deno.errors.BrokenPipe);
}

/** Whether the command itself is wrong, rather than its input. */
function isMistake(chain: readonly unknown[], failure: VerbError | undefined): boolean {
  if (chain.some((cause) => isSluiceError(cause, "CommandError", "ExprError"))) return true;
  if (failure === undefined || failure.phase === "run") return false;
  if (failure.phase !== "plan") return true;
  if (chain.some(isOutside)) return false;
  return chain.some((cause) => cause instanceof TypeError || cause instanceof RangeError);
}

/** Whether the cause of an error lies outside the command: in files, devices or memory. */
function isOutside(error: unknown): boolean {
  return isSluiceError(error, "FileError", "DeviceError", "OverflowError", "Utf8Error");
}

/** Returns the message without the library's step number: the command numbers its steps itself. */
function messageOf(error: unknown): string {
  if (isSluiceError(error, "StepError")) {
    return messageOf(error.cause) + (error.row === undefined ? "" : ` (row ${error.row})`);
  }
  const text = error instanceof Error ? commandMessage(error) : textOf(error);
  return text.replace(/\s+/g, " ").trim().replace(/(?<!\.)\.$/, "") || "Unknown error";
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

/** Verbs that keep all rows in order: a slice after them returns the same rows as one before them. */
const keeping: readonly string[] = ["with", "select", "drop", "rename"];
const slicing: readonly string[] = ["slice", "head", "tail", "at", "take"];
const sinks: readonly string[] = ["write", "show", "count", "schema", "explain"];

/**
 * Returns a line with a command that reproduces a difference between the backends; none for other errors.
 * It is the given command, reduced to the row that differs, and without the output of the last step.
 */
export function repeatLines(words: readonly string[], error: unknown): string[] {
  const chain = causes(error).filter((cause) => cause instanceof Error);
  const failure = chain.find((cause) => isSluiceError(cause, "VerbError"));
  const isDifference = chain.some((cause) => isSluiceError(cause, "DifferenceError"));
  if (failure === undefined || !isDifference) return [];
  const { row } = chain.find((cause) => "row" in cause) as { row?: number };
  return [`  reproduce with: ${repeatCommand(words, failure.step, row)}`];
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
    // Such a slice could drop the only row.
    if (!keeps || !slicing.includes(step.verb)) parts.push(wordsOf(step));
    keeps &&= keeping.includes(step.verb) || slicing.includes(step.verb);
  }
  const all = [...parts, ["show"]].map((part) => part.map(shellWord).join(" "));
  return ["sluice", ...options.map(shellWord), all.join(" then ")].join(" ");
}

function wordsOf({ verb, words }: StepWords): string[] {
  return [verb, ...words];
}
