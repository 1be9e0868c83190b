/**
 * Numeric settings, from an option or else from the environment. The number of threads is here because
 * rechunking needs it without an engine.
 *
 * @module
 */

import { showValue } from "../kind_of.ts";
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
  const value: unknown = given === undefined ? environmentVariable(variable) : given;
  if (value === undefined) return undefined;
  const count = given === undefined ? Number(value) : value;
  if (isCount(count) && count <= most) return count;
  const name = given === undefined ? variable : optionWord(option);
  const shown = typeof value === "number" ? `"${value}"` : showValue(value);
  throw new OptionError(optionText`${name} is a number of ${range}, not ${shown}`);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && value as number >= 1;
}
