/**
 * Defines `truncate`, which moves dates and times back to the start of a unit.
 *
 * @module
 */

import { DataType, DateDay } from "apache-arrow";
import { timeUnitNames } from "../../base/time_text.ts";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Helper, i32, i64 } from "../../gpu/kernel/language/row_function.ts";
import type { CallArgs, Overload } from "../syntax/overload.ts";
import type { StringOp } from "../syntax/node.ts";
import { toDate, toTimestamp } from "../string/convert/to_time.ts";
import { defineStringOp, overload } from "../string/define/define_string_op.ts";
import { NO_DAY } from "../time/calendar.ts";
import { firstOfMonth, monthOfDay, yearOfDay } from "../time/civil.ts";
import { floorDivide, floorRemainder } from "../time/floor.ts";
import { type ClockUnit, localDay, localSecond, perSecond } from "../time/time_of.ts";
import { timeUnitOf } from "../time/time_units.ts";
import { dayStart } from "../time/day_start.ts";
import { SAME_TYPE } from "./same_type.ts";
import { problemOfUnit, type Step, stepOf, unitNameOf } from "./steps.ts";

const { mulOverflows, subOverflows, toI32, toI64 } = numeric;

/** Monday, 5 January 1970: weeks begin seven days apart from it. */
const FIRST_MONDAY = 4n;

/** How many of each unit fit the next larger one, which a number of them must divide. */
const PER_LARGER: Readonly<Record<string, number>> = {
  hour: 24,
  minute: 60,
  second: 60,
  millisecond: 1000,
  microsecond: 1000,
  nanosecond: 1000,
};

/** Creates the helper that returns the day on which the step of a day began. */
function firstDay({ of, count }: Step, from: bigint): Helper<(day: i32) => i64> {
  if (of === "month") {
    return defineHelper({
      args: ["i32"],
      returns: "i64",
      consts: {
        ...{ floorDivide, floorRemainder, firstOfMonth, monthOfDay, yearOfDay },
        ...{ toI32, toI64, count },
      },
      row(day, given) {
        const months = given.toI64(given.yearOfDay(day)) * 12n +
          given.toI64(given.monthOfDay(day) - 1);
        const first = given.floorDivide(months, given.count) * given.count;
        const year = given.toI32(given.floorDivide(first, 12n));
        return given.firstOfMonth(year, given.toI32(given.floorRemainder(first, 12n)) + 1);
      },
    });
  }
  return defineHelper({
    args: ["i32"],
    returns: "i64",
    consts: { floorDivide, toI64, count, from },
    row: (day, { floorDivide, toI64, count, from }) =>
      floorDivide(toI64(day) - from, count) * count + from,
  });
}

/** Returns the step of a call. */
function stepIn({ unit, n }: CallArgs): { readonly step: Step; readonly from: bigint } {
  const { of, count } = stepOf(unit);
  const from = unitNameOf(unit) === "week" ? FIRST_MONDAY : 0n;
  return { step: { of, count: count * BigInt(n as number ?? 1) }, from };
}

/** Truncates dates. */
const ofDate: Overload = overload({
  kind: "measure",
  subject: "i64",
  gives: new DateDay(),
  consts: (args) => {
    const { step, from } = stepIn(args);
    return { firstDay: firstDay(step, from), toI32 };
  },
  row(day, { firstDay, toI32 }) {
    const first = firstDay(toI32(day));
    return first < -2147483648n ? null : toI32(first);
  },
});

/** Creates the row function that truncates timestamps to days, weeks, months or years. */
function toDays(unit: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    ...SAME_TYPE,
    consts: (args, zone) => {
      const { step, from } = stepIn(args);
      return {
        ...{ toDay: localDay(unit, zone), firstDay: firstDay(step, from), none: NO_DAY, toI32 },
        ...{ mulOverflows, dayStart: dayStart(zone), perSecond: perSecond(unit) },
      };
    },
    row(time, { toDay, firstDay, none, toI32, mulOverflows, dayStart, perSecond }) {
      const day = toDay(time);
      if (day === none) return null;
      const first = firstDay(day);
      if (first <= -2147483648n) return null;
      const second = dayStart(toI32(first));
      return mulOverflows(second, perSecond) ? null : second * perSecond;
    },
  });
}

