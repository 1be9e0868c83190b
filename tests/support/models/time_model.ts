/** Dates and times as text and back, by JavaScript's Date, time zones by Temporal: an oracle. */

import { DataType } from "apache-arrow";
import { TooLarge } from "./expr_model_types.ts";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August"]
  .concat("September", "October", "November", "December");

/** How many units of a type make a second; a day of 32 bits counts as 86,400 seconds. */
export function perSecond(type: DataType): bigint {
  if (DataType.isTimestamp(type)) return 1000n ** BigInt(type.unit);
  return DataType.isDate(type) && type.unit === 1 ? 1000n : 1n;
}

/** A value in units of which `perSecond` tells the number. */
export function timeOf(value: number | bigint, type: DataType): bigint {
  const isDay = DataType.isDate(type) && type.unit === 0;
  return BigInt(value) * (isDay ? 86_400n : 1n);
}

/** What is used of Temporal, whose types TypeScript does not know everywhere. */
interface Zoned {
  readonly epochMilliseconds: number;
  readonly offsetNanoseconds: number;
}
const { Temporal } = globalThis as unknown as {
  Temporal: {
    Instant: {
      fromEpochMilliseconds(value: number): { toZonedDateTimeISO(zone: string): Zoned };
    };
    PlainDate: { from(text: string): { toZonedDateTime(zone: string): Zoned } };
    PlainDateTime: {
      from(text: string): {
        toZonedDateTime(zone: string, options: { disambiguation: string }): Zoned;
      };
    };
  };
};

/** The time zone of a type; undefined where it has none. */
export function zoneOf(type: DataType): string | undefined {
  return DataType.isTimestamp(type) && type.timezone ? type.timezone : undefined;
}

/** Whether local time of a type is another than UTC, at some time. */
export function isElsewhere(type: DataType): boolean {
  const zone = zoneOf(type);
  return zone !== undefined && !/^(UTC|Etc\/UTC|GMT|[+-]00:00)$/.test(zone);
}

const YEAR = 31_556_952n;
const ERA = 400n * YEAR;

/**
 * Seconds since 1970 at which a zone has the same offset, and of which Temporal has a time: before there
 * were zones, as in 1600; in the far future, as in a year that is whole eras earlier.
 */
function near(seconds: bigint): bigint {
  if (seconds < -370n * YEAR) return -370n * YEAR;
  const far = 200_000n * YEAR;
  return seconds < far ? seconds : seconds - ((seconds - far) / ERA + 1n) * ERA;
}

/** The offset of a zone from UTC at a time, both in seconds. */
export function offsetAt(seconds: bigint, zone: string): bigint {
  const instant = Temporal.Instant.fromEpochMilliseconds(Number(near(seconds)) * 1000);
  return BigInt(instant.toZonedDateTimeISO(zone).offsetNanoseconds) / 1_000_000_000n;
}

/** The time at which the clocks of a zone show a local time, in seconds; null where not just once. */
export function instantOf(local: bigint, zone: string): bigint | null {
  const time = near(local);
  const text = new Date(Number(time) * 1000).toISOString().slice(0, -1);
  const [early, late] = ["earlier", "later"].map((disambiguation) =>
    BigInt(
      Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
    ) / 1000n
  ) as [bigint, bigint];
  return early === late ? local - (time - early) : null;
}

/** The first second of a day of a zone, since 1970. */
export function startOfDay(day: string, zone: string): bigint {
  return BigInt(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds) / 1000n;
}

/** The same of any day since 1970. */
export function startOfDayAt(day: bigint, zone: string): bigint {
  const local = day * 86_400n;
  const time = near(local);
  if (time !== local && local < 0n) return local - offsetAt(local, zone);
  const text = new Date(Number(time) * 1000).toISOString().slice(0, 10);
  return startOfDay(text, zone) + local - time;
}

/**
 * The time at which the clocks of a zone show a local time, in seconds: the earlier one of two, and one
 * behind the gap where there is none.
 */
