/**
 * The calendar of row functions: days since 1970 from dates, and the names of the months and the
 * days.
 *
 * @module
 */

import { scratch } from "../../gpu/kernel/language/scratch.ts";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Scratch } from "../../gpu/kernel/language/row_function.ts";

/**
 * Scratch that the helpers of dates and times share. Indices: 0 nanoseconds (below one
 * microsecond), 1 microseconds, 2 milliseconds, 3 second, 4 minute, 5 hour, 6 days since 1970-01-01,
 * 7 seconds east of UTC, 8 whether ISO text has nonzero digits below nanoseconds, 9 where the date in ISO
 * text ends. While a format is read: 8 year, 9 month, 10 day, 11 day of the year, 12 half of the day (1 before noon, 2 after), 13 day
 * of the week.
 */
export const timeFields: Scratch = scratch(14);

/** The value for a day that the calendar does not have. */
export const NO_DAY = -0x80000000;

/** The years of which 32 bits hold every day. */
export const FIRST_YEAR = -5_877_640;
export const LAST_YEAR = 5_881_579;

/** Eras of 400 years that are added to a year so that nothing is negative, and their days in 32 bits. */
const ERAS = 14_700;
const DAYS = (ERAS * 146_097 + 719_468) | 0;

/**
 * Returns the days since 1970-01-01 of a date in the proleptic Gregorian calendar, for the years from
 * FIRST_YEAR to LAST_YEAR; NO_DAY for a date that does not exist. Sums wrap on the way. Years begin in March, so that leap days come last
 * (H. Hinnant, "chrono-compatible low-level date algorithms", 2013).
 */
export const daysOfCivil = defineHelper({
  args: ["i32", "i32", "i32"],
  returns: "i32",
  consts: { none: NO_DAY, years: ERAS * 400, days: DAYS },
  row(year, month, day, { none, years, days }) {
    if (month < 1 || month > 12 || day < 1) return none;
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    const most = month === 2 ? (isLeap ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);
    if (day > most) return none;
    const from = year + years - (month <= 2 ? 1 : 0);
    const dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    const leapDays = from / 4 - from / 100 + from / 400;
    return 365 * from + leapDays + dayOfYear - days;
  },
});

/** The number of letters for each name in the table; shorter names are padded with zeros. */
const LETTERS = 9;

const NAMES = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
];

/** The English names of the twelve months, then of the seven days, in small letters, one after another. */
export const DATE_NAMES: Int32Array = Int32Array.from(
  NAMES.flatMap((name) => Array.from({ length: LETTERS }, (_, i) => name.charCodeAt(i) || 0)),
);
