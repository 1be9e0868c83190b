/**
 * The calendar for all days of 32 bits: the fields of a day, and the day of a date (H. Hinnant,
 * "chrono-compatible low-level date algorithms", 2013). Years begin in March, so that leap days come
 * last, and an era has 400 of them.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { NO_DAY } from "./calendar.ts";
import { floorDivide, floorRemainder } from "./floor.ts";

const { toI32, toI64 } = numeric;

/** Returns the day within its era, from 0 to 146096. */
const dayOfEra = defineHelper({
  args: ["i32"],
  returns: "i32",
  row(day) {
    // The remainder of eras from 1970 on is moved to one that begins in March.
    const sign = day >> 31;
    const down = (day ^ sign) / 146097 ^ sign;
    const moved = day - down * 146097 + 135080;
    return moved >= 146097 ? moved - 146097 : moved;
  },
});

/** Returns the year within its era of a day of an era, from 0 to 399. */
const yearOfEra = defineHelper({
  args: ["i32"],
  returns: "i32",
  row: (day) => (day - day / 1460 + day / 36524 - day / 146096) / 365,
});

/**
 * Returns the days since the first of March, with few divisions (C. Neri, L. Schneider, "Euclidean affine
 * functions and their application to calendar algorithms", 2022): centuries and years have 36524 1/4 and
 * 365 1/4 days.
 */
const daysFromMarch = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { dayOfEra },
  row(day, { dayOfEra }) {
    const inEra = dayOfEra(day);
    const century = (4 * inEra + 3) / 146097;
    const inCentury = inEra - (146097 * century >> 2);
    const year = (4 * inCentury + 3) / 1461;
    return inCentury - (1461 * year >> 2);
  },
});

// The months of a year that begins in March are as long as 2^16 / 2141 days on average, in the order in
// which long and short ones follow one another (Neri and Schneider).

/** Returns the month of a day, from 1. */
export const monthOfDay = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { daysFromMarch },
  row(day, { daysFromMarch }) {
    const month = (2141 * daysFromMarch(day) + 197913) >> 16;
    return month > 12 ? month - 12 : month;
  },
});

/** Returns the day of its month, from 1. */
export const dayOfMonth = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { daysFromMarch },
  row(day, { daysFromMarch }) {
    const left = (2141 * daysFromMarch(day) + 197913) & 0xffff;
    return left / 2141 + 1;
  },
});

/** Returns the year of a day; the year before 1 is 0. */
export const yearOfDay = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { dayOfEra, yearOfEra },
  row(day, { dayOfEra, yearOfEra }) {
    const inEra = dayOfEra(day);
    const year = yearOfEra(inEra);
    const fromMarch = inEra - (365 * year + year / 4 - year / 100);
    const down = day < 0 ? ~(~day / 146097) : day / 146097;
    const era = day - down * 146097 + 135080 >= 146097 ? 5 : 4;
    return year + (down + era) * 400 + (fromMarch >= 306 ? 1 : 0);
  },
});

/** Whether a year has 366 days. */
export const isLeapYear = defineHelper({
  args: ["i32"],
  returns: "bool",
  row: (year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0),
});

/** Returns the number of days of a month. */
export const daysInMonth = defineHelper({
  args: ["i32", "i32"],
  returns: "i32",
  consts: { isLeapYear },
  row: (year, month, { isLeapYear }) =>
    month === 2 ? (isLeapYear(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1),
});

/** Returns the day of its year, from 1. */
export const dayOfYearOf = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { daysFromMarch, yearOfDay, isLeapYear },
  row(day, { daysFromMarch, yearOfDay, isLeapYear }) {
    const days = daysFromMarch(day);
    if (days >= 306) return days - 305;
    return days + (isLeapYear(yearOfDay(day)) ? 61 : 60);
  },
});

/** Returns the day of its week, from 1 for Monday to 7. */
export const weekdayOfDay = defineHelper({
  args: ["i32"],
  returns: "i32",
  row: (day) => (day % 7 + 10) % 7 + 1,
});

/** Returns the number of weeks that a year has in ISO 8601: 53 where it starts or ends on a Thursday. */
const weeksOfYear = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { isLeapYear },
  row(year, { isLeapYear }) {
    // Weekdays repeat every 400 years. The weekday of the last day of a year, 0 for Sunday.
    const inEra = (year % 400 + 400) % 400;
    const last = (inEra + inEra / 4 - inEra / 100) % 7;
    return last === 4 || (isLeapYear(year) && last === 5) ? 53 : 52;
  },
});

/** Returns the number of the week in ISO 8601, before the year is known: 0 for the last one of the year before. */
const weekInYear = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { dayOfYearOf, weekdayOfDay },
  row: (day, { dayOfYearOf, weekdayOfDay }) => (dayOfYearOf(day) - weekdayOfDay(day) + 10) / 7,
});

/** Returns the number of the week in ISO 8601, from 1 to 53. */
export const weekOfDay = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { weekInYear, weeksOfYear, yearOfDay },
  row(day, { weekInYear, weeksOfYear, yearOfDay }) {
    const week = weekInYear(day);
    const year = yearOfDay(day);
    if (week < 1) return weeksOfYear(year - 1);
    return week > weeksOfYear(year) ? 1 : week;
  },
});

/** Returns the year of the week in ISO 8601. */
export const isoYearOfDay = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { weekInYear, weeksOfYear, yearOfDay },
  row(day, { weekInYear, weeksOfYear, yearOfDay }) {
    const week = weekInYear(day);
    const year = yearOfDay(day);
    if (week < 1) return year - 1;
    return week > weeksOfYear(year) ? year + 1 : year;
  },
});

/** Returns the days from 1970-01-01 to the first day of a month, for months from 1 to 12. */
export const firstOfMonth = defineHelper({
  args: ["i32", "i32"],
  returns: "i64",
  consts: { toI64 },
  row(year, month, { toI64 }) {
    const from = toI64(year) - (month <= 2 ? 1n : 0n);
    const era = (from >= 0n ? from : from - 399n) / 400n;
    const inEra = from - era * 400n;
    const days = toI64((153 * ((month + 9) % 12) + 2) / 5);
    return era * 146097n + inEra * 365n + inEra / 4n - inEra / 100n + days - 719468n;
  },
});

/** The greatest number of months in one direction; beyond, no day of 32 bits has them. */
const MOST_MONTHS = 150_000_000n;

/**
 * Returns the day some months after a day, or before it: the same day of the month, or its last day
 * where it is shorter. NO_DAY where 32 bits do not hold it.
 */
export const plusMonths = defineHelper({
  args: ["i32", "i64"],
  returns: "i32",
  consts: {
    ...{ yearOfDay, monthOfDay, dayOfMonth, daysInMonth, firstOfMonth },
    ...{ floorDivide, floorRemainder, toI64, toI32, most: MOST_MONTHS, none: NO_DAY },
  },
  row(day, months, given) {
    if (months > given.most || months < -given.most) return given.none;
    const before = given.toI64(given.yearOfDay(day)) * 12n + given.toI64(given.monthOfDay(day) - 1);
    const after = before + months;
    const year = given.toI32(given.floorDivide(after, 12n));
    const month = given.toI32(given.floorRemainder(after, 12n)) + 1;
    const inMonth = given.dayOfMonth(day);
    const last = given.daysInMonth(year, month);
    const moved = given.firstOfMonth(year, month) +
      given.toI64((inMonth < last ? inMonth : last) - 1);
    const fits = moved > -2147483648n && moved <= 2147483647n;
    return fits ? given.toI32(moved) : given.none;
  },
});
