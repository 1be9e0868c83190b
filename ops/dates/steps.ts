/**
 * The units that dates and times are truncated to, moved by and counted in.
 *
 * @module
 */

import { didYouMean } from "../../base/nearest_name.ts";

/** A unit as a number of months, of days, or of nanoseconds. */
export type Step =
  | { readonly of: "month"; readonly count: bigint }
  | { readonly of: "day"; readonly count: bigint }
  | { readonly of: "nanosecond"; readonly count: bigint };

const SECOND = 1_000_000_000n;

/** The units, largest first. */
const STEPS: Readonly<Record<string, Step>> = {
  year: { of: "month", count: 12n },
  quarter: { of: "month", count: 3n },
  month: { of: "month", count: 1n },
  week: { of: "day", count: 7n },
  day: { of: "day", count: 1n },
  hour: { of: "nanosecond", count: 3600n * SECOND },
  minute: { of: "nanosecond", count: 60n * SECOND },
  second: { of: "nanosecond", count: SECOND },
  millisecond: { of: "nanosecond", count: 1_000_000n },
  microsecond: { of: "nanosecond", count: 1_000n },
  nanosecond: { of: "nanosecond", count: 1n },
};

/** Other spellings of units, of other tools. */
const ALIASES: Readonly<Record<string, string>> = {
  y: "year",
  mo: "month",
  w: "week",
  d: "day",
  h: "hour",
  min: "minute",
  s: "second",
  ms: "millisecond",
  us: "microsecond",
  ns: "nanosecond",
};

/** The names of the units, as errors list them. */
const NAMES = Object.keys(STEPS);

/** Returns the name of a unit, for a unit, its plural or its symbol; undefined for another text. */
export function unitNameOf(unit: unknown): string | undefined {
  if (typeof unit !== "string") return undefined;
  if (Object.hasOwn(STEPS, unit)) return unit;
  if (Object.hasOwn(ALIASES, unit)) return ALIASES[unit];
  const singular = unit.toLowerCase().replace(/s$/, "");
  return Object.hasOwn(STEPS, singular) ? singular : undefined;
}

/** Returns the step of a unit that `problemOfUnit` accepts. */
export function stepOf(unit: unknown): Step {
  return STEPS[unitNameOf(unit) ?? "day"]!;
}

/** Describes the problem with the name of a unit; undefined if there is none. */
export function problemOfUnit(unit: unknown): string | undefined {
  if (unitNameOf(unit) !== undefined) return undefined;
  if (typeof unit !== "string") return `the unit is one of ${NAMES.join(", ")}`;
  const hint = didYouMean(unit, NAMES);
  return `the unit ${JSON.stringify(unit)} does not exist${
    hint || `; it is one of ${NAMES.join(", ")}`
  }`;
}
