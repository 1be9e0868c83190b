/**
 * Defines the operation `toString`, which writes integers, floats, booleans and times as text.
 *
 * @module
 */

import { defineStringOp, overload, type StringOp } from "../define/define_string_op.ts";
import { timeUnitOf } from "../../time/time_units.ts";
import { ISO_DATE, isoTime, timestampWriters, timeWriter } from "../../time/write_time.ts";

/**
 * Writes a 64-bit integer in decimal digits. An integer of 32 bits is divided directly; a larger one
 * is split into five groups of four digits by long division of four limbs of 16 bits.
 */
function writeInteger(signed: 0 | 1) {
  return overload({
    kind: "emit",
    subject: "words",
    consts: { signed },
    row(out, low, high, { signed }) {
      const isNegative = signed === 1 && high < 0;
      if (isNegative) out.put(0x2d);
      const bottom = isNegative ? -low : low;
      const top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
      if (top === 0 && bottom >= 0) {
        let divisor = 1;
        while (bottom / divisor >= 10) divisor *= 10;
        for (; divisor > 0; divisor = divisor / 10) out.put(0x30 + (bottom / divisor) % 10);
        return;
      }
      let limb3 = top >>> 16;
      let limb2 = top & 0xffff;
      let limb1 = bottom >>> 16;
      let limb0 = bottom & 0xffff;
      let part0 = 0;
      let part1 = 0;
      let part2 = 0;
      let part3 = 0;
      for (let i = 0; i < 4; i++) {
        const from2 = ((limb3 % 10000) << 16) | limb2;
        const from1 = ((from2 % 10000) << 16) | limb1;
        const from0 = ((from1 % 10000) << 16) | limb0;
        limb3 = limb3 / 10000;
        limb2 = from2 / 10000;
        limb1 = from1 / 10000;
        limb0 = from0 / 10000;
        part3 = part2;
        part2 = part1;
        part1 = part0;
        part0 = from0 % 10000;
      }
      // What is left is the first part; the others follow in the order in which they were pushed.
      let isBegun = false;
      for (let i = 0; i < 5; i++) {
        const part = i === 0 ? limb0 : i === 1 ? part0 : i === 2 ? part1 : i === 3 ? part2 : part3;
        for (let divisor = 1000; divisor > 0; divisor = divisor / 10) {
          const digit = (part / divisor) % 10;
          if (digit !== 0) isBegun = true;
          if (isBegun) out.put(0x30 + digit);
        }
      }
    },
  });
}

/**
 * Writes a value as text. The host writes a float as the shortest decimal number that reads back as
 * the same float, with `.0` after a whole number. A fraction of a second has no trailing zeros. A
 * timestamp in a time zone is its local time with the offset, or with `Z` in UTC. A time whose days
 * take more than 32 bits is null.
 */
export const toString: StringOp<[]> = defineStringOp({
  name: "toString",
  group: "convert",
  summary: "A number, a boolean, a date or a timestamp as text",
  details: "A timestamp in a time zone is written as local time with its offset, as in " +
    "2001-03-14T16:09:26+01:00, or with Z in UTC.",
  differs: [
    "Python: writes an exponent from 1e16 on; JavaScript and Sluice do so from 1e21 on",
    "JavaScript: writes no .0 after a whole number",
  ],
  args: {},
  optional: [],
  examples: [
    { input: -120n, result: "-120" },
    { input: 0.1, result: "0.1" },
    { input: true, result: "true" },
  ],
  choose(_args, on, type) {
    switch (on) {
      case "text":
      case "bool":
      case "int":
      case "uint64":
      case "float":
        return on;
      case "date":
        return timeUnitOf(type) === "day" ? "day" : "msDate";
      case "timestamp":
        return timeUnitOf(type);
      default:
        return undefined;
    }
  },
  overloads: {
    text: overload({ kind: "view", row: (text) => text }),
    bool: overload({
      kind: "emit",
      subject: "bool",
      row(out, value) {
        if (value) {
          out.put(0x74);
          out.put(0x72);
          out.put(0x75);
        } else {
          out.put(0x66);
          out.put(0x61);
          out.put(0x6c);
          out.put(0x73);
        }
        out.put(0x65);
      },
    }),
    int: writeInteger(1),
    uint64: writeInteger(0),
    day: timeWriter("day", () => ISO_DATE),
    msDate: timeWriter("ms", () => ISO_DATE),
    ...timestampWriters(isoTime),
    float: overload({ kind: "emit", subject: "f64", row: (out, value) => out.putFloat(value) }),
  },
});
