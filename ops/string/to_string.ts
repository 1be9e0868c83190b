import type { f64, i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { DataType } from "apache-arrow";
import { defineStringOp, type Overload, type StringOp } from "./define_string_op.ts";
import { type TimeUnitName, timeUnitOf } from "./time/time_units.ts";
import { isoSteps, writerConsts, writeTime } from "./time/write_time.ts";

/** Dates and times in ISO form. */
function written(unit: TimeUnitName, { isDate = false, isUtc = false } = {}): Overload {
  const consts = writerConsts(unit, isoSteps(isDate, isUtc), isUtc);
  return { kind: "emit", subject: "i64", consts, row: writeTime };
}

/**
 * A float is the shortest decimal number that reads back as the same float, which the host writes, with
 * `.0` behind a whole number; a time has no zeros at the end of its fraction, and a `Z` in a time zone.
 * A day that takes more than 32 bits is null.
 */
export const toString: StringOp<[]> = defineStringOp({
  name: "toString",
  group: "convert",
  summary: "A number, a boolean, a date or a timestamp as text",
  differs: [
    "Python: writes an exponent from 1e16 on, JavaScript and this from 1e21 on",
    "JavaScript: writes no .0 behind a whole number",
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
      case "timestamp": {
        const isUtc = DataType.isTimestamp(type) && type.timezone;
        return `${timeUnitOf(type)}${isUtc ? "UTC" : ""}`;
      }
      default:
        return undefined;
    }
  },
  overloads: {
    text: { kind: "view", row: (text: View): View => text },
    bool: {
      kind: "emit",
      subject: "bool",
      row(out: Sink, value: boolean) {
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
    },
    int: { kind: "emit", subject: "i64", consts: { signed: 1 }, row: writeInteger },
    uint64: { kind: "emit", subject: "i64", consts: { signed: 0 }, row: writeInteger },
    day: written("day", { isDate: true }),
    msDate: written("ms", { isDate: true }),
    s: written("s"),
    ms: written("ms"),
    us: written("us"),
    ns: written("ns"),
    sUTC: written("s", { isUtc: true }),
    msUTC: written("ms", { isUtc: true }),
    usUTC: written("us", { isUtc: true }),
    nsUTC: written("ns", { isUtc: true }),
    float: { kind: "emit", subject: "f64", row: (out: Sink, value: f64) => out.putFloat(value) },
  },
});

/**
 * The row function that writes an integer of 64 bits in decimal digits. `c.signed` is 1 or 0.
 *
 * What fits into 32 bits is divided as it is; the rest is cut into five parts of four digits, by
 * long division of four limbs of 16 bits.
 */
function writeInteger(out: Sink, low: i32, high: i32, c: { signed: i32 }) {
  const isNegative = c.signed === 1 && high < 0;
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
}
