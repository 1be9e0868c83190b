/**
 * Defines `plus`, which moves dates and times by a number of units.
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
import { defineStringOp, type IntArg, overload } from "../string/define/define_string_op.ts";
import { NO_DAY } from "../time/calendar.ts";
import { plusMonths } from "../time/civil.ts";
import { floorRemainder } from "../time/floor.ts";
import { offsetOfLocal } from "../time/local_instant.ts";
import { type ClockUnit, localDay, localSecond, perDay, perSecond } from "../time/time_of.ts";
import { timeUnitOf } from "../time/time_units.ts";
import { NO_OFFSET } from "../time/zone.ts";
import { SAME_TYPE } from "./same_type.ts";
import { problemOfUnit, type Step, stepOf } from "./steps.ts";

const { addOverflows, mulOverflows, toI32, toI64 } = numeric;

/** Creates the helper that returns the day some steps after a day; NO_DAY where 32 bits do not hold it. */
function movedDay({ of, count }: Step): Helper<(day: i32, n: i64) => i32> {
  if (of === "month") {
    return defineHelper({
      args: ["i32", "i64"],
      returns: "i32",
      consts: { plusMonths, mulOverflows, count, none: NO_DAY },
      row: (day, n, { plusMonths, mulOverflows, count, none }) =>
        mulOverflows(n, count) ? none : plusMonths(day, n * count),
    });
  }
  return defineHelper({
    args: ["i32", "i64"],
    returns: "i32",
    consts: { mulOverflows, toI32, toI64, count, none: NO_DAY },
    row(day, n, { mulOverflows, toI32, toI64, count, none }) {
      if (mulOverflows(n, count)) return none;
      const days = n * count;
      if (days > 4294967296n || days < -4294967296n) return none;
      const moved = toI64(day) + days;
      return moved > -2147483648n && moved <= 2147483647n ? toI32(moved) : none;
    },
  });
}

/** The message of a result that the type does not hold. */
const refusal = (call: string, time: string, n: string) =>
  `${call}: ${time} cannot be moved by ${n}`;

const stepIn = ({ unit }: CallArgs): Step => stepOf(unit);

/** Moves dates. */
const ofDate: Overload = overload({
  kind: "measure",
  subject: "i64",
  args: { n: "i64" },
  ...{ gives: new DateDay(), refusal },
  consts: (args) => ({ movedDay: movedDay(stepIn(args)), toI32, none: NO_DAY }),
  row(day, { n, movedDay, toI32, none }) {
    const moved = movedDay(toI32(day), n);
    return moved === none ? null : moved;
  },
});

/** Creates the row function that moves timestamps by days or months, at the same local time. */
function byDays(unit: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    args: { n: "i64" },
    ...{ ...SAME_TYPE, refusal },
    consts: (args, zone) => ({
      ...{ toDay: localDay(unit, zone), toSecond: localSecond(unit, zone) },
      ...{ movedDay: movedDay(stepIn(args)), none: NO_DAY, noOffset: NO_OFFSET },
      ...{ offsetOf: offsetOfLocal(zone, "compatible") },
      ...{ floorRemainder, toI64, addOverflows, mulOverflows },
      perSecond: perSecond(unit),
    }),
    row(time, given) {
      const day = given.toDay(time);
      if (day === given.none) return null;
      const moved = given.movedDay(day, given.n);
      if (moved === given.none || moved === 2147483647) return null;
      // As Temporal does: the earlier instant of a repeated hour, and no move at all by 0.
      if (given.n === 0n) return time;
      const second = given.toSecond(time);
      const local = given.toI64(moved) * 86400n + given.toI64(second);
      const instant = local - given.toI64(given.offsetOf(moved, second, given.noOffset));
      if (given.mulOverflows(instant, given.perSecond)) return null;
      const whole = instant * given.perSecond;
      const fraction = given.floorRemainder(time, given.perSecond);
      return given.addOverflows(whole, fraction) ? null : whole + fraction;
    },
  });
}

