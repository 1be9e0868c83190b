/**
 * Defines the operations that return a field of a date or a time: `year`, `month`, `hour`, `week`.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { timeUnitNames } from "../../base/time_text.ts";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Helper, i32 } from "../../gpu/kernel/language/row_function.ts";
import type { CallArgs, Overload } from "../syntax/overload.ts";
import type { StringOp } from "../syntax/node.ts";
import type { Receiver } from "../syntax/receiver.ts";
import { toTimestamp } from "../string/convert/to_time.ts";
import { defineStringOp, overload } from "../string/define/define_string_op.ts";
import { NO_DAY } from "../time/calendar.ts";
import {
  dayOfMonth,
  dayOfYearOf,
  isoYearOfDay,
  monthOfDay,
  weekdayOfDay,
  weekOfDay,
  yearOfDay,
} from "../time/civil.ts";
import { floorRemainder } from "../time/floor.ts";
import { type ClockUnit, fitsDays, localDay, localSecond, perSecond } from "../time/time_of.ts";
import { type TimeUnitName, timeUnitOf } from "../time/time_units.ts";

const { toI32 } = numeric;

/** What all fields say about time zones. */
const LOCAL = "A timestamp in a time zone has the fields of its local time.";

/** Creates the row function that returns a field of the local day; null where 32 bits do not hold it. */
function ofDay(unit: TimeUnitName, field: Helper<(day: i32) => i32>): Overload {
  if (fitsDays(unit)) {
    return overload({
      kind: "measure",
      subject: "i64",
      consts: (_args, zone) => ({ toDay: localDay(unit, zone), field }),
      row: (time, { toDay, field }) => field(toDay(time)),
    });
  }
  return overload({
    kind: "measure",
    subject: "i64",
    consts: (_args, zone) => ({ toDay: localDay(unit, zone), field, none: NO_DAY }),
    row(time, { toDay, field, none }) {
      const day = toDay(time);
      return day === none ? null : field(day);
    },
  });
}

/** Creates the row function that returns a field of the second of the local day. */
function ofClock(unit: ClockUnit, divisor: number, modulus: number): Overload {
  const field = { divisor, modulus };
  if (fitsDays(unit)) {
    return overload({
      kind: "measure",
      subject: "i64",
      consts: (_args, zone) => ({ toSecond: localSecond(unit, zone), ...field }),
      row: (time, { toSecond, divisor, modulus }) => toSecond(time) / divisor % modulus,
    });
  }
  return overload({
    kind: "measure",
    subject: "i64",
    consts: (_args, zone) => ({ toSecond: localSecond(unit, zone), ...field }),
    row(time, { toSecond, divisor, modulus }) {
      const second = toSecond(time);
      return second < 0 ? null : second / divisor % modulus;
    },
  });
}

/** Creates the row function that returns the same field of a time of a day. */
function ofTimeOfDay(unit: ClockUnit, divisor: number, modulus: number): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    consts: { toI32, perSecond: perSecond(unit), divisor, modulus },
    row: (time, { toI32, perSecond, divisor, modulus }) =>
      toI32(time / perSecond) / divisor % modulus,
  });
}

/** Creates the row function that returns the fraction of the second in a unit, rounded down. */
function ofFraction(unit: ClockUnit, field: ClockUnit): Overload {
  const [have, want] = [perSecond(unit), perSecond(field)];
  return overload({
    kind: "measure",
    subject: "i64",
    consts: {
      ...{ toI32, floorRemainder, second: have },
      ...{ factor: want > have ? want / have : 1n, divisor: have > want ? have / want : 1n },
    },
    row: (time, { toI32, floorRemainder, second, factor, divisor }) =>
      toI32(floorRemainder(time, second) * factor / divisor),
  });
}

/** Returns an overload for each unit, by the name of the unit after a prefix. */
function byUnit(prefix: string, of: (unit: ClockUnit) => Overload): Record<string, Overload> {
  return Object.fromEntries(timeUnitNames.map((unit) => [prefix + unit, of(unit)]));
}

/** Where time zones and units lead. */
function chooseDay(_args: CallArgs, _on: Receiver, type: DataType): string | undefined {
  return timeUnitOf(type);
}

function chooseClock(_args: CallArgs, _on: Receiver, type: DataType): string | undefined {
  if (DataType.isTime(type)) return `time_${timeUnitNames[type.unit]}`;
  return DataType.isTimestamp(type) ? timeUnitNames[type.unit] : undefined;
}

/** Says what to write for a type without the field. */
function instead(type: DataType): string | undefined {
  if (DataType.isDate(type)) return "a date has no time of day";
  if (DataType.isDuration(type)) return 'total("hour") returns the number of hours, and so on';
  return undefined;
}

/** The description of a field. */
interface FieldSpec {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly differs?: readonly string[];
  /** The value of the field in the example, 2024-02-29T15:09:26.535. */
  readonly result: number;
  /** The value of the field in the other example, 1969-12-31T23:59:59.999. */
  readonly before: number;
}

function defineField(
  { result, before, details, ...spec }: FieldSpec,
  choose: typeof chooseDay,
  overloads: Readonly<Record<string, Overload>>,
): StringOp<[]> {
  return defineStringOp({
    ...spec,
    group: "dates",
    details: details === undefined ? LOCAL : `${details} ${LOCAL}`,
    args: {},
    optional: [],
    isStrict: () => true,
    ...(choose === chooseClock ? { instead } : {}),
    choose,
    examples: [
      { input: "2024-02-29T15:09:26.535", via: toTimestamp, result },
      { input: "1969-12-31T23:59:59.999", via: toTimestamp, result: before },
    ],
    overloads,
  });
}

