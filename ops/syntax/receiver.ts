/**
 * The classes of types that determine the row function of an operation.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { isText } from "../batch/arrow_types.ts";
import { decimalDigits } from "./decimal_type.ts";

/** The class of a type, as far as the choice of a row function depends on it. */
export type Receiver =
  | "text"
  | "bool"
  | "int"
  /** An unsigned 64-bit integer, which an int64 may not hold. */
  | "uint64"
  | "float"
  /** A decimal of up to 38 digits. */
  | "decimal"
  | "date"
  | "time"
  | "timestamp"
  | "duration"
  | "list"
  | "other";

/** Returns the class of an Arrow type. */
export function receiverOf(type: DataType): Receiver {
  if (isText(type)) return "text";
  if (DataType.isBool(type)) return "bool";
  if (DataType.isInt(type)) return type.bitWidth === 64 && !type.isSigned ? "uint64" : "int";
  if (DataType.isFloat(type)) return "float";
  if (decimalDigits(type) !== undefined) return "decimal";
  if (DataType.isDate(type)) return "date";
  if (DataType.isTime(type)) return "time";
  if (DataType.isTimestamp(type)) return "timestamp";
  if (DataType.isDuration(type)) return "duration";
  return DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type)
    ? "list"
    : "other";
}
