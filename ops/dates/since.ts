/**
 * Defines `since`, which counts the whole units between two dates or times.
 *
 * @module
 */

import { DataType, Int64 } from "apache-arrow";
import { timeUnitNames } from "../../base/time_text.ts";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Overload } from "../syntax/overload.ts";
import type { StringOp } from "../syntax/node.ts";
import type { Value } from "../syntax/expr_base.ts";
import { toDate, toTimestamp } from "../string/convert/to_time.ts";
import { defineStringOp, overload } from "../string/define/define_string_op.ts";
import { NO_DAY } from "../time/calendar.ts";
import { dayOfMonth, monthOfDay, yearOfDay } from "../time/civil.ts";
import { floorRemainder } from "../time/floor.ts";
import { type ClockUnit, localDay, localSecond, perSecond } from "../time/time_of.ts";
import { type TimeUnitName, timeUnitOf } from "../time/time_units.ts";
import { problemOfUnit, stepOf } from "./steps.ts";

const { mulOverflows, subOverflows, toI32, toI64 } = numeric;

/** Returns the whole months from one day to another; negative if the second is earlier. */
const monthsBetween = defineHelper({
  args: ["i32", "i32"],
  returns: "i64",
  consts: { dayOfMonth, monthOfDay, yearOfDay, toI64 },
  row(from, to, { dayOfMonth, monthOfDay, yearOfDay, toI64 }) {
    const years = toI64(yearOfDay(to)) - toI64(yearOfDay(from));
    const months = years * 12n + toI64(monthOfDay(to) - monthOfDay(from));
    const days = dayOfMonth(to) - dayOfMonth(from);
    if (to > from) return days < 0 ? months - 1n : months;
    return days > 0 && months < 0n ? months + 1n : months;
  },
});

const INT64 = { returns: "i64", gives: new Int64() } as const;

/** Counts days or months between dates. */
function ofDates(isMonths: boolean): Overload {
  if (isMonths) {
    return overload({
      ...INT64,
      kind: "measure",
      subject: "i64",
      args: { start: "i64" },
      consts: ({ unit }) => ({ monthsBetween, toI32, count: stepOf(unit).count }),
      row: (end, { start, monthsBetween, toI32, count }) =>
        monthsBetween(toI32(start), toI32(end)) / count,
    });
  }
  return overload({
    ...INT64,
    kind: "measure",
    subject: "i64",
    args: { start: "i64" },
    consts: ({ unit }) => ({ count: stepOf(unit).count }),
    row: (end, { start, count }) => (end - start) / count,
  });
}

/** Counts days or months between the local times of timestamps. */
function ofLocalTimes(unit: ClockUnit, isMonths: boolean): Overload {
  return overload({
    ...INT64,
    kind: "measure",
    subject: "i64",
    args: { start: "i64" },
    consts: ({ unit: named }, zone) => ({
      ...{ toDay: localDay(unit, zone), toSecond: localSecond(unit, zone), floorRemainder },
      ...{ monthsBetween, toI64, none: NO_DAY, perSecond: perSecond(unit) },
      ...{ count: stepOf(named).count, isMonths: isMonths ? 1 : 0 },
    }),
    row(end, given) {
      const from = given.toDay(given.start);
      const to = given.toDay(end);
      if (from === given.none || to === given.none) return null;
      // The last day counts if its time of day has been reached.
      const second = given.toSecond(end) - given.toSecond(given.start);
      const ends = given.floorRemainder(end, given.perSecond);
      const starts = given.floorRemainder(given.start, given.perSecond);
      const isLess = second < 0 || (second === 0 && ends < starts);
      const isMore = second > 0 || (second === 0 && ends > starts);
      const last = to > from && isLess ? to - 1 : to < from && isMore ? to + 1 : to;
      const whole = given.isMonths === 1
        ? given.monthsBetween(from, last)
        : given.toI64(last) - given.toI64(from);
      return whole / given.count;
    },
  });
}

/** Counts hours or less between times of a unit, rounded towards zero. */
function ofInstants(unit: ClockUnit): Overload {
  return overload({
    ...INT64,
    kind: "measure",
    subject: "i64",
    args: { start: "i64" },
    consts: ({ unit: named }) => {
      const [count, each] = [stepOf(named).count * perSecond(unit), perSecond("ns")];
      const divisor = count >= each ? count / each : 1n;
      return { subOverflows, mulOverflows, divisor, factor: count >= each ? 1n : each / count };
    },
    row(end, { start, subOverflows, mulOverflows, divisor, factor }) {
      if (subOverflows(end, start)) return null;
      const between = end - start;
      return mulOverflows(between, factor) ? null : between * factor / divisor;
    },
  });
}

const byUnit = (name: string, of: (unit: ClockUnit) => Overload) =>
  Object.fromEntries(timeUnitNames.map((unit) => [`${name} ${unit}`, of(unit)]));

/** Counts the whole units from a start to this date or time, rounded towards zero. */
export const since: StringOp<[start: Value, unit: string]> = defineStringOp({
  name: "since",
  group: "dates",
  summary: "The number of whole units from a start to a date or a time",
  details: 'The unit is "year", "quarter", "month", "week", "day", "hour", "minute", "second", ' +
    '"millisecond", "microsecond" or "nanosecond". The result is rounded towards zero, and ' +
    "negative where the start is later. Days and more count by the local time of a time zone.",
  differs: [
    "DuckDB: datediff() counts the boundaries between both; truncate both first for that",
  ],
  args: { start: "same", unit: "literal" },
  accepts: { start: "the same type", unit: "string" },
  optional: [],
  isStrict: () => true,
  check: ({ unit }) => problemOfUnit(unit),
  choose({ unit }, _on, type) {
    const { of } = stepOf(unit);
    const own: TimeUnitName | undefined = DataType.isTime(type)
      ? timeUnitNames[type.unit]
      : timeUnitOf(type);
    if (own === undefined) return undefined;
    if (of === "nanosecond") return DataType.isDate(type) ? undefined : `instants ${own}`;
    if (DataType.isTime(type)) return undefined;
    return own === "day" ? of : `${of} ${own}`;
  },
  instead(type) {
    if (DataType.isDate(type)) return "a date has no time of day";
    return DataType.isInt(type) || DataType.isFloat(type)
      ? "numbers are subtracted with -"
      : undefined;
  },
  examples: [
    { input: "2024-02-29", via: toDate, args: ["2024-01-31", "month"], result: 0n },
    { input: "2024-02-29", via: toDate, args: ["2024-01-01", "day"], result: 59n },
    {
      input: "2024-02-29T12:00",
      via: toTimestamp,
      args: ["2024-02-28T13:00", "hour"],
      result: 23n,
    },
  ],
  overloads: {
    day: ofDates(false),
    month: ofDates(true),
    ...byUnit("day", (unit) => ofLocalTimes(unit, false)),
    ...byUnit("month", (unit) => ofLocalTimes(unit, true)),
    ...byUnit("instants", ofInstants),
  },
});
