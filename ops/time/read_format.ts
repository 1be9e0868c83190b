/**
 * Compiles a `strptime` format to a table, and reads times by it.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32, View } from "../../gpu/kernel/language/row_function.ts";
import { DATE_NAMES, daysOfCivil, NO_DAY, timeFields } from "./calendar.ts";
import { weekdayOfDay } from "./civil.ts";
import { readOffset } from "./read_iso.ts";
import { piecesOf } from "./time_format.ts";

/** The rules for reading numbers: the field, the least and most digits, the least and greatest value. */
const NUMBERS: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  Y: [8, 4, 4, 0, 9999],
  m: [9, 1, 2, 1, 12],
  d: [10, 1, 2, 1, 31],
  j: [11, 1, 3, 1, 366],
  H: [5, 1, 2, 0, 23],
  I: [5, 1, 2, 1, 12],
  M: [4, 1, 2, 0, 59],
  S: [3, 1, 2, 0, 59],
  y: [8, 2, 2, 0, 99],
};

/** The directives that are not numbers; a step's kind is its position here plus 3. */
const STEP_KINDS = "b B p z Z f a A".split(" ");

/** Compiles a format to steps of six entries each: the kind, then its parameters. */
function stepsOf(format: string): Int32Array {
  return Int32Array.from(
    piecesOf(format).flatMap((piece) => {
      if ("char" in piece) return [0, piece.char, 0, 0, 0, 0];
      const number = NUMBERS[piece.directive];
      if (number === undefined) return [3 + STEP_KINDS.indexOf(piece.directive), 0, 0, 0, 0, 0];
      return [piece.directive === "y" ? 2 : 1, ...number];
    }),
  );
}

/**
 * Creates the helper that reads text by a format. It returns the day, or NO_DAY where the text does
 * not match the format, and leaves the time and the offset in `timeFields`.
 */
export function formatReader(format: string): Helper<(text: View) => i32> {
  return defineHelper({
    args: ["string"],
    returns: "i32",
    consts: {
      steps: stepsOf(format),
      names: DATE_NAMES,
      fields: timeFields,
      none: NO_DAY,
      daysOfCivil,
      readOffset,
      weekdayOfDay,
    },
    row(text, { steps, names, fields, none, daysOfCivil, readOffset, weekdayOfDay }) {
      for (let i = 0; i < 14; i++) fields.set(i, 0);
      let at = 0;
      for (let step = 0; step < steps.size; step += 6) {
        const kind = steps.at(step);
        const field = steps.at(step + 1);
        if (kind === 0) {
          if (at >= text.size || text.charAt(at) !== field) return none;
          at = text.next(at);
        } else if (kind <= 2) {
          const most = steps.at(step + 5);
          let value = 0;
          let digits = 0;
          while (digits < steps.at(step + 3)) {
            const digit = text.byteAt(at) - 0x30;
            // A digit that would lead out of the range belongs to what follows.
            if (digit < 0 || digit > 9 || (digits > 0 && value * 10 + digit > most)) break;
            value = value * 10 + digit;
            digits++;
            at++;
          }
          if (digits < steps.at(step + 2)) return none;
          if (value < steps.at(step + 4) || value > most) return none;
          if (kind === 2) value += value < 69 ? 2000 : 1900;
          fields.set(field, value);
        } else if (kind <= 4 || kind >= 9) {
          // The names of the days come behind the twelve of the months.
          const first = kind >= 9 ? 12 : 0;
          const end = kind >= 9 ? 19 : 12;
          const isShort = kind === 3 || kind === 9;
          let found = 0;
          let size = 0;
          for (let i = first; i < end && found === 0; i++) {
            size = 0;
            while (names.at(i * 9 + size) !== 0 && size < (isShort ? 3 : 9)) {
              if ((text.byteAt(at + size) | 0x20) !== names.at(i * 9 + size)) break;
              size++;
            }
            const isWhole = isShort ? size === 3 : size === 9 || names.at(i * 9 + size) === 0;
            if (isWhole) found = i + 1 - first;
          }
          if (found === 0) return none;
          fields.set(kind >= 9 ? 13 : 9, found);
          at += size;
        } else if (kind === 5) {
          const half = text.byteAt(at) | 0x20;
          if ((half !== 0x61 && half !== 0x70) || (text.byteAt(at + 1) | 0x20) !== 0x6d) {
            return none;
          }
          fields.set(12, half === 0x61 ? 1 : 2);
          at += 2;
        } else if (kind === 6) {
          const end = readOffset(text, at, false);
          if (end < 0) return none;
          at = end;
        } else if (kind === 7) {
          const a = text.byteAt(at) | 0x20;
          const b = text.byteAt(at + 1) | 0x20;
          const d = text.byteAt(at + 2) | 0x20;
          const isUtc = a === 0x75 && b === 0x74 && d === 0x63;
          if (!isUtc && (a !== 0x67 || b !== 0x6d || d !== 0x74)) return none;
          at += 3;
        } else {
          let micros = 0;
          let digits = 0;
          for (; digits < 6; digits++) {
            const digit = text.byteAt(at) - 0x30;
            const isDigit = digit >= 0 && digit <= 9;
            if (!isDigit && digits === 0) return none;
            micros = micros * 10 + (isDigit ? digit : 0);
            if (isDigit) at++;
          }
          fields.set(1, micros % 1000);
          fields.set(2, micros / 1000);
        }
      }
      if (at !== text.size) return none;
      const half = fields.at(12);
      if (half !== 0) fields.set(5, fields.at(5) % 12 + (half === 2 ? 12 : 0));
      const year = fields.at(8);
      const dayOfYear = fields.at(11);
      // In a year without a leap day the last one does not exist.
      if (dayOfYear === 366 && daysOfCivil(year, 2, 29) === none) return none;
      const date = dayOfYear === 0
        ? daysOfCivil(year, fields.at(9), fields.at(10))
        : daysOfCivil(year, 1, 1) + dayOfYear - 1;
      const weekday = fields.at(13);
      return weekday === 0 || date === none || weekdayOfDay(date) === weekday ? date : none;
    },
  });
}
