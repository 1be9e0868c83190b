/**
 * The calendar and the clock of dates, timestamps and durations, by Temporal and BigInt: an oracle. Values
 * are as in `arrow_values.ts`.
 */

import { DataType, type TimeUnit } from "apache-arrow";
import { perSecond, timeOf, toLocal } from "./time_model.ts";

/** The row has no value. */
export const FAILS = Symbol("fails");

export const DAY = 86_400n;
export const NS = 1_000_000_000n;
export const MONTHS: Readonly<Record<string, bigint>> = { year: 12n, quarter: 3n, month: 1n };
export const DAYS: Readonly<Record<string, bigint>> = { week: 7n, day: 1n };
export const LENGTHS: Readonly<Record<string, bigint>> = {
  hour: 3600n * NS,
  minute: 60n * NS,
  second: NS,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
  nanosecond: 1n,
};

/** Units that dates have, and those that only times have. */
export const DAY_UNITS: readonly string[] = [...Object.keys(MONTHS), ...Object.keys(DAYS)];
export const CLOCK_UNITS: readonly string[] = Object.keys(LENGTHS);

export function floorOf(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b === a || (a < 0n) === (b < 0n) ? quotient : quotient - 1n;
}

export const rest = (a: bigint, b: bigint) => a - floorOf(a, b) * b;

/** Days in 400 years. */
const ERA = 146_097n;

export interface Calendar {
  readonly year: bigint;
  /** The same day in the era from 1970 on. */
  readonly date: Temporal.PlainDate;
  /** The eras in between. */
  readonly era: bigint;
}

export function calendarOf(day: bigint): Calendar {
  const era = floorOf(day, ERA);
  const date = new Temporal.PlainDate(1970, 1, 1).add({ days: Number(day - era * ERA) });
  return { date, era, year: BigInt(date.year) + 400n * era };
}

/** The day of a month that is counted from the year 0; its last one where it has no such day. */
export function dayIn(months: bigint, day: number): bigint {
  const year = floorOf(months, 12n);
  const era = floorOf(year - 1970n, 400n);
  const first = new Temporal.PlainDate(Number(year - era * 400n), Number(rest(months, 12n)) + 1, 1);
  const date = first.with({ day: Math.min(day, first.daysInMonth) });
  return BigInt(new Temporal.PlainDate(1970, 1, 1).until(date, { largestUnit: "day" }).days) +
    era * ERA;
}

export const monthsOf = ({ year, date }: Calendar) => year * 12n + BigInt(date.month) - 1n;

/** A day that 32 bits hold, but for the least of them. */
export const isDay = (day: bigint) => day > -(2n ** 31n) && day < 2n ** 31n;

export const isSpan = (type: DataType): type is DataType & { unit: TimeUnit } =>
  DataType.isTimestamp(type) || DataType.isDuration(type);

/** Units of a type in a second; those of a day of 32 bits count as seconds. */
export function unitsOf(type: DataType): bigint {
  return DataType.isDuration(type) ? 1000n ** BigInt(type.unit) : perSecond(type);
}

export interface Local {
  readonly day: bigint;
  /** Units of the type since local midnight. */
  readonly within: bigint;
  readonly by: bigint;
}

export function localOf(value: unknown, type: DataType): Local {
  const by = perSecond(type);
  const local = toLocal(timeOf(value as bigint, type), type);
  const day = floorOf(local, DAY * by);
  return { day, within: local - day * DAY * by, by };
}

/** A count as a value of its type, where that holds it. */
export function valueIn(type: DataType, count: bigint): number | bigint | typeof FAILS {
  const isNarrow = DataType.isInt(type) && type.bitWidth < 64 ||
    DataType.isDate(type) && type.unit === 0;
  if (BigInt.asIntN(isNarrow ? 32 : 64, count) !== count) return FAILS;
  return isNarrow ? Number(count) : count;
}

type Field = (local: Local, calendar: Calendar) => number | bigint;

const clock = (unit: string, modulus: bigint): Field => ({ within, by }) =>
  within / by / (LENGTHS[unit]! / NS) % modulus;
const fraction = (unit: string): Field => ({ within, by }) =>
  within % by * (NS / by) / LENGTHS[unit]!;

/** The fields of a day. */
export const DAY_FIELDS: Readonly<Record<string, Field>> = {
  year: (_, { year }) => year,
  quarter: (_, { date }) => Math.ceil(date.month / 3),
  month: (_, { date }) => date.month,
  week: (_, { date }) => date.weekOfYear!,
  isoYear: (_, { date, era }) => BigInt(date.yearOfWeek!) + 400n * era,
  day: (_, { date }) => date.day,
  weekday: (_, { date }) => date.dayOfWeek,
  dayOfYear: (_, { date }) => date.dayOfYear,
};

/** The fields of a time. */
export const CLOCK_FIELDS: Readonly<Record<string, Field>> = {
  hour: clock("hour", 24n),
  minute: clock("minute", 60n),
  second: clock("second", 60n),
  millisecond: fraction("millisecond"),
  microsecond: fraction("microsecond"),
  nanosecond: fraction("nanosecond"),
};
