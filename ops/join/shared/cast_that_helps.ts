/**
 * The cast to a common type of two keys, for the error that they have none.
 *
 * @module
 */

import { DataType, Float64, Int64 } from "apache-arrow";
import { isBinary, isText, typeName } from "../../batch/arrow_types.ts";
import { namedType } from "../../syntax/named_types.ts";
import { decimalDigits, decimalType, heldDigits, wholeDigits } from "../../syntax/decimal_type.ts";
import { castSteps } from "../../string/convert/steps.ts";

/** A key as an expression, and its plain type. */
interface Key {
  readonly text: string;
  readonly type: DataType;
}

/** The cast of one key. */
interface Cast {
  readonly side: "left" | "right";
  /** The cast as text, such as `cast(id, "int64")`. */
  readonly text: string;
}

/**
 * Returns the cast of one of two keys without a common type to a type that the other can be compared with;
 * undefined if there is none. It casts the key whose type holds fewer values: bytes hold any text, text any
 * number, 64-bit integers more than floats, float64 all 32-bit integers, and a fine unit of time all times
 * of a coarse one. If both hold the same, it casts the right key.
 */
export function castThatHelps(left: Key, right: Key): Cast | undefined {
  const ofLeft = castOf("left", left, right.type);
  const ofRight = castOf("right", right, left.type);
  return extentOf(left.type) < extentOf(right.type) ? ofLeft ?? ofRight : ofRight ?? ofLeft;
}

function castOf(side: "left" | "right", { text, type }: Key, other: DataType): Cast | undefined {
  const goal = goalOf(type, other);
  if (goal === undefined) return undefined;
  const name = typeName(goal);
  if (namedType(name) === undefined || typeof castSteps(type, goal) === "string") return undefined;
  return { side, text: `cast(${text}, ${JSON.stringify(name)})` };
}

/** Returns the type to which a key is cast for the other. */
function goalOf(type: DataType, other: DataType): DataType | undefined {
  if (DataType.isInt(type) && DataType.isInt(other)) {
    // One of them is uint64, and the other has a sign.
    return type.isSigned ? undefined : new Int64();
  }
  // A decimal becomes the nearest float, but few floats are decimals of few digits.
  if (DataType.isFloat(type) && DataType.isDecimal(other)) return undefined;
  // A uint64, which meets no decimal, as a decimal that does.
  const [own, digits] = [wholeDigits(type), decimalDigits(other)];
  if (DataType.isInt(type) && own !== undefined && digits !== undefined) {
    return heldDigits(own, digits) === undefined ? other : decimalType(own);
  }
  if (DataType.isInt(type) && DataType.isFloat(other) && type.bitWidth < 64) return new Float64();
  return other;
}

/** Ranks types by the values that they hold; the order of two types without a cast does not matter. */
function extentOf(type: DataType): number {
  if (isBinary(type)) return 8;
  if (isText(type)) return 7;
  if (DataType.isInt(type)) return type.bitWidth === 64 ? 6 : 4;
  if (DataType.isDecimal(type)) return 6.5;
  if (DataType.isFloat(type)) return 5;
  if (DataType.isTimestamp(type)) return 3 + type.unit / 10;
  if (DataType.isDate(type)) return 2 + type.unit / 10;
  if (DataType.isTime(type) || DataType.isDuration(type)) return 1 + type.unit / 10;
  return 0;
}