/** Returns a step in a unit; undefined where it is not a whole number of them. */
function inUnits({ count }: Step, unit: ClockUnit): bigint | undefined {
  const all = count * perSecond(unit);
  const each = perSecond("ns");
  return all % each === 0n ? all / each : undefined;
}

/** Creates the row function that moves timestamps by hours or less. */
function byClock(unit: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    args: { n: "i64" },
    ...{ ...SAME_TYPE, refusal },
    consts: (args) => ({ mulOverflows, addOverflows, step: inUnits(stepIn(args), unit) ?? 1n }),
    row(time, { n, mulOverflows, addOverflows, step }) {
      if (mulOverflows(n, step)) return null;
      const by = n * step;
      return addOverflows(time, by) ? null : time + by;
    },
  });
}

/** Creates the row function that moves times of a day, which has no tomorrow. */
function timeOfDay(unit: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    args: { n: "i64" },
    ...{ ...SAME_TYPE, refusal },
    consts: (args) => ({
      ...{ mulOverflows, addOverflows, step: inUnits(stepIn(args), unit) ?? 1n },
      perDay: perDay(unit),
    }),
    row(time, { n, mulOverflows, addOverflows, step, perDay }) {
      if (mulOverflows(n, step)) return null;
      const by = n * step;
      if (addOverflows(time, by)) return null;
      const moved = time + by;
      return moved < 0n || moved >= perDay ? null : moved;
    },
  });
}

const byUnit = (name: string, of: (unit: ClockUnit) => Overload) =>
  Object.fromEntries(timeUnitNames.map((unit) => [`${name} ${unit}`, of(unit)]));

/**
 * Moves dates and times by a number of units. A month later is the same day of the month, or its last
 * day where it is shorter. Days and more keep the local time of a time zone, hours and less are exact.
 */
export const plus: StringOp<[n: IntArg, unit: string]> = defineStringOp({
  name: "plus",
  group: "dates",
  summary: "A date or a time, moved by a number of units",
  details: 'The unit is "year", "quarter", "month", "week", "day", "hour", "minute", "second", ' +
    '"millisecond", "microsecond" or "nanosecond"; a negative number moves back. A month after ' +
    "31 January is the last day of February. In a time zone, days and more keep the local time; " +
    "a time that the zone skips moves behind the gap.",
  differs: [
    "DuckDB: a date + INTERVAL is a timestamp",
    "Polars: a date + a duration drops the hours",
  ],
  args: { n: "i64", unit: "literal" },
  accepts: { unit: "string" },
  optional: [],
  isStrict: () => true,
  check: ({ unit }) => problemOfUnit(unit),
  choose({ unit }, _on, type) {
    const step = stepOf(unit);
    const isClock = step.of === "nanosecond";
    if (DataType.isTime(type)) {
      const own = timeUnitNames[type.unit]!;
      return isClock && inUnits(step, own) !== undefined ? `time ${own}` : undefined;
    }
    const own = timeUnitOf(type);
    if (own === undefined) return undefined;
    if (!isClock) return own === "day" ? "date" : `days ${own}`;
    if (own === "day" || DataType.isDate(type)) return undefined;
    return inUnits(step, own) === undefined ? undefined : `clock ${own}`;
  },
  instead(type) {
    if (DataType.isDate(type)) return "toTimestamp() gives a date a time of day";
    if (DataType.isTime(type) || DataType.isTimestamp(type)) {
      return `it counts in ${timeUnitNames[type.unit]}; cast() it to a smaller unit first`;
    }
    return DataType.isInt(type) || DataType.isFloat(type) ? "numbers are added with +" : undefined;
  },
  examples: [
    { input: "2024-01-31", via: toDate, args: [1, "month"], result: "2024-02-29" },
    {
      input: "2024-02-29T23:30",
      via: toTimestamp,
      args: [45, "minute"],
      result: "2024-03-01T00:15:00",
    },
  ],
  overloads: {
    date: ofDate,
    ...byUnit("days", byDays),
    ...byUnit("clock", byClock),
    ...byUnit("time", timeOfDay),
  },
});
