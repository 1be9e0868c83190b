/**
 * The types that a user gives to columns of text: some are known to the reader, others are cast
 * from text afterwards.
 *
 * @module
 */

import { showValue } from "../../base/kind_of.ts";
import { checkNamed } from "../../base/option_kinds.ts";
import { otherColumns, showName } from "../../base/nearest_name.ts";
import type { ScalarType } from "../types/scalar_type.ts";

/** Types by the names of columns. */
type Types = Readonly<Record<string, string>>;

/** Types that readers parse themselves. They reject others with an error. */
type ReaderTypes = Readonly<Record<string, ScalarType>>;

/** Columns that are read as strings and then cast to other types. */
export interface CastColumns {
  /**
   * Their names. A quoted empty field in them is null, as in other columns that are not strings.
   */
  readonly castColumns?: readonly string[] | undefined;
}

/** Given types, split by who applies them. */
interface GivenTypes {
  /** The types that the reader gets. */
  readonly read: ReaderTypes;
  /** The types that columns are then cast to, as `cast` names them. */
  readonly casts: Types;
}

/** The types that the CSV reader takes by name. */
export const csvTypes: readonly string[] = ["string", "int64", "float64", "bool", "date"];

/** The types that text can be cast to, in groups, for errors. */
const castNames = "int8 to int32, uint8 to uint64, float16, float32, date32, date64, binary, " +
  "timestamp, timestamp[s, UTC], time32[s], time64[us], duration[us], decimal(10, 2); units are s, ms, us, ns";

const numbers = /^(u?int(8|16|32|64)|float(16|32|64)|duration\b.*)$/;
const parts = "(s|ms|us|ns|second|millisecond|microsecond|nanosecond)";
const castTypes = new RegExp(
  String.raw`^(u?int(8|16|32|64)|float(16|32|64)|date(32|64)|binary|` +
    String.raw`decimal(128)?[(<]\d+(, ?\d+)?[)>]|` +
    String.raw`(time32|time64|duration)[\[<]${parts}[\]>]|timestamp[\[<]${parts}(,.+)?[\]>])$`,
);
/** The full names of types that may be given without their unit. */
const usual: Types = { timestamp: "timestamp[us]", date: "date32" };

/** Returns the name, for `cast`, of a type that text can be cast to; undefined for other types. */
export function castType(type: string): string | undefined {
  if (Object.hasOwn(usual, type)) return usual[type];
  return castTypes.test(type) ? type : undefined;
}

/** Throws a TypeError unless types that are not absent are names of types by the names of columns. */
export function checkTypes(option: string, types: unknown): void {
  if (types === undefined) return;
  checkNamed(option, "names of types", types);
  const wrong = Object.entries(types as object).find(([, type]) => typeof type !== "string");
  if (wrong === undefined) return;
  const [name, type] = wrong;
  throw new TypeError(`${option} takes the name of a type for ${name}, not ${showValue(type)}`);
}

/**
 * Splits given types into those for the reader and casts after it; `own` are the types that the
 * reader knows. Values of cast columns are read as strings, but numbers in NDJSON as JSON text,
 * which keeps their digits. Decimals may be numbers or strings there.
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
      read.push([name, own.includes("json") ? typeForCast(cast) : "string"]);
    }
  }
  const readTypes = Object.fromEntries(read) as ReaderTypes;
  return { read: readTypes, casts: Object.fromEntries(casts) };
}

/**
 * The type of NDJSON columns that become decimals: the text of numbers, and of strings, as which decimals
 * are written. Users cannot name it.
 */
export const DIGITS = "number or string";

/** Returns the type that an NDJSON column is read as before it is cast. */
function typeForCast(cast: string): string {
  if (cast.startsWith("decimal")) return DIGITS;
  return numbers.test(cast) ? "json" : "string";
}

/** Returns the casts of the columns that are read; undefined if there are none. */
export function castsOf(casts: Types, columns: readonly string[] | undefined): Types | undefined {
  const wanted = Object.entries(casts).filter(([name]) => columns?.includes(name) ?? true);
  return wanted.length === 0 ? undefined : Object.fromEntries(wanted);
}

/** Returns the error message for an unknown type of a column; `own` are the types of the reader. */
export function unknownType(type: string, column: string, own: readonly string[]): string {
  return `type ${type} of column ${column} is none of ${own.join(", ")}, ${castNames}`;
}

/**
 * Describes a column for which a type was given but which is not among `names`, as the object of
 * "has no".
 */
export function withoutColumn(name: string, names: readonly string[]): string {
  return `column ${showName(name)}, for which a type was given${otherColumns(name, names)}`;
}
