/**
 * Defines the operation `format`, which writes dates, times and numbers as told.
 *
 * @module
 */

import {
  isNumberFormat,
  NUMBER_GRAMMAR,
  type NumberKind,
  otherFormatHint,
  parseNumberFormat,
} from "../../../base/number_format/number_format.ts";
import { isUtc } from "../../../streams/text/time_zones.ts";
import { isText } from "../../batch/arrow_types.ts";
import type { Receiver } from "../../syntax/receiver.ts";
import { knownZone } from "../../syntax/time_zone.ts";
import { problemOfWriting } from "../../time/time_format.ts";
import { timeUnitOf } from "../../time/time_units.ts";
import { stepsOf, timestampWriters, timeWriter } from "../../time/write_time.ts";
import {
  type CallArgs,
  defineStringOp,
  overload,
  type StringOp,
} from "../define/define_string_op.ts";
import { toDate, toTimestamp } from "./to_time.ts";

/** Returns the steps of the pattern. Throws a RangeError for `%Z` in a time zone other than UTC. */
function patternSteps({ pattern }: CallArgs, zone?: string): Int32Array {
  const steps = stepsOf(String(pattern));
  if (zone === undefined || isUtc(knownZone(zone)) || !steps.includes(-0x5a)) return steps;
  throw new RangeError(`%Z has no short name for ${zone}; %z writes its offset`);
}

/** The row functions by the class of their receiver, of those that are numbers. */
const NUMBERS = new Map<Receiver, NumberKind>([
  ["int", "integer"],
  ["uint64", "integer"],
  ["float", "float"],
]);

/** Writes a 64-bit integer by the pattern. */
function integerWriter(signed: 0 | 1) {
  return overload({
    kind: "emit",
    subject: "words",
    consts: ({ pattern }) => ({ pattern: String(pattern), signed }),
    row(out, low, high, { pattern, signed }) {
      out.putFormattedInteger(pattern, low, high, signed);
    },
  });
}

/** Returns the problem with a pattern that neither a time nor a number can have. */
function problemOf({ pattern }: CallArgs): string | undefined {
  const problem = problemOfWriting(pattern);
  if (problem === undefined || typeof pattern !== "string") return problem;
  if (isNumberFormat(pattern)) return undefined;
  const hint = otherFormatHint(pattern);
  return hint === undefined ? problem : `${JSON.stringify(pattern)} is no format${hint}`;
}

/**
 * Writes a date or a timestamp by a pattern. The time of a date is midnight. A timestamp in a time
 * zone is written in local time, with its offset for `%z`; `%Z` knows only `UTC`. Without a zone both
 * are empty. Writes a number by a format such as `.2f`.
 */
export const format: StringOp<[pattern: string]> = defineStringOp({
  name: "format",
  group: "convert",
  summary:
    "A number by a format such as .2f, or a date or timestamp by a strftime pattern, as text",
  details:
    `The format of a number is ${NUMBER_GRAMMAR}. The types are d for whole numbers; f and % ` +
    "with decimal places, e with an exponent, and g with either, 6 digits by default; x, b and o for " +
    "bases 16, 2 and 8 of whole numbers. Without a type a whole number is written by d, and a float with " +
    "its shortest digits. E, G and X have capital letters. The align is <, >, ^, or = for filling behind " +
    "the sign, and a 0 before the width fills with zeros. The sign is + or a blank for numbers from 0 " +
    "on. The stored number is rounded exactly, a tie to the even digit; % multiplies a float by 100 " +
    "first. Whole numbers keep all their digits in every type. " +
    "The pattern of a date or a timestamp may have %Y %m %d %H %M %S %f %y %b %B %j %I %p %z %Z %F %T " +
    "%%, and %a %A (the day " +
    "of the week), %u (its number), %e %k %l (day and hour with a blank for a zero), %G %V (year and " +
    "week of ISO 8601), %U (week from Sunday), %s (seconds since 1970 in UTC). Any other " +
    "character stands for itself. Names are English. A timestamp in a time zone is written in local time, its " +
    "offset by %z; %Z knows only UTC, and both are empty where there is no zone.",
  differs: [
    "Python: an int becomes a float for the types e, f, g and %",
    "JavaScript: toFixed() rounds a tie away from 0",
  ],
  args: { pattern: "literal" },
  accepts: { pattern: "string" },
  optional: [],
  examples: [
    { input: 1234567.5, args: [",.2f"], result: "1,234,567.50" },
    { input: 42n, args: ["06d"], result: "000042" },
    { input: 0.256, args: [".1%"], result: "25.6%" },
    { input: "2001-03-14", via: toDate, args: ["%d %B %Y"], result: "14 March 2001" },
    {
      input: "2001-03-14T15:09",
      via: toTimestamp,
      args: ["%I:%M %p, day %j"],
      result: "03:09 PM, day 073",
    },
  ],
  check: problemOf,
  instead: (type) =>
    isText(type)
      ? "toFloat() or toInteger() makes it a number, toDate() or toTimestamp() a time"
      : undefined,
  choose({ pattern }, on, type) {
    const kind = NUMBERS.get(on);
    if (kind === undefined) {
      const unit = timeUnitOf(type);
      if (unit === undefined || pattern === "" || !isNumberFormat(String(pattern))) return unit;
      throw new RangeError(
        `${JSON.stringify(pattern)} is for numbers; a date or a timestamp is written by "%Y-%m-%d"`,
      );
    }
    parseNumberFormat(String(pattern), kind);
    return on;
  },
  overloads: {
    day: timeWriter("day", patternSteps),
    ...timestampWriters(patternSteps),
    int: integerWriter(1),
    uint64: integerWriter(0),
    float: overload({
      kind: "emit",
      subject: "f64",
      consts: ({ pattern }) => ({ pattern: String(pattern) }),
      row: (out, value, { pattern }) => out.putFormatted(pattern, value),
    }),
  },
});
