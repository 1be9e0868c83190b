/**
 * Converts between the instants of a time zone and its local time.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32, View } from "../../gpu/kernel/language/row_function.ts";
import { type Overload, overload } from "../string/define/define_string_op.ts";
import { NO_DAY, timeFields } from "./calendar.ts";
import { readIsoTime } from "./read_iso.ts";
import { unitFactors } from "./scale_time.ts";
import { TIME_SPLITTERS, type TimeUnitName } from "./time_units.ts";
import { fieldsOffset, localFieldsOffset, NO_OFFSET } from "./zone.ts";

/**
 * Creates the helper that reads a time in ISO 8601 as `readIsoTime` does. A time without an offset is
 * local time of the zone; where the zone skips or repeats it, the helper returns NO_DAY.
 */
export function readLocalTime(zone = "UTC"): Helper<(text: View) => i32> {
  return defineHelper({
    args: ["string"],
    returns: "i32",
    consts: {
      readIsoTime,
      offsetOf: localFieldsOffset(zone),
      fields: timeFields,
      noOffset: NO_OFFSET,
      none: NO_DAY,
    },
    row(text, { readIsoTime, offsetOf, fields, noOffset, none }) {
      const day = readIsoTime(text);
      if (day === none) return none;
      // Behind the day, only an offset has a sign or a Z.
      for (let at = fields.at(9) + 1; at < text.size; at++) {
        const byte = text.byteAt(at);
        if (byte === 0x2b || byte === 0x2d || (byte | 0x20) === 0x7a) return day;
      }
      fields.set(6, day);
      const offset = offsetOf();
      if (offset === noOffset) return none;
      fields.set(7, offset);
      return day;
    },
  });
}

/**
 * Creates the row function from instants to local time, or back, both as counts of a unit. Null where
 * the result does not fit into 64 bits, and for a local time that the zone skips or repeats.
 */
export function moveClock(
  unit: Exclude<TimeUnitName, "day">,
  way: "to local" | "from local",
): Overload {
  const isBack = way === "from local";
  const factors = unitFactors("s", unit);
  return overload({
    kind: "measure",
    subject: "words",
    returns: "words",
    consts: (_args, zone = "UTC") => ({
      split: TIME_SPLITTERS[unit],
      offsetOf: isBack ? localFieldsOffset(zone) : fieldsOffset(zone),
      factors: Int32Array.from(factors),
      sign: isBack ? -1 : 1,
      none: NO_OFFSET,
    }),
    row(low, high, { split, offsetOf, factors, sign, none }) {
      if (!split(low, high)) return null;
      const offset = offsetOf();
      if (offset === none) return null;
      // The offset in the unit, as limbs of 16 bits.
      const size = offset < 0 ? -offset : offset;
      let limb0 = size & 0xffff;
      let limb1 = size >>> 16;
      let limb2 = 0;
      for (let i = 0; i < factors.size; i++) {
        const by = factors.at(i);
        limb0 = limb0 * by;
        limb1 = limb1 * by + (limb0 >>> 16);
        limb2 = limb2 * by + (limb1 >>> 16);
        limb0 &= 0xffff;
        limb1 &= 0xffff;
      }
      const by = offset < 0 ? -sign : sign;
      const sum0 = (low & 0xffff) + by * limb0;
      const sum1 = (low >>> 16) + by * limb1 + (sum0 >> 16);
      const sum2 = (high & 0xffff) + by * limb2 + (sum1 >> 16);
      const sum3 = (high >> 16) + (sum2 >> 16);
      if (sum3 > 0x7fff || sum3 < -0x8000) return null;
      return [(sum0 & 0xffff) | (sum1 << 16), (sum2 & 0xffff) | (sum3 << 16)];
    },
  });
}
