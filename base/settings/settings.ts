/**
 * Numeric settings, from an option or else from the environment. The number of threads is here because
 * rechunking needs it without an engine.
 *
 * @module
 */

import { OptionError } from "../errors/option_error.ts";
import { option as optionWord, optionText } from "../errors/option_text.ts";
import { environmentVariable } from "./environment.ts";

/** A setting that is a positive integer: its option, its variable, its range in words, and its maximum. */
export interface Count {
  readonly option: string;
  readonly variable: string;
  readonly range: string;
  readonly most: number;
}

const threadCount: Count = {
  option: "threads",
  variable: "SLUICE_THREADS",
  range: "threads from 1 on",
  most: Infinity,
};

/**
 * Returns the maximum number of threads of the host backend; undefined for the default of the machine.
 * Throws an OptionError for anything but a positive integer.
 */
export function chooseThreads(threads?: number): number | undefined {
  return chooseCount(threads, threadCount);
}

/**
 * Returns a setting; undefined for its default. Throws an OptionError for anything but an integer from 1 to
 * its maximum.
 */
export function chooseCount(
  given: number | undefined,
  { option, variable, range, most }: Count,
): number | undefined {
  const text = given === undefined ? environmentVariable(variable) : String(given);
  if (text === undefined) return undefined;
  const count = given ?? Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  const name = given === undefined ? variable : optionWord(option);
  throw new OptionError(optionText`${name} is a number of ${range}, not "${text}"`);
}
