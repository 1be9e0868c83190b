import { DataType } from "apache-arrow";
import { defineStringOp, type Overload, type StringOp } from "./define_string_op.ts";
import { problemOfWriting } from "./time/time_format.ts";
import { type TimeUnitName, timeUnitOf } from "./time/time_unit.ts";
import { stepsOf, writerConsts, writeTime } from "./time/write_time.ts";
import { toDate } from "./to_date.ts";
import { toTimestamp } from "./to_timestamp.ts";

function written(unit: TimeUnitName, isUtc: boolean): Overload {
  return {
    kind: "emit",
    subject: "i64",
    consts: ({ pattern }) => writerConsts(unit, stepsOf(String(pattern)), isUtc),
    row: writeTime,
  };
}

/**
 * A date or a timestamp as text, by a pattern as of `strftime`: `%Y` `%m` `%d` `%H` `%M` `%S` `%f`
 * (microseconds) `%y` `%b` `%B` `%j` `%I` `%p` `%z` `%Z` `%F` `%T` `%%`; anything else stands for
 * itself. The time of a date is midnight. What has a time zone is written in UTC, `%z` as `+0000` and
 * `%Z` as `UTC`; without one both are empty. An unknown directive is a RangeError.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("day").format("%d.%m.%Y"));
 * if (text !== 'day.format("%d.%m.%Y")') throw new Error(text);
 * ```
 */
export const format: StringOp<[pattern: string]> = defineStringOp({
  name: "format",
  group: "convert",
  summary: "A date or a timestamp as text, by a pattern as of strftime",
  details:
    "The pattern may have %Y %m %d %H %M %S %f %y %b %B %j %I %p %z %Z %F %T %%. What is no " +
    "directive stands for itself.",
  args: { pattern: "literal" },
  accepts: { pattern: "string" },
  optional: [],
  examples: [
    { input: "2001-03-14", via: toDate, args: ["%d %B %Y"], result: "14 March 2001" },
    {
      input: "2001-03-14T15:09",
      via: toTimestamp,
      args: ["%I:%M %p, day %j"],
      result: "03:09 PM, day 073",
    },
  ],
  check: ({ pattern }) => problemOfWriting(pattern),
  choose(_args, _on, type) {
    const unit = timeUnitOf(type);
    return DataType.isTimestamp(type) && type.timezone ? `${unit}UTC` : unit;
  },
  overloads: {
    day: written("day", false),
    s: written("s", false),
    ms: written("ms", false),
    us: written("us", false),
    ns: written("ns", false),
    sUTC: written("s", true),
    msUTC: written("ms", true),
    usUTC: written("us", true),
    nsUTC: written("ns", true),
  },
});
