/**
 * The classes of types by which an operation chooses its row function.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { isText } from "../batch/arrow_types.ts";

/** The kind of values that an operation is called on, as far as its row function depends on it. */
export type Receiver =
  | "text"
  | "bool"
  | "int"
  /** An integer of 64 bits without a sign, which an int64 may not hold. */
  | "uint64"
  | "float"
  | "date"
  | "time"
  | "timestamp"
  | "duration"
  | "list"
  | "other";

/** The receiver that values of an Arrow type are. */
export function receiverOf(type: DataType): Receiver {
  if (isText(type)) return "text";
  if (DataType.isBool(type)) return "bool";
  if (DataType.isInt(type)) return type.bitWidth === 64 && !type.isSigned ? "uint64" : "int";
  if (DataType.isFloat(type)) return "float";
  if (DataType.isDate(type)) return "date";
  if (DataType.isTime(type)) return "time";
  if (DataType.isTimestamp(type)) return "timestamp";
  if (DataType.isDuration(type)) return "duration";
  return DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type)
    ? "list"
    : "other";
}
