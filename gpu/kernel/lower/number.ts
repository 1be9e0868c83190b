/**
 * Arithmetic and comparison of numbers in words of 32 bits, so that both targets agree on every
 * bit. Only sums of floats need real floating point.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import { KernelError } from "../../../base/errors/expr_error.ts";
import type { Scalar } from "../ir/ir.ts";
import type { NullExit, Words } from "./lower_value.ts";
import { floatOrder, widenFloat } from "./float.ts";
import type { RowBuilder } from "./row_builder.ts";
import { and, binary, bool, int, not, or, select } from "../ir/scalar.ts";
import type { CompareOp } from "../tree/tree.ts";

type IntType = ColumnType & { kind: "int" };

/** Returns the number in the row of a column. */
export function columnNumber(type: ColumnType, column: number, asFloat: boolean): Words {
  if (type.kind === "float" && asFloat) return [{ op: "float", type: "f64", column }];
  const word = (index: 0 | 1): Scalar => ({ op: "word", type: "i32", column, word: index });
  return isWide(type) ? [word(0), word(1)] : [word(0)];
}

/** Returns a constant number. */
export function literalNumber(
  type: ColumnType,
  value: string | number | bigint | boolean,
  asFloat: boolean,
): Words {
  if (type.kind === "float") {
    const number = Number(value);
    if (asFloat) return [{ op: "const", type: "f64", value: number }];
    const bytes = new DataView(new ArrayBuffer(8));
    if (type.bits === 16) bytes.setFloat16(0, number, true);
    else if (type.bits === 32) bytes.setFloat32(0, number, true);
    else bytes.setFloat64(0, number, true);
    const low = int(bytes.getInt32(0, true));
    return type.bits === 64 ? [low, int(bytes.getInt32(4, true))] : [low];
  }
  if (!isWide(type)) return [int(Number(value))];
  const wide = BigInt(value);
  return [int(Number(BigInt.asIntN(32, wide))), int(Number(BigInt.asIntN(32, wide >> 32n)))];
}

/** Whether a value takes two words. Throws for types without numbers. */
function isWide(type: ColumnType): boolean {
  if (type.kind !== "int" && type.kind !== "float") {
    throw new KernelError(`Columns of kind ${type.kind} cannot be used in expressions`);
  }
  return type.bits === 64;
}

/** Compares two numbers of a type; the operands are stable. */
export function compareNumbers(
  builder: RowBuilder,
  type: ColumnType,
  op: CompareOp,
  left: Words,
  right: Words,
): Scalar {
  if (left[0]?.type === "f64") return compareFloats(op, left[0], right[0] ?? left[0]);
  const signed = type.kind !== "int" || type.signed || type.bits < 32;
  const isFloat = type.kind === "float";
  const a = isFloat ? floatOrder(builder, type.bits, left) : left;
  const b = isFloat ? floatOrder(builder, type.bits, right) : right;
  switch (op) {
    case "==":
      return type.kind === "bool" ? sameBits(a, b) : equalWords(a, b);
    case "!=":
      return not(type.kind === "bool" ? sameBits(a, b) : equalWords(a, b));
    case "<":
      return type.kind === "bool" ? lessBit(a, b) : lessWords(a, b, signed);
    case ">":
      return type.kind === "bool" ? lessBit(b, a) : lessWords(b, a, signed);
    case "<=":
      return not(type.kind === "bool" ? lessBit(b, a) : lessWords(b, a, signed));
    case ">=":
      return not(type.kind === "bool" ? lessBit(a, b) : lessWords(a, b, signed));
  }
}

function at(words: Words, index: number): Scalar {
  return words[index] ?? int(0);
}

function sameBits(a: Words, b: Words): Scalar {
  return binary("==", at(a, 0), at(b, 0));
}

function lessBit(a: Words, b: Words): Scalar {
  return and(not(at(a, 0)), at(b, 0));
}

function equalWords(a: Words, b: Words): Scalar {
  return and(...a.map((word, index) => binary("==", word, at(b, index))));
}

function lessWords(a: Words, b: Words, signed: boolean): Scalar {
  const less = signed ? "<" : "<u";
  if (a.length === 1) return binary(less, at(a, 0), at(b, 0));
  return or(
    binary(less, at(a, 1), at(b, 1)),
    and(binary("==", at(a, 1), at(b, 1)), binary("<u", at(a, 0), at(b, 0))),
  );
}

