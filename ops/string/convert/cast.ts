/**
 * Defines the operations `cast` and `tryCast`, which convert to a named type.
 *
 * @module
 */

import { namedType, unknownType } from "../../syntax/named_types.ts";
import type { CallArgs, ConversionSpec } from "../../syntax/overload.ts";
import { problemOfZone, zoneNameOf } from "../../syntax/time_zone.ts";
import { defineStringOp, type StringOp } from "../define/define_string_op.ts";
import { decimalCasts } from "../../decimal/casts.ts";
import { booleanCasts } from "./booleans.ts";
import { floatCasts } from "./floats.ts";
import { integerCasts } from "./integers.ts";
import { castSteps } from "./steps.ts";
import { textCasts } from "./text.ts";
import { timeCasts } from "./times.ts";

/** Options of `cast`. */
export interface CastOptions {
  /** The point of decimals in text. Default: ".". */
  readonly decimal?: "." | "," | null;
}

/** Returns the name of the target type of a call. */
const nameIn = ({ type }: CallArgs): string => typeof type === "string" ? type : "";

const conversion: ConversionSpec = {
  type(args) {
    const type = namedType(nameIn(args));
    if (type === undefined) throw new TypeError(unknownType(nameIn(args)));
    return type;
  },
  steps: castSteps,
};

/** The common part of `cast` and `tryCast`. */
const CAST = {
  group: "convert",
  args: { type: "literal", decimal: "literal" },
  accepts: { type: "string", decimal: '"." | ","' },
  optional: ["decimal"],
  choose: () => undefined,
  conversion,
  check({ type, decimal }: CallArgs) {
    if (typeof type !== "string") return "the type is a text, such as int64";
    if (decimal !== undefined && decimal !== "." && decimal !== ",") return 'decimal is "." or ","';
    const named = namedType(type);
    if (named === undefined) return unknownType(type);
    const zone = zoneNameOf(named);
    return zone === undefined ? undefined : problemOfZone(zone);
  },
  overloads: {
    ...integerCasts,
    ...floatCasts,
    ...booleanCasts,
    ...textCasts,
    ...timeCasts,
    ...decimalCasts,
  },
} as const;

const DETAILS = "The type is named as in schemas and errors: int8 to int64, uint8 to uint64, " +
  "float16 to float64, decimal(10, 2), bool, string, binary, date32, `timestamp[us]`, " +
  "`timestamp[s, UTC]`, `time64[ns]`, `duration[ms]` and so on. Numbers keep their value: int8 has " +
  "no 300, int64 no 2.5, float32 no 16777217, decimal(10, 2) no 0.125, and bool only 0 and 1. A decimal " +
  "becomes the nearest float, and a float the decimal with its shortest digits. " +
  'With decimal: "," that is the point of decimals in text. Text is read as by ' +
  "toInteger, toFloat, toBoolean, toDate and toTimestamp, but as the nearest float of the type. It is " +
  "written as by toString; a time of a day is `15:09:26.5`, and a duration is its count. A date, " +
  "a time, a timestamp or a duration becomes an integer as the count of its units, in UTC. A " +
  "timestamp with a time zone becomes local time in a type without one. Text without an offset, or " +
  "a timestamp without a time zone, is local time in the zone of the type; it is an error where the " +
  "zone skips or repeats that time. Between two time zones the instant stays. A count in a smaller " +
  "unit must be a multiple of the larger one, such as midnight for a date. Where no cast exists " +
  "between two types, the error comes before any row is read.";

/** Casts to a named type. Throws a ConversionError, which names the row and the value. */
export const cast: StringOp<[type: string, options?: CastOptions]> = defineStringOp({
  ...CAST,
  name: "cast",
  summary: "The same value in another type; an error where that type does not have it",
  details: DETAILS,
  differs: [
    "DuckDB: CAST rounds 2.5 to an integer, 2^53 + 1 to a DOUBLE, and 1969-12-31T23:59:59.5 to a day",
    "DuckDB: CAST takes blanks around numbers in text, and t, yes and 1 for true",
  ],
  examples: [
    { input: "42", args: ["int64"], result: 42n },
    { input: 2.0, args: ["uint8"], result: 2 },
    { input: 300n, args: ["string"], result: "300" },
    {
      input: "2001-03-14T15:09:26.5",
      args: ["timestamp[ms]"],
      result: "2001-03-14T15:09:26.5",
    },
  ],
  isStrict: () => true,
});

/** Casts to a named type; null if the type does not have the value. */
export const tryCast: StringOp<[type: string, options?: CastOptions]> = defineStringOp({
  ...CAST,
  name: "tryCast",
  summary: "The same value in another type; null where that type does not have it",
  details: "Like cast(), which lists the types.",
  differs: ["DuckDB: TRY_CAST rounds 2.5 to an integer, and 2^53 + 1 to a DOUBLE"],
  examples: [
    { input: 300, args: ["int8"], result: null },
    { input: 2.5, args: ["int64"], result: null },
    { input: "4x", args: ["int32"], result: null },
    { input: "255", args: ["uint8"], result: 255 },
  ],
});
