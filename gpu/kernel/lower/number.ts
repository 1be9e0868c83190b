/**
 * Reads, compares and converts numbers: integers as i32 or i64, floats as f64, or as their bits where
 * those suffice, so that a device computes with them.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import { KernelError } from "../../../base/errors/expr_error.ts";
import type { Scalar, ScalarType } from "../ir/ir.ts";
import { floatOrder, widenFloat } from "./float.ts";
import type { RowBuilder } from "./row_builder.ts";
import { and, binary, bool, convert, float, int, long, not, or, select } from "../ir/scalar.ts";
import type { CompareOp } from "../tree/tree.ts";

type IntType = ColumnType & { kind: "int" };

/** Returns the type of the scalars of a type. Throws for types without numbers. */
export function scalarType(type: ColumnType, asFloat: boolean): ScalarType {
  if (type.kind === "bool") return "bool";
  if (type.kind !== "int" && type.kind !== "float") {
    throw new KernelError(`Columns of kind ${type.kind} cannot be used in expressions`);
  }
  if (type.kind === "float" && asFloat) return "f64";
  return type.bits === 64 ? "i64" : "i32";
}

/** Returns the number in the row of a column. */
export function columnNumber(type: ColumnType, column: number, asFloat: boolean): Scalar {
  switch (scalarType(type, asFloat)) {
    case "bool":
      return { op: "bit", type: "bool", column };
    case "f64":
      return { op: "float", type: "f64", column };
    case "i64":
      return { op: "long", type: "i64", column };
    case "i32":
      return { op: "word", type: "i32", column, word: 0 };
  }
}

/** Returns a constant number. */
export function literalNumber(
  type: ColumnType,
  value: string | number | bigint | boolean,
  asFloat: boolean,
): Scalar {
  if (type.kind !== "float") {
    return scalarType(type, asFloat) === "i64" ? long(BigInt(value)) : int(Number(value));
  }
  const number = Number(value);
  if (asFloat) return float(number);
  const bytes = new DataView(new ArrayBuffer(8));
  if (type.bits === 16) bytes.setFloat16(0, number, true);
  else if (type.bits === 32) bytes.setFloat32(0, number, true);
  else bytes.setFloat64(0, number, true);
  return type.bits === 64 ? long(bytes.getBigInt64(0, true)) : int(bytes.getInt32(0, true));
}

/** Compares two numbers of a type; the operands are stable. */
export function compareNumbers(
  builder: RowBuilder,
  type: ColumnType,
  op: CompareOp,
  left: Scalar,
  right: Scalar,
): Scalar {
  if (left.type === "f64") return compareFloats(op, left, right);
  if (type.kind === "bool") return compareBits(op, left, right);
  if (type.kind === "float") {
    const [a, b] = [left, right].map((bits) => floatOrder(builder, type.bits, bits));
    return binary(op, a!, b!);
  }
  const isUnsigned = type.kind === "int" && !type.signed && type.bits >= 32;
  return isUnsigned ? compareUnsigned(op, left, right) : binary(op, left, right);
}

function compareBits(op: CompareOp, a: Scalar, b: Scalar): Scalar {
  const less = (low: Scalar, high: Scalar) => and(not(low), high);
  return inOrder(op, a, b, less);
}

function compareUnsigned(op: CompareOp, a: Scalar, b: Scalar): Scalar {
  return inOrder(op, a, b, (low, high) => binary("<u", low, high));
}

/** Compares in the order in which NaN equals NaN and is the greatest. */
function compareFloats(op: CompareOp, left: Scalar, right: Scalar): Scalar {
  const isNaN = (value: Scalar) => binary("!=", value, value);
  const isNumber = ({ op, value }: Scalar & { value?: unknown }) =>
    op === "const" && !Number.isNaN(value);
  const less = (a: Scalar, b: Scalar) => {
    // A value that is not at most a number is greater, or NaN.
    if (isNumber(a)) return not(binary("<=", b, a));
    return or(binary("<", a, b), and(isNaN(b), binary("==", a, a)));
  };
  const equal = (a: Scalar, b: Scalar) => or(binary("==", a, b), and(isNaN(a), isNaN(b)));
  return inOrder(op, left, right, less, equal);
}

/** Compares in an order. */
function inOrder(
  op: CompareOp,
  a: Scalar,
  b: Scalar,
  less: (a: Scalar, b: Scalar) => Scalar,
  equal: (a: Scalar, b: Scalar) => Scalar = (a, b) => binary("==", a, b),
): Scalar {
  switch (op) {
    case "==":
      return equal(a, b);
    case "!=":
      return not(equal(a, b));
    case "<":
      return less(a, b);
    case ">":
      return less(b, a);
    case "<=":
      return not(less(b, a));
    case ">=":
      return not(less(a, b));
  }
}

/**
 * Converts a number. An integer that an int32 does not hold becomes the nearest one; an integer becomes
 * the nearest float64. A float that is an f64 stays as it is.
 */
export function castNumber(
  builder: RowBuilder,
  from: ColumnType,
  to: ColumnType,
  value: Scalar,
): Scalar {
  if (from.kind === "float" && to.kind === "float") {
    if (value.type === "f64" || from.bits >= to.bits) return value;
    return widenFloat(builder, from.bits, to.bits, value);
  }
  if (from.kind === "int" && to.kind === "float") {
    return convert(isUnsigned(from) ? "toFloatU" : "toFloat", "f64", value);
  }
  if (from.kind !== "int" || to.kind !== "int") {
    throw new KernelError(`Cannot convert ${from.kind} to ${to.kind}`);
  }
  if (to.bits === 64) {
    if (from.bits === 64) return value;
    return convert(isUnsigned(from) ? "extendU" : "extend", "i64", value);
  }
  const given = builder.stable("value", value);
  if (from.bits === 64) return nearestInt32(from, given);
  if (isUnsigned(from) && to.bits === 32 && to.signed) {
    return select(binary("<", given, int(0)), int(0x7fffffff), given);
  }
  return given;
}

/** Whether the scalars of an integer type have no sign; narrow ones are extended, and have one. */
function isUnsigned({ bits, signed }: IntType): boolean {
  return !signed && bits >= 32;
}

function nearestInt32(from: IntType, value: Scalar): Scalar {
  const [least, most] = [-0x80000000, 0x7fffffff];
  const isAbove = binary(from.signed ? "<" : "<u", long(BigInt(most)), value);
  const isBelow = from.signed ? binary("<", value, long(BigInt(least))) : bool(false);
  const low = convert("low", "i32", value);
  return select(isAbove, int(most), select(isBelow, int(least), low));
}
