/**
 * Formats dates and times as in ISO 8601. Units of time are numbered as in Arrow: 0 for
 * seconds, 1 for milliseconds, 2 for microseconds, 3 for nanoseconds.
 *
 * @module
 */

/** The names of the units of time, in the order of their numbers. */
export const timeUnitNames = ["s", "ms", "us", "ns"] as const;

/** The number of each unit in a second. */
const perSecond: readonly bigint[] = [1n, 1_000n, 1_000_000n, 1_000_000_000n];
const secondsPerDay = 86_400n;
/** The number of days in 400 years, and from 0000-03-01 to 1970-01-01. */
const daysPerEra = 146_097;
const daysToEpoch = 719_468;

/**
 * Formats a day, counted from 1970-01-01, as `2001-12-31` in the proleptic Gregorian calendar. Years before
 * 0 and after 9999 have a sign and at least six digits. The computation uses years that begin in March:
 * https://howardhinnant.github.io/date_algorithms.html#civil_from_days
 */
export function dayText(daysSinceEpoch: number): string {
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
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** Formats a time of day as `23:59:59.500`, with all digits of its unit. */
export function clockText(count: bigint, unit: number): string {
  const perUnit = perSecond[unit]!;
  const seconds = Number(count / perUnit);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const time = `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
  return unit === 0 ? time : `${time}.${String(count % perUnit).padStart(3 * unit, "0")}`;
}

/** Whether a count of a unit is a time of day, from 00:00:00 to 24:00:00. */
export function isTimeOfDay(count: bigint, unit: number): boolean {
  return count >= 0n && count <= secondsPerDay * perSecond[unit]!;
}

/** Splits a time since 1970 into its day and the time of that day, in the same unit. */
export function splitDay(count: bigint, unit: number): [day: number, timeOfDay: bigint] {
  const perDay = secondsPerDay * perSecond[unit]!;
  const timeOfDay = ((count % perDay) + perDay) % perDay;
  return [Number((count - timeOfDay) / perDay), timeOfDay];
}

/** Returns a text without the trailing zeros of its fraction: `23:59:59.5`, `23:59:59`. */
export function withoutZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, "0");
  return (year < 0 ? "-" : "+") + String(Math.abs(year)).padStart(6, "0");
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
