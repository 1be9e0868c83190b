import { defineHelper } from "../../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../../gpu/kernel/language/helper.ts";
import type { i32, View } from "../../../gpu/kernel/language/row_function.ts";
import type { Scratch } from "../../../gpu/kernel/language/scratch.ts";
import { daysOfCivil, NO_DAY, timeFields } from "./calendar.ts";

/**
 * Reads an offset from UTC at a position, `Z`, `+01:00` or `+0100`, and with `short` also `+01`. Gives
 * the position behind it, -1 where there is none, and leaves the minutes in `timeFields`.
 */
export const readOffset: Helper<(text: View, from: i32, short: boolean) => i32> = defineHelper({
  args: { text: "string", from: "i32", short: "bool" },
  returns: "i32",
  consts: { fields: timeFields },
  row(text: View, from: i32, short: boolean, c: { fields: Scratch }): i32 {
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
    const hasMinute = at < text.size || !short;
    if (hasMinute) {
      if (text.byteAt(at) === 0x3a) at++;
      const tens = text.byteAt(at) - 0x30;
      const ones = text.byteAt(at + 1) - 0x30;
      if (tens < 0 || tens > 5 || ones < 0 || ones > 9) return -1;
      minute = tens * 10 + ones;
      at += 2;
    }
    const minutes = hour * 60 + minute;
    c.fields.set(7, sign === 0x2d ? -minutes : minutes);
    return at;
  },
});

/** The number of two digits at a position; -1 where they are none. */
const twoDigits: Helper<(text: View, at: i32) => i32> = defineHelper({
  args: { text: "string", at: "i32" },
  returns: "i32",
  row(text: View, at: i32): i32 {
    const tens = text.byteAt(at) - 0x30;
    const ones = text.byteAt(at + 1) - 0x30;
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9) return -1;
    return tens * 10 + ones;
  },
});

/** The day of `2001-03-14` at the start of a text; NO_DAY where there is none. */
export const readIsoDate: Helper<(text: View) => i32> = defineHelper({
  args: { text: "string" },
  returns: "i32",
  consts: { daysOfCivil, twoDigits, none: NO_DAY },
  row(
    text: View,
    c: { daysOfCivil: typeof daysOfCivil; twoDigits: typeof twoDigits; none: i32 },
  ): i32 {
    const century = c.twoDigits(text, 0);
    const year = c.twoDigits(text, 2);
    const month = c.twoDigits(text, 5);
    const day = c.twoDigits(text, 8);
    if (century < 0 || year < 0 || text.byteAt(4) !== 0x2d || text.byteAt(7) !== 0x2d) {
      return c.none;
    }
    return c.daysOfCivil(century * 100 + year, month, day);
  },
});

/**
 * The day of a time in ISO 8601: a day, then perhaps `T` or a blank and `15:09`, `15:09:26` or
 * `15:09:26.535`, then perhaps an offset. Gives NO_DAY for other text, and leaves the time in
 * `timeFields`. Digits of the fraction behind the sixth are cut off.
 */
export const readIsoTime: Helper<(text: View) => i32> = defineHelper({
  args: { text: "string" },
  returns: "i32",
  consts: { readIsoDate, twoDigits, readOffset, fields: timeFields, none: NO_DAY },
  row(text: View, c: IsoReader): i32 {
    for (let i = 0; i < 8; i++) c.fields.set(i, 0);
    const days = c.readIsoDate(text);
    if (text.size === 10) return days;
    const mark = text.byteAt(10);
    if (mark !== 0x54 && mark !== 0x74 && mark !== 0x20) return c.none;
    const hour = c.twoDigits(text, 11);
    const minute = c.twoDigits(text, 14);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || text.byteAt(13) !== 0x3a) {
      return c.none;
    }
    c.fields.set(5, hour);
    c.fields.set(4, minute);
    let at = 16;
    if (text.byteAt(16) === 0x3a) {
      const second = c.twoDigits(text, 17);
      if (second < 0 || second > 59) return c.none;
      c.fields.set(3, second);
      at = 19;
      if (text.byteAt(19) === 0x2e) {
        let micros = 0;
        let digits = 0;
        let digit = text.byteAt(20) - 0x30;
        while (digit >= 0 && digit <= 9) {
          if (digits < 6) micros = micros * 10 + digit;
          digits++;
          digit = text.byteAt(20 + digits) - 0x30;
        }
        if (digits === 0) return c.none;
        for (let i = digits; i < 6; i++) micros *= 10;
        c.fields.set(1, micros % 1000);
        c.fields.set(2, micros / 1000);
        at = 20 + digits;
      }
    }
    if (at < text.size) at = c.readOffset(text, at, true);
    return at === text.size ? days : c.none;
  },
});

/** What the reader of ISO times uses. */
interface IsoReader {
  readonly readIsoDate: typeof readIsoDate;
  readonly twoDigits: typeof twoDigits;
  readonly readOffset: typeof readOffset;
  readonly fields: Scratch;
  readonly none: i32;
}
