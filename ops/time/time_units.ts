/**
 * The units of dates and times, and the helpers that split a count into days and seconds.
 *
 * @module
 */

import { timeUnitNames } from "../../base/time_text.ts";
import { DataType } from "apache-arrow";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32 } from "../../gpu/kernel/language/row_function.ts";
import { timeFields } from "./calendar.ts";

/** The unit that a column of dates or timestamps counts in. */
export type TimeUnitName = "day" | typeof timeUnitNames[number];

/** Returns the unit of a type of dates or timestamps; undefined for other types. */
export function timeUnitOf(type: DataType): TimeUnitName | undefined {
  if (DataType.isDate(type)) return type.unit === 0 ? "day" : "ms";
  return DataType.isTimestamp(type) ? timeUnitNames[type.unit] : undefined;
}

/** The divisors that yield the parts of a day, smallest first; `FIRST` is where each unit begins. */
const DIVISORS = [1000, 1000, 1000, 60, 60, 24];
const FIRST: Readonly<Record<TimeUnitName, number>> = { ns: 0, us: 1, ms: 2, s: 3, day: 6 };

/** Splits a count since 1970-01-01 into days and parts of a day; false if the days overflow. */
type TimeSplitter = Helper<(low: i32, high: i32) => boolean>;

/**
 * Creates the helper that splits a time in `unit` into parts and leaves them in `timeFields`. It
 * divides four limbs of 16 bits and rounds down, so that the parts of a day are never negative.
 */
function timeSplitter(unit: TimeUnitName): TimeSplitter {
  const first = FIRST[unit];
  return defineHelper({
    args: ["i32", "i32"],
    returns: "bool",
    consts: { divisors: Int32Array.from(DIVISORS.slice(first)), first, fields: timeFields },
    row(low, high, { divisors, first, fields }) {
      for (let i = 0; i < first; i++) fields.set(i, 0);
      // The quotient of ~x is ~q, and its remainder counts down from the greatest.
      const mask = high >> 31;
      let limb0 = (low ^ mask) & 0xffff;
      let limb1 = (low ^ mask) >>> 16;
      let limb2 = (high ^ mask) & 0xffff;
      let limb3 = (high ^ mask) >>> 16;
      for (let i = 0; i < divisors.size; i++) {
        const by = divisors.at(i);
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
        fields.set(first + i, mask === 0 ? rest : by - 1 - rest);
      }
      fields.set(6, (limb0 | (limb1 << 16)) ^ mask);
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