function dayField(spec: FieldSpec, field: Helper<(day: i32) => i32>): StringOp<[]> {
  const overloads = { day: ofDay("day", field), ...byUnit("", (unit) => ofDay(unit, field)) };
  return defineField(spec, chooseDay, overloads);
}

function clockField(spec: FieldSpec, divisor: number, modulus: number): StringOp<[]> {
  return defineField(spec, chooseClock, {
    ...byUnit("", (unit) => ofClock(unit, divisor, modulus)),
    ...byUnit("time_", (unit) => ofTimeOfDay(unit, divisor, modulus)),
  });
}

function fractionField(spec: FieldSpec, field: ClockUnit): StringOp<[]> {
  return defineField(spec, chooseClock, {
    ...byUnit("", (unit) => ofFraction(unit, field)),
    ...byUnit("time_", (unit) => ofFraction(unit, field)),
  });
}

const quarterOfDay = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { monthOfDay },
  row: (day, { monthOfDay }) => (monthOfDay(day) + 2) / 3,
});

/** Returns the year; the year before 1 is 0. */
export const year: StringOp<[]> = dayField(
  { name: "year", summary: "The year of a date or a timestamp", result: 2024, before: 1969 },
  yearOfDay,
);

/** Returns the quarter, from 1 to 4. */
export const quarter: StringOp<[]> = dayField(
  { name: "quarter", summary: "The quarter of the year, from 1 to 4", result: 1, before: 4 },
  quarterOfDay,
);

/** Returns the month, from 1 to 12. */
export const month: StringOp<[]> = dayField(
  {
    name: "month",
    summary: "The month of a date or a timestamp, from 1 to 12",
    result: 2,
    before: 12,
  },
  monthOfDay,
);

/** Returns the week of ISO 8601, from 1 to 53. */
export const week: StringOp<[]> = dayField(
  {
    name: "week",
    summary: "The week of ISO 8601, from 1 to 53",
    details: "Weeks begin on Monday; the first one has the first Thursday of the year isoYear().",
    result: 9,
    before: 1,
  },
  weekOfDay,
);

/** Returns the year of the week of ISO 8601, which may differ from the year at its ends. */
export const isoYear: StringOp<[]> = dayField(
  { name: "isoYear", summary: "The year that week() counts in", result: 2024, before: 1970 },
  isoYearOfDay,
);

/** Returns the day of the month, from 1. */
export const day: StringOp<[]> = dayField(
  { name: "day", summary: "The day of the month, from 1", result: 29, before: 31 },
  dayOfMonth,
);

/** Returns the day of the week, from 1 for Monday to 7 for Sunday. */
export const weekday: StringOp<[]> = dayField(
  {
    name: "weekday",
    summary: "The day of the week, from 1 for Monday to 7 for Sunday",
    differs: [
      "DuckDB: weekday() is 0 for Sunday, isodow() is this one",
      "pandas: weekday is 0 for Monday",
    ],
    result: 4,
    before: 3,
  },
  weekdayOfDay,
);

/** Returns the day of the year, from 1 to 366. */
export const dayOfYear: StringOp<[]> = dayField(
  { name: "dayOfYear", summary: "The day of the year, from 1 to 366", result: 60, before: 365 },
  dayOfYearOf,
);

/** Returns the hour, from 0 to 23. */
export const hour: StringOp<[]> = clockField(
  {
    name: "hour",
    summary: "The hour of a timestamp or a time, from 0 to 23",
    result: 15,
    before: 23,
  },
  3600,
  25,
);

/** Returns the minute, from 0 to 59. */
export const minute: StringOp<[]> = clockField(
  { name: "minute", summary: "The minute of the hour, from 0 to 59", result: 9, before: 59 },
  60,
  60,
);

/** Returns the second, from 0 to 59. */
export const second: StringOp<[]> = clockField(
  { name: "second", summary: "The second of the minute, from 0 to 59", result: 26, before: 59 },
  1,
  60,
);

/** Returns the fraction of the second in milliseconds, from 0 to 999. */
export const millisecond: StringOp<[]> = fractionField(
  {
    name: "millisecond",
    summary: "The fraction of the second in milliseconds, rounded down",
    differs: ["DuckDB: counts the whole seconds of the minute too, so that 26.535 s is 26535"],
    result: 535,
    before: 999,
  },
  "ms",
);

/** Returns the fraction of the second in microseconds, from 0 to 999999. */
export const microsecond: StringOp<[]> = fractionField(
  {
    name: "microsecond",
    summary: "The fraction of the second in microseconds, rounded down",
    differs: ["DuckDB: counts the whole seconds of the minute too"],
    result: 535_000,
    before: 999000,
  },
  "us",
);

/** Returns the fraction of the second in nanoseconds, from 0 to 999999999. */
export const nanosecond: StringOp<[]> = fractionField(
  {
    name: "nanosecond",
    summary: "The fraction of the second in nanoseconds",
    differs: ["pandas: only the digits behind the microseconds"],
    result: 535_000_000,
    before: 999000000,
  },
  "ns",
);
