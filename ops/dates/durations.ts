/**
 * Defines the operations that make durations, and count them: `duration` and `total`.
 *
 * @module
 */

import {
  DataType,
  type Duration,
  DurationMicrosecond,
  DurationMillisecond,
  DurationNanosecond,
  DurationSecond,
} from "apache-arrow";
import { timeUnitNames } from "../../base/time_text.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Overload } from "../syntax/overload.ts";
import type { StringOp } from "../syntax/node.ts";
import { defineStringOp, overload } from "../string/define/define_string_op.ts";
import { type ClockUnit, perDay, perSecond } from "../time/time_of.ts";
import { problemOfUnit, stepOf } from "./steps.ts";

const { mulOverflows, toF64 } = numeric;

const TYPES: Readonly<Record<ClockUnit, Duration>> = {
  s: new DurationSecond(),
  ms: new DurationMillisecond(),
  us: new DurationMicrosecond(),
  ns: new DurationNanosecond(),
};

/** Returns the nanoseconds of a unit; undefined for months, whose length varies. */
function nanoseconds(unit: unknown): bigint | undefined {
  const { of, count } = stepOf(unit);
  if (of === "month") return undefined;
  return of === "day" ? count * perDay("ns") : count;
}

/** Describes the problem with a unit of durations; undefined if there is none. */
function problemOfLength(unit: unknown): string | undefined {
  const problem = problemOfUnit(unit);
  if (problem !== undefined) return problem;
  return nanoseconds(unit) === undefined
    ? 'months and years have no fixed length; plus(n, "month") moves a date by them'
    : undefined;
}

/** Returns the largest unit of the types of durations that counts a unit in whole numbers. */
function typeUnitOf(unit: unknown): ClockUnit {
  const length = nanoseconds(unit) ?? 1n;
  return timeUnitNames.find((name) => length % (perSecond("ns") / perSecond(name)) === 0n) ?? "ns";
}

function madeOf(type: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    returns: "i64",
    gives: TYPES[type],
    consts: ({ unit }) => ({
      ...{ mulOverflows, factor: (nanoseconds(unit) ?? 1n) * perSecond(type) / perSecond("ns") },
    }),
    row: (n, { mulOverflows, factor }) => mulOverflows(n, factor) ? null : n * factor,
  });
}

/** Makes a duration of a number of units. */
export const duration: StringOp<[unit: string]> = defineStringOp({
  name: "duration",
  group: "dates",
  summary: 'A number of units as a duration, as in minutes.duration("minute")',
  details:
    'The unit is "week", "day", "hour", "minute", "second", "millisecond", "microsecond" or ' +
    '"nanosecond". The duration counts in seconds, or in a smaller unit if that is meant.',
  args: { unit: "literal" },
  accepts: { unit: "string" },
  optional: [],
  isStrict: () => true,
  check: ({ unit }) => problemOfLength(unit),
  choose: ({ unit }, on) => on === "int" ? typeUnitOf(unit) : undefined,
  examples: [
    { input: 90n, args: ["minute"], result: 5400n },
    { input: 3n, args: ["microsecond"], result: 3n },
  ],
  overloads: Object.fromEntries(timeUnitNames.map((unit) => [unit, madeOf(unit)])),
});

function countedIn(type: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    returns: "f64",
    consts: ({ unit }) => {
      const [own, wanted] = [perSecond("ns") / perSecond(type), nanoseconds(unit) ?? 1n];
      return {
        ...{ toF64, factor: wanted > own ? 1n : own / wanted },
        divisor: wanted > own ? wanted / own : 1n,
      };
    },
    row: (length, { toF64, factor, divisor }) => toF64(length) * toF64(factor) / toF64(divisor),
  });
}

/** Returns a duration as a number of units, with a fraction. */
export const total: StringOp<[unit: string]> = defineStringOp({
  name: "total",
  group: "dates",
  summary: "A duration as a number of units, with a fraction",
  details:
    'The unit is "week", "day", "hour", "minute", "second", "millisecond", "microsecond" or ' +
    '"nanosecond".',
  args: { unit: "literal" },
  accepts: { unit: "string" },
  optional: [],
  check: ({ unit }) => problemOfLength(unit),
  choose: (_args, _on, type) => DataType.isDuration(type) ? timeUnitNames[type.unit] : undefined,
  examples: [
    { input: 90n, via: [[duration, "minute"]], args: ["hour"], result: 1.5 },
    { input: -36n, via: [[duration, "hour"]], args: ["day"], result: -1.5 },
  ],
  overloads: Object.fromEntries(timeUnitNames.map((unit) => [unit, countedIn(unit)])),
});
