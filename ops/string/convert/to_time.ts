/**
 * Defines the operations `toDate` and `toTimestamp`.
 *
 * @module
 */

import { DataType, DateDay } from "apache-arrow";
import type { Receiver } from "../../syntax/receiver.ts";
import { isElsewhere, zoneNameOf } from "../../syntax/time_zone.ts";
import { problemOfStrict, STRICT, type StrictOption } from "./conversion.ts";
import {
  type CallArgs,
  defineStringOp,
  overload,
  type StringOp,
} from "../define/define_string_op.ts";
import { NO_DAY, timeFields } from "../../time/calendar.ts";
import { formatReader } from "../../time/read_format.ts";
import { readIsoDate, readIsoTime } from "../../time/read_iso.ts";
import { problemOfReading } from "../../time/time_format.ts";
import { TIME_SPLITTERS, type TimeUnitName, timeUnitOf } from "../../time/time_units.ts";
import { fromText, fromUnits } from "../../time/to_microseconds.ts";
import { localFields, NO_OFFSET } from "../../time/zone.ts";

/** The arguments that `toDate` and `toTimestamp` share. */
const BY_FORMAT = {
  args: { format: "literal", strict: "literal" },
  accepts: { format: "string", strict: "bool" },
  optional: ["format", "strict"],
  isStrict: STRICT.isStrict,
  check: ({ format, strict }: CallArgs) => problemOfReading(format) ?? problemOfStrict(strict),
  choose({ format }: CallArgs, on: Receiver, type: DataType) {
    if (on === "text") return format === undefined ? "iso" : "format";
    return format === undefined ? timeUnitOf(type) : undefined;
  },
} as const;

/** The differences between these formats and Python's. */
const STRPTIME = [
  "Python: a blank in a format matches any white space, and a format need not include the day",
  "Python: backtracks, so that 120 by %m%d is month 1 and day 20; here it is null",
];

/** Returns the local day of a count in a unit; null if the day takes more than 32 bits. */
function dayOf(unit: TimeUnitName) {
  return overload({
    kind: "measure",
    subject: "words",
    gives: new DateDay(),
    consts: (_args, zone) => ({
      split: TIME_SPLITTERS[unit],
      fields: timeFields,
      toLocal: localFields(zone),
      none: NO_OFFSET,
    }),
    row(low, high, { split, fields, toLocal, none }) {
      if (!split(low, high)) return null;
      return toLocal() === none ? null : fields.at(6);
    },
  });
}

/**
 * Reads a date. Numbers other than years may lack leading zeros; names are English, in any case. A
 * time in the format is read and dropped. A timestamp in a time zone becomes its local day.
 */
export const toDate: StringOp<
  [format?: string | null | StrictOption, options?: StrictOption]
> = defineStringOp({
  name: "toDate",
  group: "convert",
  summary: "The date in a text, read by a format, or the day of a timestamp; null for other text",
  details:
    "The format is that of strptime, %Y-%m-%d by default: %Y %m %d %H %M %S %f %y %b %B %a %A %j %I " +
    "%p %z %Z %F %T %%. Any other character stands for itself. A timestamp in a time zone has " +
    `the day of its local time. ${STRICT.details}`,
  differs: STRPTIME,
  ...BY_FORMAT,
  instead: (type) =>
    DataType.isInt(type) ? 'cast("date32") takes it as days since 1970-01-01' : undefined,
  examples: [
    { input: "2001-03-14", result: "2001-03-14" },
    { input: "14.3.2001", args: ["%d.%m.%Y"], result: "2001-03-14" },
    { input: "2001-02-29", result: null },
  ],
  overloads: {
    iso: overload({
      kind: "measure",
      gives: new DateDay(),
      consts: { readIsoDate, fields: timeFields, none: NO_DAY },
      row(text, { readIsoDate, fields, none }) {
        const day = readIsoDate(text);
        return day === none || text.size !== fields.at(9) ? null : day;
      },
    }),
    format: overload({
      kind: "measure",
      gives: new DateDay(),
      consts: ({ format }) => ({ read: formatReader(String(format)), none: NO_DAY }),
      row(text, { read, none }) {
        const day = read(text);
        return day === none ? null : day;
      },
    }),
    day: dayOf("day"),
    s: dayOf("s"),
    ms: dayOf("ms"),
    us: dayOf("us"),
    ns: dayOf("ns"),
  },
});

/**
 * Reads a timestamp. Without a format it takes ISO 8601: `2001-03-14`, `2001-03-14T15:09` and
 * `2001-03-14 15:09:26.535`; a time may have an offset. A date becomes midnight. Null where the
 * microseconds do not fit.
 */
export const toTimestamp: StringOp<
  [format?: string | null | StrictOption, options?: StrictOption]
> = defineStringOp({
  name: "toTimestamp",
  group: "convert",
  summary: "The time in a text, read as ISO 8601 or by a format, in UTC; null for other text",
  details:
    "The format is that of strptime: %Y %m %d %H %M %S %f %y %b %B %a %A %j %I %p %z %Z %F %T %%. " +
    "Any other character stands for itself. The result has microseconds and no time zone; " +
    "further digits of a fraction are cut off, not rounded. A timestamp in a time zone other than " +
    "UTC is not taken: cast() says whether its local time or the instant is meant. " +
    STRICT.details,
  differs: [
    ...STRPTIME,
    "DuckDB: a cast to TIMESTAMP ignores an offset; here the time is converted to UTC",
  ],
  ...BY_FORMAT,
  instead: (type) =>
    DataType.isInt(type)
      ? 'cast("timestamp[s]") takes it as seconds since 1970-01-01 (UTC), and so on for ms, us and ns'
      : undefined,
  choose(args: CallArgs, on: Receiver, type: DataType) {
    if (isElsewhere(type)) {
      throw new RangeError(
        `a timestamp in ${zoneNameOf(type)} is cast("timestamp[us]") for its local ` +
          'time, and cast("timestamp[us, UTC]").toTimestamp() for its time in UTC',
      );
    }
    return BY_FORMAT.choose(args, on, type);
  },
  examples: [
    { input: "2001-03-14T15:09:26.535", result: "2001-03-14T15:09:26.535" },
    { input: "2001-03-14T15:09:26.5359999", result: "2001-03-14T15:09:26.535999" },
    { input: "2001-03-14 15:09+02:00", result: "2001-03-14T13:09:00" },
    { input: "14 Mar 2001, 3:09 PM", args: ["%d %b %Y, %I:%M %p"], result: "2001-03-14T15:09:00" },
    { input: "2001-03-14T24:00", result: null },
  ],
  overloads: {
    iso: fromText(() => readIsoTime),
    format: fromText(({ format }) => formatReader(String(format))),
    ...fromUnits,
  },
});
