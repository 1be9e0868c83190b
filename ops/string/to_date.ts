import { DateDay } from "apache-arrow";
import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type Overload, type StringOp } from "./define_string_op.ts";
import { problemOfStrict, STRICT, type StrictOption } from "./strict_option.ts";
import { NO_DAY } from "./time/civil.ts";
import { formatReader } from "./time/read_format.ts";
import { readIsoDate } from "./time/read_iso.ts";
import { splitDay } from "./time/split_day.ts";
import { TIME_SPLITTERS } from "./time/split_time.ts";
import { timeFields } from "./time/time_fields.ts";
import { problemOfReading } from "./time/time_format.ts";
import { type TimeUnitName, timeUnitOf } from "./time/time_unit.ts";

/** The day of a column that counts in a unit. */
function dayOf(unit: TimeUnitName): Overload {
  return {
    kind: "measure",
    subject: "i64",
    gives: new DateDay(),
    consts: { split: TIME_SPLITTERS[unit], fields: timeFields },
    row: splitDay,
  };
}

/**
 * The date that the text is, by a format as of `strptime`: `%Y-%m-%d` by default. Null for text that is
 * not of the format and for days that the calendar does not have. A time in the format is read and
 * left out. Of a timestamp it is the day in UTC.
 *
 * Directives: `%Y` `%m` `%d` `%H` `%M` `%S` `%f` (microseconds) `%y` `%b` `%B` `%j` `%I` with `%p`,
 * `%z` `%Z` `%F` `%T` `%%`; anything else stands for itself. Numbers may lack zeros
 * in front, except for years; names are English, in any case. An unknown directive, and a format that
 * does not tell the day, is a RangeError.
 *
 * With `strict` a text (or number) that would become null is a ConversionError that names its row.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("born").toDate("%d.%m.%Y"));
 * if (text !== 'born.toDate("%d.%m.%Y")') throw new Error(text);
 * ```
 */
export const toDate: StringOp<
  [format?: string | null | StrictOption, options?: StrictOption]
> = defineStringOp({
  name: "toDate",
  group: "convert",
  summary: "The date that a text is by a format, or the day of a timestamp; null where it is none",
  details:
    "The format is that of strptime, %Y-%m-%d by default: %Y %m %d %H %M %S %f %y %b %B %j %I " +
    "%p %z %Z %F %T %%. What is no directive stands for itself. " +
    "With strict: true, what would become null is an error that names the row.",
  differs: [
    "Python: blanks in a format stand for any white space, and a format need not tell the day",
    "Python: gives digits back, so that 120 by %m%d is month 1 and day 20; here it is null",
  ],
  args: { format: "literal", strict: "literal" },
  accepts: { format: "string", strict: "bool" },
  optional: ["format", "strict"],
  isStrict: STRICT.isStrict,
  examples: [
    { input: "2001-03-14", result: "2001-03-14" },
    { input: "14.3.2001", args: ["%d.%m.%Y"], result: "2001-03-14" },
    { input: "2001-02-29", result: null },
  ],
  check: ({ format, strict }) => problemOfReading(format) ?? problemOfStrict(strict),
  choose({ format }, on, type) {
    if (on === "text") return format === undefined ? "iso" : "format";
    return format === undefined ? timeUnitOf(type) : undefined;
  },
  overloads: {
    iso: {
      kind: "measure",
      gives: new DateDay(),
      consts: { readIsoDate, none: NO_DAY },
      row(text: View, c: { readIsoDate: typeof readIsoDate; none: i32 }): i32 | null {
        if (text.size !== 10) return null;
        const day = c.readIsoDate(text);
        return day === c.none ? null : day;
      },
    },
    format: {
      kind: "measure",
      gives: new DateDay(),
      consts: ({ format }) => ({ read: formatReader(String(format)), none: NO_DAY }),
      row(text: View, c: { read: ReturnType<typeof formatReader>; none: i32 }): i32 | null {
        const day = c.read(text);
        return day === c.none ? null : day;
      },
    },
    day: dayOf("day"),
    s: dayOf("s"),
    ms: dayOf("ms"),
    us: dayOf("us"),
    ns: dayOf("ns"),
  },
});
