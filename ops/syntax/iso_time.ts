/**
 * Converts dates and times in ISO form to and from counts in the unit of a column.
 *
 * @module
 */

import { clockText, dayText, splitDay, withoutZeros } from "../../base/time_text.ts";
import { DataType, DateUnit, TimeUnit } from "apache-arrow";
import { isUtc, offsetAt, offsetText, zoneTable } from "../../streams/text/time_zones.ts";
import { instantOf, problemOfZone, startOfDay, zoneNameOf } from "./time_zone.ts";

const DAY_NS = 86_400_000_000_000n;
const SECOND_NS = 1_000_000_000n;
const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d(?::\d\d)?)?)?$/;

/**
 * Returns the count for `2001-03-14`, `2001-03-14T15:09` or `2001-03-14T15:09:26.535Z` in a column of
 * dates or timestamps. In a column with a time zone, a time without an offset is local, and a day is
 * its first instant.
 *
 * Returns undefined for text in another form, for a day that the calendar does not have, for a time
 * finer than the column's unit, for a local time that the zone skips or repeats, and for columns of
 * other types.
 */
export function isoTime(text: string, type: DataType): bigint | undefined {
  const unit = unitNs(type);
  const nanoseconds = unit === undefined ? undefined : epochNanoseconds(text, zoneNameOf(type));
  if (unit === undefined || typeof nanoseconds !== "bigint") return undefined;
  return nanoseconds % unit === 0n ? nanoseconds / unit : undefined;
}

/** Returns the reason why a time does not exist in the time zone of a column; undefined for other text. */
export function problemOfTime(text: string, type: DataType): string | undefined {
  const zone = zoneNameOf(type);
  const found = zone === undefined ? undefined : epochNanoseconds(text, zone);
  return typeof found === "string" ? found : undefined;
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

/** Returns the nanoseconds in one unit of a column of dates or timestamps. */
function unitNs(type: DataType): bigint | undefined {
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? DAY_NS : 1_000_000n;
  if (!DataType.isTimestamp(type)) return undefined;
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
  const [, day = "", clock, fraction = "", offset] = match;
  const midnight = new Date(`${day}T00:00:00Z`);
  const time = Date.parse(`${day}T${clock ?? "00:00"}Z`);
  // Date would turn a day such as 2001-02-30 into one in March.
  if (Number.isNaN(time) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  const seconds = secondsOf(time / 1000, { zone, offset, isDay: clock === undefined });
  if (typeof seconds !== "number") return seconds;
  return BigInt(seconds) * SECOND_NS + BigInt(fraction.padEnd(9, "0"));
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
