/**
 * Which cast would let two keys meet that have no type in common.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { isBinary, isText, typeName } from "../batch/arrow_types.ts";

/**
 * The side to cast and its new type, as the end of a sentence: `, such as the right one to int64`.
 * The side of the type that holds less becomes the other; of two that hold the same, the right.
 * Empty where one side is of a type that nothing casts to.
 */
export function castThatHelps(left: DataType, right: DataType): string {
  const leftExtent = extent(left);
  const rightExtent = extent(right);
  if (leftExtent === 0 || rightExtent === 0) return "";
  return leftExtent < rightExtent
    ? `, such as the left one to ${typeName(right)}`
    : `, such as the right one to ${typeName(left)}`;
}

/**
 * Orders types by what they can hold; 0 for those without an order. A float stands below the
 * integers of 64 bits, which it does not tell apart above 2^53, and text above everything, since
 * everything can be written down.
 */
function extent(type: DataType): number {
  if (isText(type)) return 9;
  if (isBinary(type)) return 8;
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) return 7 + type.unit / 10;
  if (DataType.isDate(type) || DataType.isTime(type)) return 6 + type.unit / 10;
  if (DataType.isDecimal(type)) return 5;
  if (DataType.isInt(type)) return type.bitWidth === 64 ? 4 : 2;
  if (DataType.isFloat(type)) return 3;
  return DataType.isBool(type) ? 1 : 0;
}
