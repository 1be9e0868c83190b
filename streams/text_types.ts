/**
 * The names of the types that columns of text files can be given.
 *
 * @module
 */

/** The types that the reader of CSV knows. */
export const csvTypes: readonly string[] = ["string", "int64", "float64", "bool", "date"];

/** The types that text is cast to after it was read, in groups, for errors. */
const castTypes = "int8 to int32, uint8 to uint64, float16, float32, date32, date64, binary, " +
  "timestamp, timestamp[s, UTC], time32[s], time64[us], duration[us]; units are s, ms, us, ns";

/** What is wrong with the type of a column that is none; `own` are the types of the reader. */
export function unknownType(type: string, column: string, own: readonly string[]): string {
  return `type ${type} of column ${column} is none of ${own.join(", ")}, ${castTypes}`;
}