/** Creates the row function that truncates timestamps to hours or less, counted from local midnight. */
function toClock(unit: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    ...SAME_TYPE,
    consts: (args, zone) => ({
      ...{ toSecond: localSecond(unit, zone), floorRemainder, subOverflows, toI64 },
      ...{ perSecond: perSecond(unit), step: inUnits(stepIn(args).step, unit) },
    }),
    row(time, { toSecond, floorRemainder, subOverflows, toI64, perSecond, step }) {
      const second = toSecond(time);
      if (second < 0) return null;
      const within = toI64(second) * perSecond + floorRemainder(time, perSecond);
      const past = within % step;
      return subOverflows(time, past) ? null : time - past;
    },
  });
}

/** Creates the row function that truncates times of a day. */
function timeOfDay(unit: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    ...SAME_TYPE,
    consts: (args) => ({ step: inUnits(stepIn(args).step, unit) }),
    row: (time, { step }) => time - time % step,
  });
}

/** Returns a step in a unit; 1 where the unit is larger, since nothing is smaller than it. */
function inUnits({ count }: Step, unit: ClockUnit): bigint {
  const step = count * perSecond(unit) / perSecond("ns");
  return step < 1n ? 1n : step;
}

const byUnit = (name: string, of: (unit: ClockUnit) => Overload) =>
  Object.fromEntries(timeUnitNames.map((unit) => [`${name} ${unit}`, of(unit)]));

/**
 * Moves dates and times back to the start of a unit, or of several. A timestamp in a time zone starts
 * at the local time of the unit.
 */
export const truncate: StringOp<[unit: string, n?: number]> = defineStringOp({
  name: "truncate",
  group: "dates",
  summary: "The start of the unit that a date or a time is in",
  details:
    'The unit is "year", "quarter", "month", "week" (from Monday), "day", "hour", "minute", ' +
    '"second", "millisecond" or "microsecond"; with a number n, several of them: hours and less ' +
    "divide the next larger unit, as 15 minutes do, and are counted from midnight, days from 1970-01-01, weeks from Monday 1970-01-05, months and " +
    "years from the year 0. The type stays. In a time zone the local time counts: a day starts " +
    "after midnight where the zone skips midnight.",
  differs: [
    "DuckDB: date_trunc() of a date returns a timestamp",
    "DuckDB: truncates to an hour that is later than the value where clocks are set back",
  ],
  args: { unit: "literal", n: "literal" },
  accepts: { unit: "string", n: "integer" },
  optional: ["n"],
  isStrict: () => true,
  check({ unit, n }) {
    const problem = problemOfUnit(unit);
    if (problem !== undefined || n === undefined) return problem;
    if (typeof n !== "number" || !Number.isInteger(n) || n < 1 || n > 1_000_000) {
      return "n is a whole number from 1 to 1000000";
    }
    const name = unitNameOf(unit)!;
    const most = PER_LARGER[name];
    if (most !== undefined && most % n !== 0) {
      return `n divides ${most}, so that every day is divided alike; ${n} ${name}s do not`;
    }
  },
  choose({ unit }, _on, type) {
    const { of } = stepOf(unit);
    if (DataType.isTime(type)) {
      return of === "nanosecond" ? `time ${timeUnitNames[type.unit]}` : undefined;
    }
    const own = timeUnitOf(type);
    if (own === undefined) return undefined;
    if (of === "nanosecond") return DataType.isDate(type) ? undefined : `clock ${own}`;
    return own === "day" ? "date" : `days ${own}`;
  },
  instead: (type) =>
    DataType.isDate(type)
      ? "a date has no time of day"
      : DataType.isFloat(type)
      ? "trunc() cuts off the fraction of a number"
      : undefined,
  examples: [
    { input: "2024-02-29", via: toDate, args: ["month"], result: "2024-02-01" },
    {
      input: "2024-02-29T15:09:26",
      via: toTimestamp,
      args: ["minute", 15],
      result: "2024-02-29T15:00:00",
    },
  ],
  overloads: {
    date: ofDate,
    ...byUnit("days", toDays),
    ...byUnit("clock", toClock),
    ...byUnit("time", timeOfDay),
  },
});
