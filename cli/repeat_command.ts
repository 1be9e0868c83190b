/**
 * The command that shows a difference between the two backends again.
 *
 * @module
 */

import { parseCommandLine, type StepWords } from "./command_line.ts";
import { StepFailure } from "./step_failure.ts";

/** Verbs that keep every row where it is, so that a slice behind them is taken in front of them. */
const keeping: readonly string[] = ["with", "select", "drop", "rename"];
const slicing: readonly string[] = ["slice", "head", "tail", "at"];
const sinks: readonly string[] = ["write", "show", "count", "schema", "explain"];

/**
 * The lines that follow the message of such an error; none for others. The command is the one that
 * was given, with only the row that differs at the step that it names, and it writes nothing.
 */
export function repeatLines(words: readonly string[], error: unknown): string[] {
  const chain = causesOf(error);
  const failure = chain.find((cause) => cause instanceof StepFailure);
  const isDifference = chain.some((cause) => (cause as Error).name === "DifferenceError");
  if (failure === undefined || !isDifference) return [];
  const { row } = chain.find((cause) => "row" in cause) as { row?: number };
  return [`  shown again by: ${repeatCommand(words, failure.step.number, row)}`];
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** The command with only one row of the input of a step, where that is known. */
function repeatCommand(words: readonly string[], number: number, row: number | undefined): string {
  const { steps } = parseCommandLine(words);
  const numStepWords = steps.reduce((sum, step) => sum + step.words.length + 2, -1);
  const options = words.slice(0, words.length - numStepWords);
  if (!options.some((word) => /^--device(=|$)/.test(word))) options.unshift("--device", "check");
  const parts = steps.slice(0, number - 1).map(wordsOf);
  const rest: string[][] = [];
  let keeps = true;
  for (const step of steps.slice(number - 1)) {
    if (sinks.includes(step.verb)) break;
    // The row counts among those that such a slice leaves.
    if (keeps && slicing.includes(step.verb)) parts.push(wordsOf(step));
    else rest.push(wordsOf(step));
    keeps &&= keeping.includes(step.verb) || slicing.includes(step.verb);
  }
  if (row !== undefined) parts.push(["slice", `${row}:${row + 1}`]);
  const all = [...parts, ...rest, ["show"]].map((part) => part.map(quoted).join(" "));
  return ["sluice", ...options.map(quoted), all.join(" then ")].join(" ");
}

function wordsOf({ verb, words }: StepWords): string[] {
  return [verb, ...words];
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
