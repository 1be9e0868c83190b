/**
 * The column types of text files.
 *
 * @module
 */

import { Bool, type DataType, DateDay, Float64, Int64, Utf8 } from "apache-arrow";

/** A type of a column of a text file. A date is written YYYY-MM-DD. */
export type ScalarType = "string" | "int64" | "float64" | "bool" | "date";

/** The Arrow type of a scalar type. */
export function arrowType(type: ScalarType): DataType {
  switch (type) {
    case "string":
      return new Utf8();
    case "int64":
      return new Int64();
    case "float64":
      return new Float64();
    case "bool":
      return new Bool();
    case "date":
      return new DateDay();
  }
}
