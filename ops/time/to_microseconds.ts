/**
 * Row functions that return times since 1970-01-01, most of them in microseconds. They multiply and
 * divide limbs of 16 bits.
 *
 * @module
 */

import { TimestampMicrosecond } from "apache-arrow";
import type { Helper, i32, View } from "../../gpu/kernel/language/row_function.ts";
import { type CallArgs, type Overload, overload } from "../string/define/define_string_op.ts";
import { NO_DAY, timeFields } from "./calendar.ts";
import { scaleCount, unitFactors } from "./scale_time.ts";
import type { TimeUnitName } from "./time_units.ts";

const MICROSECONDS = {
  kind: "measure",
  returns: "words",
  gives: new TimestampMicrosecond(),
} as const;

/**
 * Creates the row function that converts text, as a helper reads it, to a count of `unit`. Digits
 * finer than the unit are cut off; where the result must be `exact`, they make the row null. A time
 * before 1970 is computed as the complement of its bits, so that nothing is negative.
 */
export function timeReader(
  read: (args: CallArgs, zone?: string) => Helper<(text: View) => i32>,
  unit: Exclude<TimeUnitName, "day">,
  exact: 0 | 1,
): Overload {
  // The first two factors lead from days to seconds; each of the others leads to the next unit.
  const factors = Int32Array.from(unitFactors("day", unit));
  return overload({
    kind: "measure",
    returns: "words",
    consts: (args, zone) => ({
      read: read(args, zone),
      fields: timeFields,
      factors,
      none: NO_DAY,
      exact,
      finer: 5 - factors.length,
    }),
    row(text, { read, fields, factors, none, exact, finer }) {
      const day = read(text);
      if (day === none) return null;
      if (exact === 1) {
        if (fields.at(8) !== 0) return null;
        for (let i = 0; i < finer; i++) if (fields.at(i) !== 0) return null;
      }
      let second = fields.at(5) * 3600 + fields.at(4) * 60 + fields.at(3) - fields.at(7);
      let days = day;
      if (second < 0) {
        second += 86400;
        days--;
      } else if (second >= 86400) {
        second -= 86400;
        days++;
      }
      const mask = days >> 31;
      let limb0 = (days ^ mask) & 0xffff;
      let limb1 = (days ^ mask) >> 16;
      let limb2 = 0;
      let limb3 = 0;
      for (let i = 0; i < factors.size; i++) {
        const factor = factors.at(i);
        let more = 0;
        if (i === 1) more = mask === 0 ? second : 86399 - second;
        if (i > 1) more = mask === 0 ? fields.at(4 - i) : 999 - fields.at(4 - i);
        limb0 = limb0 * factor + more;
        limb1 = limb1 * factor + (limb0 >> 16);
        limb2 = limb2 * factor + (limb1 >> 16);
        limb3 = limb3 * factor + (limb2 >> 16);
        limb0 &= 0xffff;
        limb1 &= 0xffff;
        limb2 &= 0xffff;
      }
      // Only nanoseconds can be too many.
      if (limb3 > 0x7fff) return null;
      return [(limb0 | (limb1 << 16)) ^ mask, (limb2 | (limb3 << 16)) ^ mask];
    },
  });
}

/** Converts the text that a helper reads to microseconds. */
export function fromText(read: (args: CallArgs) => Helper<(text: View) => i32>): Overload {
  return { ...timeReader(read, "us", 0), gives: MICROSECONDS.gives };
}

/** Converts a count of a larger unit to microseconds; null if the product does not fit. */
function fromLarger(unit: TimeUnitName): Overload {
  return { ...scaleCount([], unitFactors(unit, "us")), gives: MICROSECONDS.gives };
}

/** The conversions to microseconds from each unit of dates and timestamps. */
export const fromUnits = {
  day: fromLarger("day"),
  s: fromLarger("s"),
  ms: fromLarger("ms"),
  us: overload({ ...MICROSECONDS, subject: "words", row: (low, high) => [low, high] }),
  /** Rounded down. */
  ns: overload({
    ...MICROSECONDS,
    subject: "words",
    row(low, high) {
      // The quotient of ~x is ~q.
      const mask = high >> 31;
      const limb1 = (low ^ mask) >>> 16;
      const limb2 = (high ^ mask) & 0xffff;
      const limb3 = (high ^ mask) >>> 16;
      const from2 = ((limb3 % 1000) << 16) | limb2;
      const from1 = ((from2 % 1000) << 16) | limb1;
      const from0 = ((from1 % 1000) << 16) | ((low ^ mask) & 0xffff);
      const quotientLow = (from0 / 1000) | ((from1 / 1000) << 16);
      const quotientHigh = (from2 / 1000) | ((limb3 / 1000) << 16);
      return [quotientLow ^ mask, quotientHigh ^ mask];
    },
  }),
};
