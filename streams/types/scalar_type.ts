/**
 * The column types of text files.
 *
 * @module
 */

import { Bool, DataType, DateDay, DateUnit, Float64, Int64, Precision, Utf8 } from "apache-arrow";

/** The type of a column of a text file. A date is written YYYY-MM-DD. */
export type ScalarType = "string" | "int64" | "float64" | "bool" | "date";

/** Returns the Arrow type of a scalar type. */
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

/** Returns the scalar type of an Arrow type; undefined if there is none. */
export function scalarTypeOf(type: DataType): ScalarType | undefined {
  if (DataType.isUtf8(type)) return "string";
  if (DataType.isInt(type)) return type.bitWidth === 64 && type.isSigned ? "int64" : undefined;
  if (DataType.isFloat(type)) return type.precision === Precision.DOUBLE ? "float64" : undefined;
  if (DataType.isBool(type)) return "bool";
  return DataType.isDate(type) && type.unit === DateUnit.DAY ? "date" : undefined;
}
