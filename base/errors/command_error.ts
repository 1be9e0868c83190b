/**
 * Errors of the command line: mistakes in a command, and errors of one of its verbs.
 *
 * @module
 */

import type { Place } from "./expr_error.ts";

/** A mistake in the command itself, as opposed to a failure while it runs: exit status 2. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** The argument, and the range in it, if known. */
  readonly place: Place | undefined;

  constructor(message: string, options: ErrorOptions & { place?: Place } = {}) {
    super(message, options);
    this.place = options.place;
  }
}

/** Parsing the words, opening the step (before it reads any file), planning, or running. */
export type Phase = "parse" | "open" | "plan" | "run";

/** Wraps an error of a verb with its position in the command. */
export class VerbError extends Error {
  override readonly name = "VerbError";
  /** Position of the verb in the command, counted from 1. */
  readonly step: number;
  readonly verb: string;
  /** The phase in which the error was thrown. */
  readonly phase: Phase;

  constructor(step: number, verb: string, phase: Phase, cause: unknown) {
    super(`step ${step}, ${verb}`, { cause });
    this.step = step;
    this.verb = verb;
    this.phase = phase;
  }
}
