/**
 * Dates and times in ISO form, as numbers of the unit that a column counts in.
 *
 * @module
 */

import { DataType, DateUnit, TimeUnit } from "apache-arrow";

const DAY_NS = 86_400_000_000_000n;
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The number that stands for `2001-03-14`, `2001-03-14T15:09` or `2001-03-14T15:09:26.535Z` in a
 * column of dates or timestamps. Without an offset the time is UTC.
 *
 * Undefined where the text is not of that form, names no day of the calendar, or is finer than the
 * column, and for columns of other types.
 */
export function isoTime(text: string, type: DataType): bigint | undefined {
  const unit = unitNs(type);
  const nanoseconds = unit === undefined ? undefined : epochNanoseconds(text);
  if (unit === undefined || nanoseconds === undefined) return undefined;
  return nanoseconds % unit === 0n ? nanoseconds / unit : undefined;
}

/**
 * What `isoTime` reads as this number: `2001-03-14` for dates, `2001-03-14T15:09:26.535` for
 * timestamps, with the seconds and without zeros at the end of the fraction. The number itself where
 * JavaScript has no such time.
 */
export function isoText(count: bigint, type: DataType): string {
  const nanoseconds = count * (unitNs(type) ?? 1n);
  const remainder = nanoseconds % 1_000_000_000n;
  const fraction = remainder < 0n ? remainder + 1_000_000_000n : remainder;
  const date = new Date(Number((nanoseconds - fraction) / 1_000_000n));
  if (Number.isNaN(date.getTime())) return String(count);
  const instant = date.toISOString();
  if (DataType.isDate(type) && type.unit === DateUnit.DAY) return instant.slice(0, -14);
  const digits = fraction.toString().padStart(9, "0").replace(/0+$/, "");
  return instant.slice(0, -5) + (digits === "" ? "" : `.${digits}`);
}

/** Nanoseconds in one unit of a column of dates or timestamps. */
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

function epochNanoseconds(text: string): bigint | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, day = "", clock = "00:00", fraction = "", offset = "Z"] = match;
  const midnight = new Date(`${day}T00:00:00Z`);
  const instant = Date.parse(`${day}T${clock}${offset}`);
  // A day such as 2001-02-30 would become one in March.
  if (Number.isNaN(instant) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  return BigInt(instant) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}