export function compatibleInstant(local: bigint, zone: string): bigint {
  const time = near(local);
  const text = new Date(Number(time) * 1000).toISOString().slice(0, -1);
  const { epochMilliseconds } = Temporal.PlainDateTime.from(text)
    .toZonedDateTime(zone, { disambiguation: "compatible" });
  return local - time + BigInt(epochMilliseconds) / 1000n;
}

/** A count of units as that of local time. */
export function toLocal(value: bigint, type: DataType): bigint {
  const zone = zoneOf(type);
  if (zone === undefined) return value;
  const by = perSecond(type);
  return value + offsetAt((value - ((value % by) + by) % by) / by, zone) * by;
}

/** An offset of seconds as text; seconds only where there are some. */
function offsetText(offset: bigint, colon: string): string {
  const size = offset < 0n ? -offset : offset;
  const parts = [size / 3600n, size / 60n % 60n, ...(size % 60n === 0n ? [] : [size % 60n])];
  return (offset < 0n ? "-" : "+") + parts.map((part) => String(part).padStart(2, "0")).join(colon);
}

/** A time apart. */
interface Clock {
  readonly date: Date;
  /** Digits of the fraction of the second, as many as the type has. */
  readonly fraction: string;
}

function clockOf(value: number | bigint, type: DataType): Clock {
  const by = perSecond(type);
  const time = toLocal(timeOf(value, type), type);
  const part = ((time % by) + by) % by;
  const fraction = by === 1n ? "" : String(part).padStart(String(by).length - 1, "0");
  const date = new Date(Number((time - part) / by) * 1000);
  // The calendar of JavaScript ends in the year 275760.
  if (Number.isNaN(date.getTime())) throw new TooLarge("a year");
  return { date, fraction };
}

/** Years beyond four digits have more, and no sign before those after Christ. */
function isoOf(date: Date): string {
  return date.toISOString().slice(0, -5).replace(/^\+0*(?=\d{5})/, "").replace(/^-00/, "-");
}

/** A date in ISO form. */
export function isoDay(value: number | bigint, type: DataType): string {
  return isoOf(clockOf(value, type).date).replace(/T.*/, "");
}

/** A timestamp in ISO form. */
export function isoTime(value: bigint, type: DataType): string {
  const { date, fraction } = clockOf(value, type);
  const digits = fraction.replace(/0+$/, "");
  return `${isoOf(date)}${digits === "" ? "" : `.${digits}`}${zoneText(value, type)}`;
}

/** The suffix of a time in ISO form. */
export function zoneText(value: bigint, type: DataType): string {
  if (!isElsewhere(type)) return zoneOf(type) === undefined ? "" : "Z";
  return offsetText((toLocal(value, type) - value) / perSecond(type), ":");
}

/** A date or a timestamp by a pattern as of strftime. */
export function writeTime(value: number | bigint, type: DataType, pattern: string): string {
  const { date, fraction } = clockOf(value, type);
  const isZoned = zoneOf(type) !== undefined;
  const pad = (number: number, digits = 2) => String(number).padStart(digits, "0");
  const year = date.getUTCFullYear();
  const month = MONTHS[date.getUTCMonth()]!;
  const newYear = new Date(date);
  newYear.setUTCMonth(0, 0);
  const written: Record<string, () => string> = {
    // As in ISO form: a sign before those before Christ, and four digits.
    Y: () => `${year < 0 ? "-" : ""}${pad(Math.abs(year), 4)}`,
    m: () => pad(date.getUTCMonth() + 1),
    d: () => pad(date.getUTCDate()),
    H: () => pad(date.getUTCHours()),
    M: () => pad(date.getUTCMinutes()),
    S: () => pad(date.getUTCSeconds()),
    f: () => fraction.slice(0, 6).padEnd(6, "0"),
    y: () => pad(((year % 100) + 100) % 100),
    b: () => month.slice(0, 3),
    B: () => month,
    j: () => pad(Math.floor((date.getTime() - newYear.getTime()) / 86_400_000), 3),
    I: () => pad(date.getUTCHours() % 12 || 12),
    p: () => date.getUTCHours() < 12 ? "AM" : "PM",
    z: () =>
      isZoned
        ? offsetText((toLocal(BigInt(value), type) - BigInt(value)) / perSecond(type), "")
        : "",
    Z: () => isZoned ? "UTC" : "",
    F: () => writeTime(value, type, "%Y-%m-%d"),
    T: () => writeTime(value, type, "%H:%M:%S"),
    "%": () => "%",
  };
  return pattern.replace(/%(.)/gu, (_, letter: string) => written[letter]!());
}

