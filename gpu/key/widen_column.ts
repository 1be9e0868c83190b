/**
 * Widens columns to a type that has all their values.
 *
 * @module
 */

import { type ColumnType, type HostColumn, sameType, viewAs } from "../column/column.ts";
import {
  type Floats,
  type FloatType,
  type IntType,
  type NarrowInts,
  numbersIn,
} from "../column/numbers.ts";

/**
 * Returns a column with a wider type and the same values: integers with their sign, floats,
 * integers of up to 32 bits as floats, and fixed-width values, which are decimals, with the sign of
 * their last byte. Returns the same object if it already has the type. The bits of NaNs and of null
 * rows may change.
 *
 * Throws a TypeError if the type cannot represent all values.
 */
export function widenColumn(column: HostColumn, type: ColumnType): HostColumn {
  if (sameType(column.type, type)) return column;
  const from = column.type;
  if (from.kind === "fixed" && type.kind === "fixed" && type.byteWidth > from.byteWidth) {
    return { ...column, type, data: widenDecimals(column, from.byteWidth, type.byteWidth) };
  }
  if (!isNumber(from) || !isNumber(type) || !holds(type, from)) {
    throw new TypeError(`Cannot widen ${describe(from)} to ${describe(type)}`);
  }
  return { ...column, type, data: widenedData(column, from, type) };
}

function isNumber(type: ColumnType): type is IntType | FloatType {
  return type.kind === "int" || type.kind === "float";
}

/** Whether a type can represent all values of another. */
function holds(type: IntType | FloatType, from: IntType | FloatType): boolean {
  if (from.kind === "float") return type.kind === "float" && type.bits >= from.bits;
  if (type.kind === "float") {
    // The bits of a value without its sign must fit the fraction of the float.
    const bits = from.bits - (from.signed ? 1 : 0);
    return bits <= { 16: 11, 32: 24, 64: 53 }[type.bits];
  }
  return type.signed === from.signed
    ? type.bits >= from.bits
    : type.signed && type.bits > from.bits;
}

function widenedData(
  { length, data }: HostColumn,
  from: IntType | FloatType,
  type: IntType | FloatType,
): Uint8Array {
  const source = numbersIn(from, data).subarray(0, length);
  const target = new Uint8Array(length * type.bits / 8);
  if (type.kind === "int" && type.bits === 64) widenToWords(source, viewAs(Int32Array, target));
  else numbersIn(type, target).set(source);
  return target;
}

/** Writes values of less than 64 bits as two words each, the low one first. */
function widenToWords(source: NarrowInts | Floats, words: Int32Array): void {
  for (let row = 0, at = 0; row < source.length; row++, at += 2) {
    const value = source[row]!;
    words[at] = value;
    // An unsigned value is never negative, not even above 2^31.
    words[at + 1] = value < 0 ? -1 : 0;
  }
}

function widenDecimals({ length, data }: HostColumn, from: number, width: number): Uint8Array {
  const target = new Uint8Array(length * width);
  for (let row = 0; row < length; row++) {
    const at = row * from;
    const to = row * width;
    for (let byte = 0; byte < from; byte++) target[to + byte] = data[at + byte]!;
    if (data[at + from - 1]! > 127) target.fill(0xff, to + from, to + width);
  }
  return target;
}

function describe(type: ColumnType): string {
  if (type.kind === "int") return `${type.signed ? "int" : "uint"}${type.bits}`;
  return type.kind === "float" ? `float${type.bits}` : type.kind;
}
