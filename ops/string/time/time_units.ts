import { DataType } from "apache-arrow";
import { defineHelper } from "../../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../../gpu/kernel/language/helper.ts";
import type { i32, Table, View } from "../../../gpu/kernel/language/row_function.ts";
import type { Scratch } from "../../../gpu/kernel/language/scratch.ts";
import { NO_DAY, timeFields } from "./calendar.ts";
import type { RowConsts } from "../define_string_op.ts";

/** What a column of dates or timestamps counts in. */
export type TimeUnitName = "day" | "s" | "ms" | "us" | "ns";

const UNITS = ["s", "ms", "us", "ns"] as const;

/** The unit of a type of dates or timestamps; undefined for other types. */
export function timeUnitOf(type: DataType): TimeUnitName | undefined {
  if (DataType.isDate(type)) return type.unit === 0 ? "day" : "ms";
  return DataType.isTimestamp(type) ? UNITS[type.unit] : undefined;
}

/** Parts of a day, smallest first: where each unit begins among them. */
const DIVISORS = [1000, 1000, 1000, 60, 60, 24];
const FIRST: Readonly<Record<TimeUnitName, number>> = { ns: 0, us: 1, ms: 2, s: 3, day: 6 };

/** Cuts a number of units since 1970-01-01 into days and parts of a day; false where days overflow. */
export type TimeSplitter = Helper<(low: i32, high: i32) => boolean>;

/**
 * The helper that cuts a time in `unit` into parts, which it leaves in `timeFields`: long division of
 * four limbs of 16 bits, rounding down, so that the parts of a day are never negative.
 */
function timeSplitter(unit: TimeUnitName): TimeSplitter {
  const first = FIRST[unit];
  return defineHelper({
    args: { low: "i32", high: "i32" },
    returns: "bool",
    consts: { divisors: Int32Array.from(DIVISORS.slice(first)), first, fields: timeFields },
    row(low: i32, high: i32, c: { divisors: Table; first: i32; fields: Scratch }): boolean {
      for (let i = 0; i < c.first; i++) c.fields.set(i, 0);
      // The quotient of ~x is ~q, and its remainder counts down from the greatest.
      const mask = high >> 31;
      let limb0 = (low ^ mask) & 0xffff;
      let limb1 = (low ^ mask) >>> 16;
      let limb2 = (high ^ mask) & 0xffff;
      let limb3 = (high ^ mask) >>> 16;
      for (let i = 0; i < c.divisors.size; i++) {
        const by = c.divisors.at(i);
        let from1 = limb1;
        // The upper half is gone after the first few divisions.
        if ((limb3 | limb2) !== 0) {
          const from2 = ((limb3 % by) << 16) | limb2;
          from1 = ((from2 % by) << 16) | limb1;
          limb3 = limb3 / by;
          limb2 = from2 / by;
        }
        const from0 = ((from1 % by) << 16) | limb0;
        limb1 = from1 / by;
        limb0 = from0 / by;
        const rest = from0 % by;
        c.fields.set(c.first + i, mask === 0 ? rest : by - 1 - rest);
      }
      c.fields.set(6, (limb0 | (limb1 << 16)) ^ mask);
      return limb3 === 0 && limb2 === 0 && limb1 <= 0x7fff;
    },
  });
}

/** The splitters of all units. */
export const TIME_SPLITTERS: Readonly<Record<TimeUnitName, TimeSplitter>> = {
  ns: timeSplitter("ns"),
  us: timeSplitter("us"),
  ms: timeSplitter("ms"),
  s: timeSplitter("s"),
  day: timeSplitter("day"),
};

/** The row function that gives the day of a time, rounded down; null where it takes more than 32 bits. */
export function splitDay(
  low: i32,
  high: i32,
  c: { split: TimeSplitter; fields: Scratch },
): i32 | null {
  return c.split(low, high) ? c.fields.at(6) : null;
}

/**
 * The row function that multiplies an integer of 64 bits by `c.factors`, each below 32768. Null where
 * the product does not fit.
 */
export function scaleTime(low: i32, high: i32, c: { factors: Table }): [i32, i32] | null {
  const isNegative = high < 0;
  const bottom = isNegative ? -low : low;
  const top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
  if (top < 0) return null;
  let limb0 = bottom & 0xffff;
  let limb1 = bottom >>> 16;
  let limb2 = top & 0xffff;
  let limb3 = top >>> 16;
  for (let i = 0; i < c.factors.size; i++) {
    const factor = c.factors.at(i);
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
}

/** The row function that makes microseconds of nanoseconds, rounded down. */
export function shrinkTime(low: i32, high: i32): [i32, i32] {
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
}

/** What `parseTime` uses. */
interface TimeParser {
  readonly read: Helper<(text: View) => i32>;
  readonly fields: Scratch;
  readonly factors: Table;
  readonly none: i32;
}

/** From days to seconds in two steps, then to milliseconds and microseconds. */
export const DAY_FACTORS: Int32Array = Int32Array.of(21600, 4, 1000, 1000);

/** The constants of `parseTime`, with the helper that reads the text. */
export function timeParserConsts(read: Helper<(text: View) => i32>): RowConsts {
  return { read, fields: timeFields, factors: DAY_FACTORS, none: NO_DAY };
}

/**
 * The row function that gives microseconds since 1970-01-01 of the text that `c.read` reads. Days are
 * counted from a day before the year 0 while limbs of 16 bits are multiplied, so that nothing is
 * negative.
 */
export function parseTime(text: View, c: TimeParser): [i32, i32] | null {
  const day = c.read(text);
  if (day === c.none) return null;
  let second = c.fields.at(5) * 3600 + (c.fields.at(4) - c.fields.at(7)) * 60 + c.fields.at(3);
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
    const factor = c.factors.at(i);
    const more = i === 1 ? second : i === 2 ? c.fields.at(2) : i === 3 ? c.fields.at(1) : 0;
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
}
