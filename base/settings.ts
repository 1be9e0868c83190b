/**
 * Settings that are numbers: from an option, else the environment. The number of threads, which is
 * asked for by those too who load nothing else of an engine.
 *
 * @module
 */

import { OptionError } from "./errors/option_error.ts";
import { option as optionWord, optionText } from "./errors/option_text.ts";
import { environmentVariable } from "./environment.ts";

/** A setting that is a positive integer: the option, the variable, and what it counts. */
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
 * Maximum threads of the host backend; undefined for the machine's default. Throws a RangeError for
 * anything but a positive integer.
 */
export function chooseThreads(threads?: number): number | undefined {
  return chooseCount(threads, threadCount);
}

/**
 * A setting, of which undefined is the default. Throws a RangeError for anything but a positive integer
 * in its range.
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
