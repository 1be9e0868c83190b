/**
 * Converts dates and times in ISO form to and from counts in the unit of a column.
 *
 * @module
 */

import { clockText, dayText, splitDay, withoutZeros } from "../../base/time_text.ts";
import { DataType, DateUnit, TimeUnit } from "apache-arrow";
import { typeName } from "../batch/arrow_types.ts";
import { isUtc, offsetAt, offsetText, zoneTable } from "../../streams/text/time_zones.ts";
import { instantOf, problemOfZone, startOfDay, zoneNameOf } from "./time_zone.ts";

const DAY_NS = 86_400_000_000_000n;
const CLOCK = /^\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;
const SECOND_NS = 1_000_000_000n;
const DAYS_PER_ERA = 146_097;
/** A year of other than four digits is written as dates are printed: `+011024`, `-000976`. */
const ISO =
  /^(\d{4}|[1-9]\d{4,6}|-\d{4,7}|\+\d{6,7})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d(?::\d\d)?)?)?$/;

/**
 * Returns the count for `2001-03-14`, `2001-03-14T15:09` or `2001-03-14T15:09:26.535Z` in a column of
 * dates or timestamps, and for `15:09:26.535` in one of times. In a column with a time zone, a time without an offset is local, and a day is
 * its first instant.
 *
 * Returns undefined for text in another form, for a day that the calendar does not have, for a time
 * finer than the column's unit, for a local time that the zone skips or repeats, and for columns of
 * other types.
 */
export function isoTime(text: string, type: DataType): bigint | undefined {
  const unit = unitNs(type);
  const nanoseconds = DataType.isTime(type)
    ? nanosecondsOfDay(text)
    : unit === undefined
    ? undefined
    : epochNanoseconds(text, zoneNameOf(type));
  if (unit === undefined || typeof nanoseconds !== "bigint") return undefined;
  return nanoseconds % unit === 0n ? nanoseconds / unit : undefined;
}

/** Returns the reason why a text is no value of a column of dates, timestamps or times. */
export function problemOfTime(text: string, type: DataType): string | undefined {
  const unit = unitNs(type);
  if (unit === undefined) return undefined;
  const isTime = DataType.isTime(type);
  const match = (isTime ? CLOCK : ISO).exec(text);
  if (match === null) return howToWrite(type);
  const found = isTime ? nanosecondsOfDay(text) : epochNanoseconds(text, zoneNameOf(type));
  if (typeof found === "string") return found;
  if (found !== undefined) {
    if (found % unit === 0n) return `it does not fit in ${typeName(type)}`;
    return DataType.isDate(type)
      ? "a date has no time of day; toTimestamp() gives it one"
      : `${typeName(type)} has no such fraction of a second`;
  }
  const [, year = "", month = "", day = ""] = match;
  return isTime || dayOf(year, month, day) !== undefined
    ? "it is no time of a day"
    : `it is no date: there is no day ${Number(day)} of month ${Number(month)} in the year ${
      Number(year)
    }`;
}

/** Returns how a literal of a type of dates or times is written; undefined for other types. */
export function howToWrite(type: DataType): string | undefined {
  if (DataType.isDate(type)) return 'a date is written "2024-02-29"';
  if (DataType.isTimestamp(type)) return 'a timestamp is written "2024-02-29T15:09:26"';
  return DataType.isTime(type) ? 'a time is written "15:09:26"' : undefined;
}

/**
 * Prints a count as text that `isoTime` reads: `2001-03-14` for dates, `2001-03-14T15:09:26.535` for
 * timestamps, with seconds, without trailing zeros in the fraction, and in a time zone with an
 * offset. Prints the count itself where it is beyond JavaScript's range of dates.
 */
export function isoText(count: bigint, type: DataType): string {
  const unit = unitNs(type) ?? 1n;
  const zone = zoneNameOf(type);
  if (zone !== undefined) {
    const table = zoneTable(zone);
    const offset = table === undefined ? 0 : offsetAt(table, Number(count * unit / SECOND_NS));
    const isKnown = table !== undefined && !isUtc(table);
    return `${plainText(count * unit + BigInt(offset) * SECOND_NS, type, count)}${
      isKnown ? offsetText(offset) : "Z"
    }`;
  }
  return plainText(count * unit, type, count);
}

