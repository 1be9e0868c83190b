/**
 * Arrow types by name: as `typeName` and `sluice schema` write them, `timestamp[s, UTC]`, and with the
 * unit spelt out, `timestamp<second, UTC>`.
 *
 * @module
 */

import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  DurationMicrosecond,
  DurationMillisecond,
  DurationNanosecond,
  DurationSecond,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  TimeMicrosecond,
  TimeMillisecond,
  TimeNanosecond,
  TimeSecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
} from "apache-arrow";
import { nearestName } from "../../base/nearest_name.ts";
import { typeName } from "../batch/arrow_types.ts";

const TIMESTAMPS = {
  second: TimestampSecond,
  millisecond: TimestampMillisecond,
  microsecond: TimestampMicrosecond,
  nanosecond: TimestampNanosecond,
} as const;

/** All types that `cast` can name, except timestamps in a time zone. */
export const NAMED_TYPES: readonly DataType[] = [
  ...[new Int8(), new Int16(), new Int32(), new Int64()],
  ...[new Uint8(), new Uint16(), new Uint32(), new Uint64()],
  ...[new Float16(), new Float32(), new Float64()],
  ...[new Bool(), new Utf8(), new Binary()],
  ...[new DateDay(), new DateMillisecond()],
  ...[new TimeSecond(), new TimeMillisecond(), new TimeMicrosecond(), new TimeNanosecond()],
  ...Object.values(TIMESTAMPS).map((Timestamp) => new Timestamp()),
  new DurationSecond(),
  new DurationMillisecond(),
  new DurationMicrosecond(),
  new DurationNanosecond(),
];

/** The types by name, and by name with the unit spelt out, such as `timestamp<microsecond>`. */
const BY_NAME: ReadonlyMap<string, DataType> = new Map([
  ...NAMED_TYPES.map((type) => [typeName(type), type] as const),
  ["utf8", new Utf8()],
  ...NAMED_TYPES.map((type) => [String(type).toLowerCase(), type] as const),
]);

/** Names of types in SQL, Polars and TypeScript that are not similar to a name here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  tinyint: "int8",
  smallint: "int16",
  int: "int32",
  integer: "int32",
  bigint: "int64",
  long: "int64",
  real: "float32",
  float: "float64",
  double: "float64",
  number: "float64",
  boolean: "bool",
  str: "string",
  text: "string",
  varchar: "string",
  blob: "binary",
  date: "date32",
  datetime: "timestamp[us]",
  timestamp: "timestamp[us]",
  duration: "duration[us]",
  time: "time64[us]",
};

/** The units of the short form. */
const UNITS = { s: "second", ms: "millisecond", us: "microsecond", ns: "nanosecond" } as const;

/** Returns the type with a name; undefined if no type has it. */
export function namedType(short: string): DataType | undefined {
  const known = BY_NAME.get(short) ?? namedDecimal(short);
  if (known !== undefined) return known;
  const name = short.replace(
    /^timestamp\[(s|ms|us|ns)(,.*)?\]$/,
    (_, unit: keyof typeof UNITS, zone = "") => `timestamp<${UNITS[unit]}${zone}>`,
  );
  const [, unit = "", zone] = /^timestamp<(\w+), ?([^<>\s][^<>]*)>$/.exec(name) ?? [];
  if (zone === undefined || !Object.hasOwn(TIMESTAMPS, unit)) return undefined;
  return new TIMESTAMPS[unit as keyof typeof TIMESTAMPS](zone);
}

/** Returns `decimal(10, 2)`, which has 128 bits, and `decimal64(10, 2)`; a scale that is left out is 0. */
function namedDecimal(name: string): DataType | undefined {
  const [, bits = "128", digits = "", places = "0"] =
    /^decimal(32|64|128|256)?[(<] ?(\d+)(?:, ?(\d+))? ?[)>]$/.exec(name) ?? [];
  const [precision, scale] = [Number(digits), Number(places)];
  const most = MOST_DIGITS[bits] ?? 0;
  if (precision < 1 || precision > most || scale > precision) return undefined;
  return new Decimal(scale, precision, Number(bits));
}

/** The most digits of a decimal of a number of bits. */
const MOST_DIGITS: Readonly<Record<string, number>> = { 32: 9, 64: 18, 128: 38, 256: 76 };

/** Returns a message such as `unknown type int46; did you mean int64?`. */
export function unknownType(name: string): string {
  if (/^(decimal|numeric)/i.test(name)) {
    return `unknown type ${
      JSON.stringify(name)
    }; decimal(10, 2) has 10 digits, of which 2 are behind the point, and 38 are the most`;
  }
  const key = name.toLowerCase();
  const near = Object.hasOwn(OTHER_NAMES, key)
    ? OTHER_NAMES[key]
    : nearestName(name, BY_NAME.keys());
  const type = near === undefined ? undefined : BY_NAME.get(near);
  const meant = type && typeName(type);
  const hint = meant === undefined
    ? `; there are ${[...BY_NAME.keys()].slice(0, 14).join(", ")} and those of dates and times`
    : `; did you mean ${meant}?`;
  return `unknown type ${JSON.stringify(name)}${hint}`;
}
