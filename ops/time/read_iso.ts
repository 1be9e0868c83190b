/**
 * Helpers that read dates, times and offsets in ISO 8601.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { daysOfCivil, FIRST_YEAR, LAST_YEAR, NO_DAY, timeFields } from "./calendar.ts";

/**
 * Reads an offset from UTC at a position: `Z`, `+01:00` or `+0100`. With `short` it also reads `+01`
 * and, as used before standard time, `+00:53:28`. Returns the position after it, or -1 without one,
 * and leaves the seconds in `timeFields`.
 */
export const readOffset = defineHelper({
  args: ["string", "i32", "bool"],
  returns: "i32",
  consts: { fields: timeFields },
  row(text, from, short, { fields }) {
    const sign = text.byteAt(from);
    if ((sign | 0x20) === 0x7a) return from + 1;
    if (sign !== 0x2b && sign !== 0x2d) return -1;
    const hourTens = text.byteAt(from + 1) - 0x30;
    const hourOnes = text.byteAt(from + 2) - 0x30;
    if (hourTens < 0 || hourTens > 2 || hourOnes < 0 || hourOnes > 9) return -1;
    const hour = hourTens * 10 + hourOnes;
    if (hour > 23) return -1;
    let at = from + 3;
    let minute = 0;
    let second = 0;
    const hasMinute = at < text.size || !short;
    if (hasMinute) {
      const hasColon = text.byteAt(at) === 0x3a;
      if (hasColon) at++;
      const tens = text.byteAt(at) - 0x30;
      const ones = text.byteAt(at + 1) - 0x30;
      if (tens < 0 || tens > 5 || ones < 0 || ones > 9) return -1;
      minute = tens * 10 + ones;
      at += 2;
      if (short && hasColon && text.byteAt(at) === 0x3a) {
        const secondTens = text.byteAt(at + 1) - 0x30;
        const secondOnes = text.byteAt(at + 2) - 0x30;
        if (secondTens < 0 || secondTens > 5 || secondOnes < 0 || secondOnes > 9) return -1;
        second = secondTens * 10 + secondOnes;
        at += 3;
      }
    }
    const seconds = (hour * 60 + minute) * 60 + second;
    fields.set(7, sign === 0x2d ? -seconds : seconds);
    return at;
  },
});

/** Returns the two-digit number at a position; -1 if the text has none. */
const twoDigits = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  row(text, at) {
    const tens = text.byteAt(at) - 0x30;
    const ones = text.byteAt(at + 1) - 0x30;
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9) return -1;
    return tens * 10 + ones;
  },
});

/**
 * Returns the year at the start of a text, which ends at the position in `timeFields`, in the forms that
 * years of other than four digits are written in: up to seven digits, of which there are four or more
 * behind `-`, six or more behind `+`, and five or more without a sign; NO_DAY for any other text.
 */
const readLongYear = defineHelper({
  args: ["string"],
  returns: "i32",
  consts: { fields: timeFields, none: NO_DAY, first: FIRST_YEAR, last: LAST_YEAR },
  row(text, { fields, none, first, last }) {
    const sign = text.byteAt(0);
    const start = sign === 0x2b || sign === 0x2d ? 1 : 0;
    let year = 0;
    let at = start;
    let digit = text.byteAt(at) - 0x30;
    while (digit >= 0 && digit <= 9 && at < start + 8) {
      year = year * 10 + digit;
      at++;
      digit = text.byteAt(at) - 0x30;
    }
    const least = start === 0 ? 5 : sign === 0x2d ? 4 : 6;
    if (at < start + least || at > start + 7) return none;
    fields.set(9, at);
    if (sign === 0x2d) return year === 0 || -year < first ? none : -year;
    return year > last || (start === 0 && year < 10000) ? none : year;
  },
});

/**
 * Returns the day of a date such as `2001-03-14` at the start of a text, and leaves its end in
 * `timeFields`; NO_DAY without one. The year may be as `readLongYear` takes it.
 */
