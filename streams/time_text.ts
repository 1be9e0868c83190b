/**
 * Dates and times as in ISO 8601.
 *
 * @module
 */

import { DateUnit, TimeUnit } from "apache-arrow";

const secondsPerDay = 86_400n;
const millisecondsPerDay = 86_400_000n;
/** Days of 400 years, and from 0000-03-01 to 1970-01-01. */
const daysPerEra = 146_097;
const daysToEpoch = 719_468;
/** For each unit of time: units in a second, digits of a fraction, and what it is called. */
const units: Readonly<Record<number, readonly [bigint, number, string]>> = {
  [TimeUnit.SECOND]: [1n, 0, "s"],
  [TimeUnit.MILLISECOND]: [1_000n, 3, "ms"],
  [TimeUnit.MICROSECOND]: [1_000_000n, 6, "us"],
  [TimeUnit.NANOSECOND]: [1_000_000_000n, 9, "ns"],
};

/**
 * A date as `2001-12-31`. Years before 0 and after 9999 have a sign and six digits or more. Dates
 * that count milliseconds, as those of JavaScript do, show their time where it is not midnight:
 * `2001-12-31T23:59:59.500`.
 */
export function dateText(value: number | bigint, unit: DateUnit): string {
  if (unit === DateUnit.DAY) return civilDay(Number(value));
  const milliseconds = BigInt(value);
  return milliseconds % millisecondsPerDay === 0n
    ? civilDay(Number(milliseconds / millisecondsPerDay))
    : timestampText(milliseconds, TimeUnit.MILLISECOND, "");
}

/** An instant as `2001-12-31T23:59:59.500`, with all digits of its unit, and with a zone after it. */
export function timestampText(value: bigint, unit: TimeUnit, zone: string): string {
  const perDay = units[unit]![0] * secondsPerDay;
  const timeOfDay = ((value % perDay) + perDay) % perDay;
  const day = Number((value - timeOfDay) / perDay);
  return `${civilDay(day)}T${clockText(timeOfDay, unit)}${zone}`;
}

/**
 * A time of day as `23:59:59.500`, with all digits of its unit. Throws a RangeError where it is before
 * 00:00:00 or after 24:00:00, which DuckDB takes as a time of day too.
 */
export function timeOfDayText(value: bigint, unit: TimeUnit): string {
  const [perSecond, , name] = units[unit]!;
  if (value < 0n || value > perSecond * secondsPerDay) {
    throw new RangeError(`${value} ${name} is no time of day`);
  }
  return clockText(value, unit);
}

function clockText(value: bigint, unit: TimeUnit): string {
  const [perSecond, digits] = units[unit]!;
  const seconds = Number(value / perSecond);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const time = `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
  return digits === 0 ? time : `${time}.${String(value % perSecond).padStart(digits, "0")}`;
}

/** A day as YYYY-MM-DD of the proleptic Gregorian calendar; years begin in March meanwhile. */
function civilDay(daysSinceEpoch: number): string {
  const days = daysSinceEpoch + daysToEpoch;
  const era = Math.floor(days / daysPerEra);
  const dayOfEra = days - era * daysPerEra;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra -
    (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${isoYear(year)}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** Years of more than four digits have a sign, as ISO 8601 wants it. */
function isoYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, "0");
  return (year < 0 ? "-" : "+") + String(Math.abs(year)).padStart(6, "0");
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
