/**
 * Row functions that give microseconds since 1970-01-01, as limbs of 16 bits that are multiplied and
 * divided.
 *
 * @module
 */

import { TimestampMicrosecond } from "apache-arrow";
import type { Helper, i32, View } from "../../../gpu/kernel/language/row_function.ts";
import { type CallArgs, type Overload, overload } from "../define_string_op.ts";
import { NO_DAY, timeFields } from "./calendar.ts";

const MICROSECONDS = {
  kind: "measure",
  returns: "i64",
  gives: new TimestampMicrosecond(),
} as const;

/** From days to seconds in two steps, then to milliseconds and microseconds. */
const DAY_FACTORS: Int32Array = Int32Array.of(21600, 4, 1000, 1000);

/**
 * From the text that a helper reads. Days are counted from a day before the year 0 while limbs are
 * multiplied, so that nothing is negative.
 */
export function fromText(read: (args: CallArgs) => Helper<(text: View) => i32>): Overload {
  return overload({
    ...MICROSECONDS,
    consts: (args) => ({
      read: read(args),
      fields: timeFields,
      factors: DAY_FACTORS,
      none: NO_DAY,
    }),
    row(text, { read, fields, factors, none }) {
      const day = read(text);
      if (day === none) return null;
      let second = fields.at(5) * 3600 + (fields.at(4) - fields.at(7)) * 60 + fields.at(3);
      let days = day + 719529;
      if (second < 0) {
        second += 86400;
        days--;
      } else if (second >= 86400) {
        second -= 86400;
        days++;
      }
      let limb0 = days & 0xffff;
      let limb1 = days >> 16;
      let limb2 = 0;
      let limb3 = 0;
      for (let i = 0; i < 4; i++) {
        const factor = factors.at(i);
        const more = i === 1 ? second : i === 2 ? fields.at(2) : i === 3 ? fields.at(1) : 0;
        limb0 = limb0 * factor + more;
        limb1 = limb1 * factor + (limb0 >> 16);
        limb2 = limb2 * factor + (limb1 >> 16);
        limb3 = limb3 * factor + (limb2 >> 16);
        limb0 &= 0xffff;
        limb1 &= 0xffff;
        limb2 &= 0xffff;
      }
      // Less the microseconds of 719,529 days, 0xdcdcd5c6ee6000.
      const low = limb0 | (limb1 << 16);
      const high = limb2 | (limb3 << 16);
      const borrow = (low ^ -0x80000000) < 0x46ee6000 ? 1 : 0;
      return [low + 0x3911a000, high - 0xdcdcd5 - borrow];
    },
  });
}

/** From larger units, by factors below 32768; null where the product does not fit. */
function fromLarger(factors: Int32Array): Overload {
  return overload({
    ...MICROSECONDS,
    subject: "i64",
    consts: { factors },
    row(low, high, { factors }) {
      const isNegative = high < 0;
      const bottom = isNegative ? -low : low;
      const top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
      if (top < 0) return null;
      let limb0 = bottom & 0xffff;
      let limb1 = bottom >>> 16;
      let limb2 = top & 0xffff;
      let limb3 = top >>> 16;
      for (let i = 0; i < factors.size; i++) {
        const factor = factors.at(i);
        limb0 = limb0 * factor;
        limb1 = limb1 * factor + (limb0 >>> 16);
        limb2 = limb2 * factor + (limb1 >>> 16);
        limb3 = limb3 * factor + (limb2 >>> 16);
        if (limb3 > 0x7fff) return null;
        limb0 &= 0xffff;
        limb1 &= 0xffff;
        limb2 &= 0xffff;
      }
      const scaledLow = limb0 | (limb1 << 16);
      const scaledHigh = limb2 | (limb3 << 16);
      if (!isNegative) return [scaledLow, scaledHigh];
      return [-scaledLow, ~scaledHigh + (scaledLow === 0 ? 1 : 0)];
    },
  });
}

/** From each unit of dates and timestamps. */
export const fromUnits = {
  day: fromLarger(DAY_FACTORS),
  s: fromLarger(Int32Array.of(1000, 1000)),
  ms: fromLarger(Int32Array.of(1000)),
  us: overload({ ...MICROSECONDS, subject: "i64", row: (low, high) => [low, high] }),
  /** Rounded down. */
  ns: overload({
    ...MICROSECONDS,
    subject: "i64",
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
