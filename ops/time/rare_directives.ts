/**
 * Writes the directives of formats that most formats lack: names of days, weeks, blanks for zeros, and
 * seconds since 1970.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Helper, i32, Sink } from "../../gpu/kernel/language/row_function.ts";
import { DATE_NAMES, timeFields } from "./calendar.ts";
import { dayOfMonth, dayOfYearOf, isoYearOfDay, weekdayOfDay, weekOfDay } from "./civil.ts";

const { toI32, toI64 } = numeric;

/** Writes an integer. */
const putNumber = defineHelper({
  args: ["sink", "i64", "i64"],
  consts: { toI32 },
  row(out, value, least, { toI32 }) {
    const size = value < 0n ? -value : value;
    if (value < 0n) out.put(0x2d);
    let divisor = least;
    while (size / divisor >= 10n) divisor = divisor * 10n;
    for (; divisor > 0n; divisor = divisor / 10n) out.put(0x30 + toI32(size / divisor % 10n));
  },
});

/** Writes a number below 100, with a blank for a first digit 0. */
const putPadded = defineHelper({
  args: ["sink", "i32"],
  row(out, value) {
    out.put(value < 10 ? 0x20 : 0x30 + value / 10);
    out.put(0x30 + value % 10);
  },
});

/** Writes what one of the rare directives stands for, on a local day at an offset from UTC. */
type RareWriter = Helper<(out: Sink, code: i32, days: i32, offset: i32) => void>;

const putRare: RareWriter = defineHelper({
  args: ["sink", "i32", "i32", "i32"],
  consts: {
    ...{ putNumber, putPadded, names: DATE_NAMES, fields: timeFields, toI64 },
    ...{ dayOfMonth, dayOfYearOf, isoYearOfDay, weekdayOfDay, weekOfDay },
  },
  row(out, code, days, offset, given) {
    const weekday = given.weekdayOfDay(days);
    const hour = given.fields.at(5);
    if (code === -0x61 || code === -0x41) {
      const most = code === -0x61 ? 3 : 9;
      for (let i = 0; i < most; i++) {
        const letter = given.names.at((weekday + 11) * 9 + i);
        if (letter === 0) break;
        out.put(i === 0 ? letter - 0x20 : letter);
      }
    } else if (code === -0x65) given.putPadded(out, given.dayOfMonth(days));
    else if (code === -0x6b) given.putPadded(out, hour);
    else if (code === -0x6c) given.putPadded(out, (hour + 11) % 12 + 1);
    else if (code === -0x47) given.putNumber(out, given.toI64(given.isoYearOfDay(days)), 1000n);
    else if (code === -0x56) given.putNumber(out, given.toI64(given.weekOfDay(days)), 10n);
    else if (code === -0x75) out.put(0x30 + weekday);
    else if (code === -0x55) {
      given.putNumber(out, given.toI64((given.dayOfYearOf(days) + 6 - weekday % 7) / 7), 10n);
    } else if (code === -0x73) {
      const second = hour * 3600 + given.fields.at(4) * 60 + given.fields.at(3) - offset;
      given.putNumber(out, given.toI64(days) * 86400n + given.toI64(second), 1n);
    }
  },
});

const putNothing: RareWriter = defineHelper({
  args: ["sink", "i32", "i32", "i32"],
  row(_out, _code, _days, _offset) {},
});

const RARE = [..."aAekGVuUls"].map((letter) => -letter.charCodeAt(0));

/** Returns the helper for the rare directives; for a format without them one that writes nothing. */
export function rareWriter(steps: Int32Array): RareWriter {
  return RARE.some((code) => steps.includes(code)) ? putRare : putNothing;
}
