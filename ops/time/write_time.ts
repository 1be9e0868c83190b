/**
 * Row functions that write dates and times as text.
 *
 * @module
 */

import { type CallArgs, type Overload, overload } from "../string/define/define_string_op.ts";
import { timeUnitNames } from "../../base/time_text.ts";
import { DATE_NAMES, timeFields } from "./calendar.ts";
import { rareWriter } from "./rare_directives.ts";
import { piecesOf } from "./time_format.ts";
import { TIME_SPLITTERS, type TimeUnitName } from "./time_units.ts";
import { localFields, NO_OFFSET } from "./zone.ts";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { isUtc } from "../../streams/text/time_zones.ts";
import { knownZone } from "../syntax/time_zone.ts";

/** The directive for a point and the fraction of a second, without trailing zeros; empty for zero. */
const FRACTION = ".";

/** The directive for an offset with a colon: `+01:00`. */
const OFFSET = ":";

/** Compiles a format: a code point stands for itself, a negative one for a directive's letter. */
export function stepsOf(format: string): Int32Array {
  return Int32Array.from(
    piecesOf(format),
    (piece) => "char" in piece ? piece.char : -piece.directive.charCodeAt(0),
  );
}

/** The steps that write `2001-03-14`. */
export const ISO_DATE: Int32Array = stepsOf("%F");

/** Returns the steps that write `2001-03-14T15:09:26.535`, then in a time zone `+01:00`, in UTC `Z`. */
export function isoTime(_args: CallArgs, zone?: string): Int32Array {
  const steps = [...stepsOf("%FT%T"), -FRACTION.charCodeAt(0)];
  if (zone === undefined) return Int32Array.from(steps);
  const behind = isUtc(knownZone(zone)) ? [...stepsOf("Z")] : [-OFFSET.charCodeAt(0)];
  return Int32Array.from([...steps, ...behind]);
}

/** The steps that write `15:09:26.535`. */
export const ISO_CLOCK: Int32Array = Int32Array.of(...stepsOf("%T"), -FRACTION.charCodeAt(0));

/** Returns the output format for the arguments of a call and the time zone of the timestamps, if any. */
type Steps = (args: CallArgs, zone?: string) => Int32Array;

/** Creates the writers of timestamps, one for each unit; with a time zone they write local time. */
export function timestampWriters(steps: Steps): Readonly<Record<string, Overload>> {
  return Object.fromEntries(timeUnitNames.map((unit) => [unit, timeWriter(unit, steps)]));
}

/** Writes an offset in seconds as `+0100` or `+01:00`, with seconds where it has any. */
const putOffset = defineHelper({
  args: ["sink", "i32", "bool"],
  row(out, offset, hasColons) {
    const size = offset < 0 ? -offset : offset;
    out.put(offset < 0 ? 0x2d : 0x2b);
    out.put(0x30 + size / 36000);
    out.put(0x30 + (size / 3600) % 10);
    if (hasColons) out.put(0x3a);
    out.put(0x30 + (size / 600) % 6);
    out.put(0x30 + (size / 60) % 10);
    if (size % 60 !== 0) {
      if (hasColons) out.put(0x3a);
      out.put(0x30 + (size / 10) % 6);
      out.put(0x30 + size % 10);
    }
  },
});

/**
 * Creates the row function that writes a date or a time; null if its days take more than 32 bits.
 * The calendar is the algorithm of H. Hinnant, "chrono-compatible low-level date algorithms".
 */
export function timeWriter(unit: TimeUnitName, steps: Steps): Overload {
  return overload({
    kind: "emit",
    subject: "words",
    consts: (args, zone) => ({
      split: TIME_SPLITTERS[unit],
      steps: steps(args, zone),
      names: DATE_NAMES,
      fields: timeFields,
      // UTC needs no lookup.
      toLocal: localFields(zone === undefined || isUtc(knownZone(zone)) ? undefined : zone),
      zoned: zone === undefined ? 0 : 1,
      none: NO_OFFSET,
      putOffset,
      putRare: rareWriter(steps(args, zone)),
    }),
    row(out, low, high, { split, steps, names, fields, toLocal, zoned, none, putOffset, putRare }) {
      if (!split(low, high)) return null;
      const offset = toLocal();
      if (offset === none) return null;
      const days = fields.at(6);
      // Eras of 400 years from 1970-01-01 on; the remainder is moved to one that begins in March.
      const down = days < 0 ? ~(~days / 146097) : days / 146097;
      const moved = days - down * 146097 + 135080;
      const era = moved >= 146097 ? 5 : 4;
      const dayOfEra = moved >= 146097 ? moved - 146097 : moved;
      const yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
      const fromMarch = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
      const shifted = (5 * fromMarch + 2) / 153;
      const day = fromMarch - (153 * shifted + 2) / 5 + 1;
      const month = shifted < 10 ? shifted + 3 : shifted - 9;
      const year = yearOfEra + (down + era) * 400 + (month <= 2 ? 1 : 0);
      const hour = fields.at(5);
      for (let step = 0; step < steps.size; step++) {
        const code = steps.at(step);
        if (code >= 0) {
          out.put(code);
          continue;
        }
        let value = -1;
        let divisor = 10;
        if (code === -0x59) {
          if (year < 0) out.put(0x2d);
          value = year < 0 ? -year : year;
          divisor = 1000;
        } else if (code === -0x6d) value = month;
        else if (code === -0x64) value = day;
        else if (code === -0x48) value = hour;
        else if (code === -0x4d) value = fields.at(4);
        else if (code === -0x53) value = fields.at(3);
        else if (code === -0x79) value = (year % 100 + 100) % 100;
        else if (code === -0x49) value = (hour + 11) % 12 + 1;
        else if (code === -0x66) {
          value = fields.at(2) * 1000 + fields.at(1);
          divisor = 100000;
        } else if (code === -0x6a) {
          const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
          value = fromMarch >= 306 ? fromMarch - 305 : fromMarch + (isLeap ? 61 : 60);
          divisor = 100;
        } else if (code === -0x70) {
          out.put(hour < 12 ? 0x41 : 0x50);
          out.put(0x4d);
        } else if (code === -0x62 || code === -0x42) {
          const most = code === -0x62 ? 3 : 9;
          for (let i = 0; i < most; i++) {
            const letter = names.at((month - 1) * 9 + i);
            if (letter === 0) break;
            out.put(i === 0 ? letter - 0x20 : letter);
          }
        } else if ((code === -0x7a || code === -0x3a) && zoned === 1) {
          putOffset(out, offset, code === -0x3a);
        } else if (code === -0x5a && zoned === 1) {
          out.put(0x55);
          out.put(0x54);
          out.put(0x43);
        } else if (code === -0x2e) {
          value = (fields.at(2) * 1000 + fields.at(1)) * 1000 + fields.at(0);
          if (value === 0) continue;
          out.put(0x2e);
          for (; value > 0; value = (value % 100000000) * 10) out.put(0x30 + value / 100000000);
          continue;
        } else putRare(out, code, days, offset);
        if (value < 0) continue;
        // Most numbers have two digits, and dividing by a constant is much faster.
        if (divisor === 10 || (divisor === 1000 && value < 10000)) {
          if (divisor === 1000) {
            out.put(0x30 + value / 1000);
            out.put(0x30 + (value / 100) % 10);
          }
          out.put(0x30 + (value / 10) % 10);
          out.put(0x30 + value % 10);
          continue;
        }
        while (value / divisor >= 10) divisor *= 10;
        for (; divisor > 0; divisor = divisor / 10) out.put(0x30 + (value / divisor) % 10);
      }
    },
  });
}
