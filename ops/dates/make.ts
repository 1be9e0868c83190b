/**
 * Defines the operations that make dates of numbers, and numbers of dates: `makeDate`, `monthEnd`,
 * `epoch`.
 *
 * @module
 */

import { DataType, DateDay, Int64 } from "apache-arrow";
import { timeUnitNames } from "../../base/time_text.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { CallArgs, Overload } from "../syntax/overload.ts";
import type { StringOp } from "../syntax/node.ts";
import { toDate, toTimestamp } from "../string/convert/to_time.ts";
import { defineStringOp, type IntArg, overload } from "../string/define/define_string_op.ts";
import { NO_DAY } from "../time/calendar.ts";
import { daysInMonth, firstOfMonth, monthOfDay, yearOfDay } from "../time/civil.ts";
import { floorDivide } from "../time/floor.ts";
import { localDay, perDay } from "../time/time_of.ts";
import { type TimeUnitName, timeUnitOf } from "../time/time_units.ts";
import { problemOfUnit, stepOf } from "./steps.ts";

const { mulOverflows, toI32, toI64 } = numeric;

/** Makes a date of a year, a month and a day. */
export const makeDate: StringOp<[month: IntArg, day: IntArg]> = defineStringOp({
  name: "makeDate",
  group: "dates",
  summary: "The date of a year, a month and a day, as in year.makeDate(month, day)",
  details: "A date that the calendar does not have is an error, and null with orNull().",
  args: { month: "i64", day: "i64" },
  optional: [],
  isStrict: () => true,
  choose: (_args, on) => on === "int" ? "date" : undefined,
  examples: [
    { input: 2024, args: [2, 29], result: "2024-02-29" },
    { input: 1969, args: [12, 31], result: "1969-12-31" },
  ],
  overloads: {
    date: overload({
      kind: "measure",
      subject: "i64",
      args: { month: "i64", day: "i64" },
      gives: new DateDay(),
      refusal: (call, year, month, day) =>
        `${call}: there is no day ${day} of month ${month} in the year ${year}`,
      consts: { daysInMonth, firstOfMonth, toI32, toI64 },
      row(year, { month, day, daysInMonth, firstOfMonth, toI32, toI64 }) {
        if (year < -6000000n || year > 6000000n || month < 1n || month > 12n) return null;
        const y = toI32(year);
        const m = toI32(month);
        if (day < 1n || day > toI64(daysInMonth(y, m))) return null;
        const date = firstOfMonth(y, m) + day - 1n;
        return date <= -2147483648n || date > 2147483647n ? null : toI32(date);
      },
    }),
  },
});

/** Creates the row function that returns the last day of the month. */
function lastDay(unit: TimeUnitName): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    gives: new DateDay(),
    consts: (_args, zone) => ({
      ...{ toDay: localDay(unit, zone), none: NO_DAY, yearOfDay, monthOfDay },
      ...{ daysInMonth, firstOfMonth, toI32, toI64 },
    }),
    row(time, given) {
      const day = given.toDay(time);
      if (day === given.none) return null;
      const year = given.yearOfDay(day);
      const month = given.monthOfDay(day);
      const last = given.firstOfMonth(year, month) + given.toI64(given.daysInMonth(year, month)) -
        1n;
      return last > 2147483647n ? null : given.toI32(last);
    },
  });
}

const units: readonly TimeUnitName[] = ["day", ...timeUnitNames];

/** Returns the last day of the month of a date or a timestamp. */
export const monthEnd: StringOp<[]> = defineStringOp({
  name: "monthEnd",
  group: "dates",
  summary: "The last day of the month of a date or a timestamp",
  details: "A timestamp in a time zone has the month of its local time.",
  args: {},
  optional: [],
  isStrict: () => true,
  choose: (_args, _on, type) => timeUnitOf(type),
  examples: [
    { input: "2024-02-10", via: toDate, result: "2024-02-29" },
    { input: "2023-12-31T23:59", via: toTimestamp, result: "2023-12-31" },
  ],
  overloads: Object.fromEntries(units.map((unit) => [unit, lastDay(unit)])),
});

/** Creates the row function that counts a unit since 1970. */
function countOf(unit: TimeUnitName): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    returns: "i64",
    gives: new Int64(),
    consts: ({ unit: named }: CallArgs) => {
      const { of, count } = stepOf(named);
      // Both as a number of them in a day.
      const own = perDay(unit);
      const wanted = of === "day" ? 1n : perDay("ns") / count;
      return {
        ...{ floorDivide, mulOverflows, factor: wanted > own ? wanted / own : 1n },
        divisor: own > wanted ? own / wanted : 1n,
      };
    },
    row(time, { floorDivide, mulOverflows, factor, divisor }) {
      if (mulOverflows(time, factor)) return null;
      return floorDivide(time * factor, divisor);
    },
  });
}

/** Counts a unit since 1970-01-01 in UTC. */
export const epoch: StringOp<[unit: string]> = defineStringOp({
  name: "epoch",
  group: "dates",
  summary: "The number of units since 1970-01-01 in UTC, rounded down",
  details: 'The unit is "day", "hour", "minute", "second", "millisecond", "microsecond" or ' +
    '"nanosecond". cast("timestamp[s]") is the way back, and so on for ms, us and ns.',
  args: { unit: "literal" },
  accepts: { unit: "string" },
  optional: [],
  isStrict: () => true,
  check({ unit }) {
    const problem = problemOfUnit(unit);
    if (problem !== undefined) return problem;
    const { of, count } = stepOf(unit);
    if (of === "month" || count === 7n) return "months and weeks are no units of it";
  },
  choose: (_args, _on, type) => timeUnitOf(type),
  instead: (type) => DataType.isDuration(type) ? "total() counts durations" : undefined,
  examples: [
    {
      input: "2001-09-09T01:46:40",
      via: toTimestamp,
      args: ["second"],
      result: 1_000_000_000n,
    },
    { input: "1969-12-31", via: toDate, args: ["day"], result: -1n },
  ],
  overloads: Object.fromEntries(units.map((unit) => [unit, countOf(unit)])),
});