export const readIsoDate = defineHelper({
  args: ["string"],
  returns: "i32",
  consts: { daysOfCivil, twoDigits, readLongYear, fields: timeFields, none: NO_DAY },
  row(text, { daysOfCivil, twoDigits, readLongYear, fields, none }) {
    const century = twoDigits(text, 0);
    const rest = twoDigits(text, 2);
    let year = century * 100 + rest;
    fields.set(9, 4);
    if (century < 0 || rest < 0 || text.byteAt(4) !== 0x2d) year = readLongYear(text);
    const end = fields.at(9);
    if (year === none || text.byteAt(end) !== 0x2d || text.byteAt(end + 3) !== 0x2d) return none;
    fields.set(9, end + 6);
    return daysOfCivil(year, twoDigits(text, end + 1), twoDigits(text, end + 4));
  },
});

/**
 * Reads a time of day at a position: `15:09`, `15:09:26` or `15:09:26.535`. Returns the position
 * after it, or -1 without one, and leaves the time in `timeFields`. Of the digits after the ninth
 * of the fraction it notes only whether any is not zero.
 */
const readClock = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  consts: { twoDigits, fields: timeFields },
  row(text, from, { twoDigits, fields }) {
    const hour = twoDigits(text, from);
    const minute = twoDigits(text, from + 3);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return -1;
    if (text.byteAt(from + 2) !== 0x3a) return -1;
    fields.set(5, hour);
    fields.set(4, minute);
    if (text.byteAt(from + 5) !== 0x3a) return from + 5;
    const second = twoDigits(text, from + 6);
    if (second < 0 || second > 59) return -1;
    fields.set(3, second);
    if (text.byteAt(from + 8) !== 0x2e) return from + 8;
    let micros = 0;
    let nanos = 0;
    let digits = 0;
    let digit = text.byteAt(from + 9) - 0x30;
    while (digit >= 0 && digit <= 9) {
      if (digits < 6) micros = micros * 10 + digit;
      else if (digits < 9) nanos = nanos * 10 + digit;
      else if (digit !== 0) fields.set(8, 1);
      digits++;
      digit = text.byteAt(from + 9 + digits) - 0x30;
    }
    if (digits === 0) return -1;
    for (let i = digits; i < 6; i++) micros *= 10;
    for (let i = digits < 6 ? 6 : digits; i < 9; i++) nanos *= 10;
    fields.set(0, nanos);
    fields.set(1, micros % 1000);
    fields.set(2, micros / 1000);
    return from + 9 + digits;
  },
});

/**
 * Reads a time in ISO 8601: a date, then optionally `T` or a blank and a time as `readClock` takes
 * it, which an offset may follow. Returns the day, or NO_DAY for other text, and leaves the time in
 * `timeFields`.
 */
export const readIsoTime = defineHelper({
  args: ["string"],
  returns: "i32",
  consts: { readIsoDate, readClock, readOffset, fields: timeFields, none: NO_DAY },
  row(text, { readIsoDate, readClock, readOffset, fields, none }) {
    for (let i = 0; i < 9; i++) fields.set(i, 0);
    const days = readIsoDate(text);
    const end = fields.at(9);
    if (text.size === end) return days;
    const mark = text.byteAt(end);
    if (mark !== 0x54 && mark !== 0x74 && mark !== 0x20) return none;
    let at = readClock(text, end + 1);
    if (at < 0) return none;
    if (at < text.size) at = readOffset(text, at, true);
    return at === text.size ? days : none;
  },
});

/** Reads a time of day alone. Returns 0 or, for other text, NO_DAY; the time is in `timeFields`. */
export const readIsoClock = defineHelper({
  args: ["string"],
  returns: "i32",
  consts: { readClock, fields: timeFields, none: NO_DAY },
  row(text, { readClock, fields, none }) {
    for (let i = 0; i < 9; i++) fields.set(i, 0);
    return readClock(text, 0) === text.size ? 0 : none;
  },
});
