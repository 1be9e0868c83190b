/**
 * Types that are given to columns of text: those that readers know, and those that text is cast to.
 *
 * @module
 */

import { otherColumns, showName } from "../../base/nearest_name.ts";
import type { ScalarType } from "../types/scalar_type.ts";

/** Types by the names of columns. */
type Types = Readonly<Record<string, string>>;

/** The types that readers take; they refuse others by name. */
export type ReaderTypes = Readonly<Record<string, ScalarType>>;

/** Columns of strings that are cast to other types after they were read. */
export interface CastColumns {
  /** Their names. A quoted empty field of them is null, as in columns of other types. */
  readonly castColumns?: readonly string[] | undefined;
}

/** Given types, divided. */
export interface GivenTypes {
  /** The types that the reader is given. */
  readonly read: ReaderTypes;
  /** The types that columns are cast to after they were read, as `cast` names them. */
  readonly casts: Types;
}

/** The types that the reader of CSV takes by name. */
export const csvTypes: readonly string[] = ["string", "int64", "float64", "bool", "date"];

/** The types that text is cast to after it was read, in groups, for errors. */
const castNames = "int8 to int32, uint8 to uint64, float16, float32, date32, date64, binary, " +
  "timestamp, timestamp[s, UTC], time32[s], time64[us], duration[us]; units are s, ms, us, ns";

const numbers = /^(u?int(8|16|32|64)|float(16|32|64)|duration\b.*)$/;
const parts = "(s|ms|us|ns|second|millisecond|microsecond|nanosecond)";
const castTypes = new RegExp(
  String.raw`^(u?int(8|16|32|64)|float(16|32|64)|date(32|64)|binary|` +
    String.raw`(time32|time64|duration)[\[<]${parts}[\]>]|timestamp[\[<]${parts}(,.+)?[\]>])$`,
);
/** The full names of types that are given without their unit. */
const usual: Types = { timestamp: "timestamp[us]", date: "date32" };

/** Returns the name of a type that text is cast to, as `cast` takes it; undefined for other types. */
export function castType(type: string): string | undefined {
  if (Object.hasOwn(usual, type)) return usual[type];
  return castTypes.test(type) ? type : undefined;
}

/**
 * Divides the types that are given to columns, where `own` are those that the reader takes by name. Text
 * of CSV, and of dates and times in NDJSON, is read as it is and then cast; of numbers in NDJSON the digits
 * are read as JSON.
 */
export function splitTypes(types: Types, own: readonly string[] | undefined): GivenTypes {
  if (own === undefined) return { read: types as ReaderTypes, casts: {} };
  const read: [string, string][] = [];
  const casts: [string, string][] = [];
  for (const [name, type] of Object.entries(types)) {
    const cast = own.includes(type) ? undefined : castType(type);
    if (cast === undefined) read.push([name, type]);
    else {
      casts.push([name, cast]);
      read.push([name, own.includes("json") && numbers.test(cast) ? "json" : "string"]);
    }
  }
  const readTypes = Object.fromEntries(read) as ReaderTypes;
  return { read: readTypes, casts: Object.fromEntries(casts) };
}

/** Returns the casts of those columns that are read; a column that is not is not looked at. */
export function castsOf(casts: Types, columns: readonly string[] | undefined): Types | undefined {
  const wanted = Object.entries(casts).filter(([name]) => columns?.includes(name) ?? true);
  return wanted.length === 0 ? undefined : Object.fromEntries(wanted);
}

/** Returns the problem with an unknown type of a column; `own` are the types of the reader. */
export function unknownType(type: string, column: string, own: readonly string[]): string {
  return `type ${type} of column ${column} is none of ${own.join(", ")}, ${castNames}`;
}

/** Returns a column that is given a type and is none of `names`, for an error that says who lacks it. */
export function withoutColumn(name: string, names: readonly string[]): string {
  return `column ${showName(name)}, for which a type was given${otherColumns(name, names)}`;
}
