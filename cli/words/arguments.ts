/**
 * Checks and splits the arguments of verbs.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";

/** Throws unless there are `least` to `most` arguments; the error quotes `usage`. */
export function expectArgs(
  args: readonly string[],
  usage: string,
  least: number,
  most: number = least,
): void {
  if (args.length >= least && args.length <= most) return;
  const surplus = args.length > most;
  const problem = surplus
    ? `Unexpected argument ${JSON.stringify(args[most])}`
    : "Too few arguments";
  throw new CommandError(`${problem}; usage: ${usage}`);
}

/** Returns a value that is one of some words; throws a CommandError for others. */
export function oneOf<Word extends string>(
  what: string,
  value: string,
  words: readonly Word[],
): Word {
  const word = words.find((known) => known === value);
  if (word !== undefined) return word;
  throw new CommandError(
    `${what} must be one of ${words.join(", ")}, not ${JSON.stringify(value)}`,
  );
}

/** Splits `a,b,c` into its parts; throws a CommandError for an empty part. */
export function splitList(text: string, what: string, between: RegExp | string = ","): string[] {
  const parts = text.split(between).map((part) => part.trim());
  if (parts.includes("")) {
    throw new CommandError(`${what} takes names separated by commas, not ${JSON.stringify(text)}`);
  }
  return parts;
}

/** Splits `left=right` at the first equals sign; undefined if there is none. */
export function splitPair(text: string): [string, string] | undefined {
  const equals = text.indexOf("=");
  return equals < 0 ? undefined : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}
