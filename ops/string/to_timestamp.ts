import { TimestampMicrosecond } from "apache-arrow";
import type { i32 } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type Overload, type StringOp } from "./define_string_op.ts";
import { problemOfStrict, STRICT, type StrictOption } from "./strict_option.ts";
import { DAY_FACTORS, parseTime, timeParserConsts } from "./time/parse_time.ts";
import { formatReader } from "./time/read_format.ts";
import { readIsoTime } from "./time/read_iso.ts";
import { scaleTime } from "./time/scale_time.ts";
import { shrinkTime } from "./time/shrink_time.ts";
import { problemOfReading } from "./time/time_format.ts";
import { timeUnitOf } from "./time/time_unit.ts";

const MEASURE = { kind: "measure", returns: "i64", gives: new TimestampMicrosecond() } as const;

/** Larger units times factors. */
function scaled(factors: Int32Array): Overload {
  return { ...MEASURE, subject: "i64", consts: { factors }, row: scaleTime };
}

/**
 * The time that the text is, as microseconds without a time zone: in ISO 8601 by default, as
 * `2001-03-14`, `2001-03-14T15:09` or `2001-03-14 15:09:26.535`, each with or without an offset, else by
 * a format as of `strptime`. With an offset the time is converted to UTC. Null for text that is not of
 * the format, and for days and times that there are not. Digits behind the microseconds are cut off.
 *
 * Of a date it is midnight, of a timestamp the same time in microseconds; null where that does not fit.
 *
 * Directives: `%Y` `%m` `%d` `%H` `%M` `%S` `%f` (microseconds) `%y` `%b` `%B` `%j` `%I` with `%p`,
 * `%z` `%Z` `%F` `%T` `%%`, as in `toDate`.
 *
 * With `strict` a text (or number) that would become null is a ConversionError that names its row.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("at").toTimestamp("%d %b %Y %H:%M"));
 * if (text !== 'at.toTimestamp("%d %b %Y %H:%M")') throw new Error(text);
 * ```
 */
export const toTimestamp: StringOp<
  [format?: string | null | StrictOption, options?: StrictOption]
> = defineStringOp({
  name: "toTimestamp",
  group: "convert",
  summary: "The time that a text is in ISO 8601 or by a format, in UTC; null where it is none",
  details:
    "The format is that of strptime: %Y %m %d %H %M %S %f %y %b %B %j %I %p %z %Z %F %T %%. " +
    "What is no directive stands for itself. The result has microseconds and no time zone; " +
    "further digits of a fraction are cut off, not rounded. " +
    "With strict: true, what would become null is an error that names the row.",
  differs: [
    "Python: blanks in a format stand for any white space, and a format need not tell the day",
    "Python: gives digits back, so that 120 by %m%d is month 1 and day 20; here it is null",
    "DuckDB: a cast to TIMESTAMP leaves an offset out, here the time is converted to UTC",
  ],
  args: { format: "literal", strict: "literal" },
  accepts: { format: "string", strict: "bool" },
  optional: ["format", "strict"],
  isStrict: STRICT.isStrict,
  examples: [
    { input: "2001-03-14T15:09:26.535", result: "2001-03-14T15:09:26.535" },
    { input: "2001-03-14T15:09:26.5359999", result: "2001-03-14T15:09:26.535999" },
    { input: "2001-03-14 15:09+02:00", result: "2001-03-14T13:09:00" },
    { input: "14 Mar 2001, 3:09 PM", args: ["%d %b %Y, %I:%M %p"], result: "2001-03-14T15:09:00" },
    { input: "2001-03-14T24:00", result: null },
  ],
  check: ({ format, strict }) => problemOfReading(format) ?? problemOfStrict(strict),
  choose({ format }, on, type) {
    if (on === "text") return format === undefined ? "iso" : "format";
    return format === undefined ? timeUnitOf(type) : undefined;
  },
  overloads: {
    iso: { ...MEASURE, consts: timeParserConsts(readIsoTime), row: parseTime },
    format: {
      ...MEASURE,
      consts: ({ format }) => timeParserConsts(formatReader(String(format))),
      row: parseTime,
    },
    day: scaled(DAY_FACTORS),
    s: scaled(Int32Array.of(1000, 1000)),
    ms: scaled(Int32Array.of(1000)),
    us: { ...MEASURE, subject: "i64", row: (low: i32, high: i32): [i32, i32] => [low, high] },
    ns: { ...MEASURE, subject: "i64", row: shrinkTime },
  },
});
