/**
 * Settings of an engine: from its options, else the environment, else a default.
 *
 * @module
 */

import { MAX_THRESHOLD, type OffsetRule } from "../batch/offset_rule.ts";
import { environmentVariable } from "./environment.ts";

/** A setting that is a positive integer: the option, the variable, and what it counts. */
interface Count {
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

const thresholdBytes: Count = {
  option: "threshold",
  variable: "SLUICE_LARGE_STRINGS_THRESHOLD",
  range: `bytes from 1 to ${MAX_THRESHOLD}`,
  most: MAX_THRESHOLD,
};

const enabledVariable = "SLUICE_LARGE_STRINGS_ENABLED";

/**
 * Maximum threads of the host backend; undefined for the machine's default. Throws a RangeError for
 * anything but a positive integer.
 */
export function chooseThreads(threads?: number): number | undefined {
  return chooseCount(threads, threadCount);
}

/**
 * When text gets 64-bit offsets. Throws a RangeError for a threshold that is not an integer from 1 to
 * 2^31 - 1, or for a variable that is neither 0 nor 1, and a TypeError for an option that is not a
 * boolean.
 */
export function chooseOffsetRule(threshold?: number, enabled?: boolean): OffsetRule {
  if (enabled !== undefined && typeof enabled !== "boolean") {
    throw new TypeError(`largeStrings is true or false, not ${JSON.stringify(enabled)}`);
  }
  return {
    threshold: chooseCount(threshold, thresholdBytes) ?? MAX_THRESHOLD,
    enabled: enabled ?? enabledByEnvironment(),
  };
}

function chooseCount(
  given: number | undefined,
  { option, variable, range, most }: Count,
): number | undefined {
  const text = given === undefined ? environmentVariable(variable) : String(given);
  if (text === undefined) return undefined;
  const count = given ?? Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  const name = given === undefined ? variable : option;
  throw new RangeError(`${name} is a number of ${range}, not "${text}"`);
}

function enabledByEnvironment(): boolean {
  const value = environmentVariable(enabledVariable) ?? "1";
  if (value === "0" || value === "1") return value === "1";
  throw new RangeError(`${enabledVariable} is 0 or 1, not "${value}"`);
}