/** Compares in the order in which NaN equals NaN and is the greatest. */
function compareFloats(op: CompareOp, left: Scalar, right: Scalar): Scalar {
  const isNaN = (value: Scalar) => binary("!=", value, value);
  const less = (a: Scalar, b: Scalar) => or(binary("<", a, b), and(isNaN(b), binary("==", a, a)));
  switch (op) {
    case "==":
      return or(binary("==", left, right), and(isNaN(left), isNaN(right)));
    case "!=":
      return not(compareFloats("==", left, right));
    case "<":
      return less(left, right);
    case ">":
      return less(right, left);
    case "<=":
      return not(less(right, left));
    case ">=":
      return not(less(left, right));
  }
}

/** Adds two numbers. Takes the exit if an integer overflows its type. */
export function addNumbers(
  builder: RowBuilder,
  type: ColumnType,
  left: Words,
  right: Words,
  onNull: NullExit,
): Words {
  if (type.kind === "float") return [binary("+", at(left, 0), at(right, 0))];
  if (type.kind !== "int") throw new KernelError(`Columns of kind ${type.kind} cannot be added`);
  if (type.bits === 64) return addWide(builder, type, left, right, onNull);
  const a = builder.stable("addend", at(left, 0));
  const b = builder.stable("addend", at(right, 0));
  const sum = builder.stable("sum", binary("+", a, b));
  builder.if(narrowOverflow(type, a, b, sum), onNull);
  return [sum];
}

function narrowOverflow(type: IntType, a: Scalar, b: Scalar, sum: Scalar): Scalar {
  if (type.bits === 32) return type.signed ? signsDiffer(a, b, sum) : binary("<u", sum, a);
  const low = type.signed ? -(2 ** (type.bits - 1)) : 0;
  const high = low + 2 ** type.bits - 1;
  return or(binary("<", sum, int(low)), binary(">", sum, int(high)));
}

/** Whether the operands have one sign and the sum has the other. */
function signsDiffer(a: Scalar, b: Scalar, sum: Scalar): Scalar {
  return binary("<", binary("&", binary("^", a, sum), binary("^", b, sum)), int(0));
}

function addWide(
  builder: RowBuilder,
  type: IntType,
  left: Words,
  right: Words,
  onNull: NullExit,
): Words {
  const [aLow, aHigh] = [
    builder.stable("addend", at(left, 0)),
    builder.stable("addend", at(left, 1)),
  ];
  const [bLow, bHigh] = [
    builder.stable("addend", at(right, 0)),
    builder.stable("addend", at(right, 1)),
  ];
  const low = builder.stable("low", binary("+", aLow, bLow));
  const carry = builder.stable("carry", select(binary("<u", low, aLow), int(1), int(0)));
  const high = builder.stable("high", binary("+", binary("+", aHigh, bHigh), carry));
  // With a carry, equal high words mean that the other one was all ones.
  const carriesOut = or(
    binary("<u", high, aHigh),
    and(binary("==", high, aHigh), binary("!=", carry, int(0))),
  );
  const overflows = type.signed ? signsDiffer(aHigh, bHigh, high) : carriesOut;
  builder.if(overflows, onNull);
  return [low, high];
}

/** Converts a number; an integer that does not fit int32 becomes the nearest one that does. */
export function castNumber(
  builder: RowBuilder,
  from: ColumnType,
  to: ColumnType,
  words: Words,
): Words {
  if (from.kind === "float" && to.kind === "float") {
    return from.bits < to.bits ? widenFloat(builder, from.bits, to.bits, words) : words;
  }
  if (from.kind !== "int" || to.kind !== "int") {
    throw new KernelError(`Cannot convert ${from.kind} to ${to.kind}`);
  }
  const low = builder.stable("low", at(words, 0));
  if (from.bits < 64 && to.bits === 64) {
    const isUnsigned = from.bits === 32 && !from.signed;
    return [low, isUnsigned ? int(0) : binary(">>", low, int(31))];
  }
  if (from.bits === 64 && to.bits < 64) {
    const high = builder.stable("high", at(words, 1));
    const fits = from.signed
      ? binary("==", high, binary(">>", low, int(31)))
      : and(binary("==", high, int(0)), binary(">=", low, int(0)));
    const isBelow = from.signed ? binary("<", high, int(0)) : bool(false);
    const nearest = select(isBelow, int(-0x80000000), int(0x7fffffff));
    return [select(fits, low, nearest)];
  }
  if (from.bits === 32 && !from.signed && to.bits === 32 && to.signed) {
    return [select(binary("<", low, int(0)), int(0x7fffffff), low)];
  }
  return [low];
}
