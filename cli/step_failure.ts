/**
 * Errors with the step of the command that they belong to.
 *
 * @module
 */

import { isStdin } from "../streams/standard_streams.ts";
import type { StepWords } from "./command_line.ts";

/** When it happened: reading the words, opening (no file is read yet), planning, running. */
type Phase = "parse" | "open" | "plan" | "run";

/** An error that has found its step. */
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
 * Runs a part of a step; what it throws becomes a StepFailure. The step is `words`, or, for an
 * error of the library that counts the nodes of a plan, the step that gave the node.
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
    const isFile = (word: string) => word === file || (file === "standard input" && isStdin(word));
    return nodes.find(({ words }) => words.some(isFile));
  }
  return undefined;
}
