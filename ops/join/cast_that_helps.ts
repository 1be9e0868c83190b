/**
 * The cast that gives two keys a common type, for the error that they have none.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { isBinary, isText, typeName } from "../batch/arrow_types.ts";

/** A key as an expression, and its plain type. */
interface Key {
  readonly text: string;
  readonly type: DataType;
}

/** Which key to cast, and how. */
export interface Cast {
  readonly side: "left" | "right";
  /** `cast(id, "int64")` */
  readonly text: string;
}

/**
 * The cast of one of two keys whose types have nothing in common to one that the other is compared
 * with. Undefined where nothing casts one to the other. It goes to the type that holds more: text
 * holds everything, an integer of 64 bits more than a float, float64 all integers of 32 bits. Of two
 * that hold as much, the right one is cast.
 */
export function castThatHelps(left: Key, right: Key): Cast | undefined {
  const [leftGoal, rightGoal] = [goalOf(left.type, right.type), goalOf(right.type, left.type)];
  if (rightGoal !== undefined) return castOf("right", right, rightGoal);
  return leftGoal === undefined ? undefined : castOf("left", left, leftGoal);
}

function castOf(side: "left" | "right", { text }: Key, goal: string): Cast {
  return { side, text: `cast(${text}, ${JSON.stringify(goal)})` };
}

/** The name of the type that a key is cast to for the sake of the other; undefined where it stays. */
function goalOf(type: DataType, other: DataType): string | undefined {
  if (DataType.isNull(type)) return canBeText(other) || isText(other) ? typeName(other) : undefined;
  if (isText(other)) return canBeText(type) ? typeName(other) : undefined;
  if (isText(type)) return isBinary(other) ? typeName(other) : undefined;
  if (DataType.isInt(type) && DataType.isInt(other)) {
    // One is uint64, the other has a sign.
    return type.isSigned ? undefined : "int64";
  }
  if (DataType.isInt(type) && DataType.isFloat(other)) {
    return type.bitWidth < 64 ? "float64" : undefined;
  }
  if (DataType.isFloat(type) && DataType.isInt(other)) {
    return other.bitWidth === 64 ? typeName(other) : undefined;
  }
  if (DataType.isBool(type)) {
    return DataType.isInt(other) || DataType.isFloat(other) ? typeName(other) : undefined;
  }
  return timeGoal(type, other);
}

/** Dates become timestamps, and of two times of one kind the coarser one takes the finer unit. */
function timeGoal(type: DataType, other: DataType): string | undefined {
  if (DataType.isDate(type)) {
    const isFiner = DataType.isTimestamp(other) ||
      (DataType.isDate(other) && type.unit < other.unit);
    return isFiner ? typeName(other) : undefined;
  }
  const isOneKind = (DataType.isTimestamp(type) && DataType.isTimestamp(other)) ||
    (DataType.isTime(type) && DataType.isTime(other)) ||
    (DataType.isDuration(type) && DataType.isDuration(other));
  return isOneKind && type.unit <= other.unit ? typeName(other) : undefined;
}

/** Whether values of a type have a text of their own. */
function canBeText(type: DataType): boolean {
  return DataType.isInt(type) || DataType.isFloat(type) || DataType.isBool(type) ||
    DataType.isDate(type) || DataType.isTime(type) || DataType.isTimestamp(type) ||
    DataType.isDuration(type) || DataType.isDecimal(type);
}