/** Microseconds of a time in ISO 8601, converted to UTC; null where it is none. */
export function readIso(text: string): bigint | null {
  const form =
    /^(\d{4}|[1-9]\d{4,6}|-\d{4,7}|\+\d{6,7})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?(?:\d\d)?|[+-]\d\d:\d\d:\d\d)?)?$/;
  const match = form.exec(text);
  if (match === null || match[8]?.endsWith(":")) return null;
  const [year, month, day, hour = 0, minute = 0, second = 0] = match.slice(1, 7)
    .map((part) => part === undefined ? undefined : Number(part));
  const micros = BigInt((match[7] ?? "").slice(0, 6).padEnd(6, "0"));
  const [, sign, hours, minutes = "00", seconds = "00"] =
    /^([+-])(\d\d):?(\d\d)?(?::(\d\d))?$/.exec(match[8] ?? "") ?? [];
  if (Number(hours ?? 0) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const east = Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds);
  const offset = east * (sign === "-" ? 1 : -1);
  const time = timeFrom([year!, month!, day!, hour, minute, second]);
  return time === null ? null : (time + BigInt(offset)) * 1_000_000n + micros;
}

/** Seconds since 1970; null for a day or a time that there is not. */
function timeFrom(
  [year, month, day, hour, minute, second]: [number, number, number, number, number, number],
): bigint | null {
  const date = new Date(Date.UTC(2000, month - 1, 1, hour, minute, second));
  // The same year of the era of 400 years from 2000 on: Date ends before 32 bits of days do.
  const eras = Math.floor(year / 400) - 5;
  date.setUTCFullYear(year - eras * 400, month - 1, day);
  if (year < -5_877_640 || year > 5_881_579 || Object.is(year, -0)) return null;
  const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isThere || hour > 23 || minute > 59 || second > 59) return null;
  return BigInt(date.getTime() / 1000 + eras * 146_097 * 86_400);
}

/** What each directive reads: as many digits as leave a number that it may have. */
const READ: Readonly<Record<string, RegExp>> = {
  Y: /^\d{4}/,
  b: /^[a-z]{3}/i,
  m: /^(1[0-2]|0[1-9]|[1-9])/,
  d: /^(3[01]|[12]\d|0[1-9]|[1-9])/,
  H: /^(2[0-3]|[01]\d|\d)/,
  M: /^([0-5]\d|\d)/,
  S: /^([0-5]\d|\d)/,
};

/**
 * Microseconds of a time by a format of %Y %m %d %H %M %S %b and what stands for itself; null where
 * it is none.
 */
export function readTime(text: string, format: string): bigint | null {
  const found = { Y: 0, m: 0, d: 0, H: 0, M: 0, S: 0 };
  let rest = text;
  for (const [piece] of format.matchAll(/%?./gu)) {
    const letter = piece.length > 1 && piece.startsWith("%") ? piece[1]! : undefined;
    const pattern = letter === undefined ? undefined : READ[letter];
    if (pattern === undefined) {
      if (!rest.startsWith(piece)) return null;
      rest = rest.slice(piece.length);
      continue;
    }
    const [part] = pattern.exec(rest) ?? [];
    if (part === undefined) return null;
    rest = rest.slice(part.length);
    if (letter === "b") {
      found.m = MONTHS.findIndex((month) =>
        month.slice(0, 3).toLowerCase() === part.toLowerCase()
      ) + 1;
    } else found[letter as "Y"] = Number(part);
  }
  if (rest !== "") return null;
  const seconds = timeFrom([found.Y, found.m, found.d, found.H, found.M, found.S]);
  return seconds === null ? null : seconds * 1_000_000n;
}