/** The greatest distance from 1970, in milliseconds, of a JavaScript Date. */
const MAX_MS = 8_640_000_000_000_000n;

function plainText(nanoseconds: bigint, type: DataType, count: bigint): string {
  const milliseconds = nanoseconds / 1_000_000n;
  if (milliseconds > MAX_MS || milliseconds < -MAX_MS) return String(count);
  const [day, timeOfDay] = splitDay(nanoseconds, TimeUnit.NANOSECOND);
  if (DataType.isDate(type) && type.unit === DateUnit.DAY) return dayText(day);
  return `${dayText(day)}T${withoutZeros(clockText(timeOfDay, TimeUnit.NANOSECOND))}`;
}

/** Returns the nanoseconds in one unit of a column of dates, timestamps or times. */
function unitNs(type: DataType): bigint | undefined {
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? DAY_NS : 1_000_000n;
  if (!DataType.isTimestamp(type) && !DataType.isTime(type)) return undefined;
  switch (type.unit) {
    case TimeUnit.SECOND:
      return 1_000_000_000n;
    case TimeUnit.MILLISECOND:
      return 1_000_000n;
    case TimeUnit.MICROSECOND:
      return 1_000n;
    case TimeUnit.NANOSECOND:
      return 1n;
  }
}

/** Returns nanoseconds since 1970 (UTC), or the reason why a zone does not have the time. */
function epochNanoseconds(text: string, zone: string | undefined): bigint | string | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year = "", month = "", date = "", clock, fraction = "", offset] = match;
  const day = dayOf(year, month, date);
  const time = nanosecondsOfDay(clock ?? "00:00");
  if (day === undefined || time === undefined) return undefined;
  const local = day * 86_400 + Number(time / SECOND_NS);
  const seconds = secondsOf(local, { zone, offset, isDay: clock === undefined });
  if (typeof seconds !== "number") return seconds;
  return BigInt(seconds) * SECOND_NS + BigInt(fraction.padEnd(9, "0"));
}

/** Returns the days since 1970-01-01; undefined for a day that the calendar does not have. */
function dayOf(year: string, month: string, day: string): number | undefined {
  const eras = Math.floor(Number(year) / 400);
  // The same year of the era from 2000 on, since Date takes years near 0 for those after 1900.
  const date = new Date(Date.UTC(2000 + Number(year) - eras * 400, Number(month) - 1, Number(day)));
  // Date would turn a day such as 2001-02-30 into one in March.
  const isThere = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const isNegativeZero = year.startsWith("-") && Number(year) === 0;
  if (!isThere || isNegativeZero) return undefined;
  return date.getTime() / 86_400_000 + (eras - 5) * DAYS_PER_ERA;
}

/** Returns the nanoseconds of a time of a day; undefined for text that is none. */
function nanosecondsOfDay(text: string): bigint | undefined {
  if (!CLOCK.test(text)) return undefined;
  const [clock = "", fraction = ""] = text.split(".");
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const whole = BigInt((hours * 60 + minutes) * 60 + seconds);
  return whole * SECOND_NS + BigInt(fraction.padEnd(9, "0"));
}

interface Clock {
  readonly zone: string | undefined;
  readonly offset: string | undefined;
  readonly isDay: boolean;
}

function secondsOf(local: number, { zone, offset, isDay }: Clock): number | string | undefined {
  if (offset !== undefined) {
    const [, sign, ...parts] = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(offset) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
    if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
    const east = hours * 3600 + minutes * 60 + seconds;
    return sign === "-" ? local + east : local - east;
  }
  if (zone === undefined) return local;
  return problemOfZone(zone) ?? (isDay ? startOfDay(zone, local / 86_400) : instantOf(zone, local));
}
