/**
 * The values of operators on constants: what every target computes for them.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { BinaryFn, ConvertFn, ScalarType, UnaryFn } from "./ir.ts";

/** The value of a constant: a bigint for an i64. */
export type ConstantValue = number | bigint | boolean;

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Returns the value of a unary operator; a number is an i32 unless `type` is f64. */
export function evaluateUnary(
  fn: UnaryFn,
  value: ConstantValue,
  type: ScalarType = "i32",
): ConstantValue {
  switch (fn) {
    case "!":
      return !value;
    case "-":
      if (typeof value === "bigint") return BigInt.asIntN(64, -value);
      return type === "f64" ? -Number(value) : -Number(value) | 0;
    case "~":
      return typeof value === "bigint" ? ~value : ~Number(value);
    case "clz":
      if (typeof value !== "bigint") return Math.clz32(Number(value));
      return BigInt(64 - (value === 0n ? 0 : unsigned(value).toString(2).length));
    case "nearest":
      return nearest(Number(value));
    default:
      return Math[fn](Number(value));
  }
}

/** Rounds to a whole number, ties to even. */
function nearest(value: number): number {
  if (!(Math.abs(value) < 2 ** 52)) return value;
  const magnitude = Math.abs(value) + 2 ** 52 - 2 ** 52;
  return value < 0 || Object.is(value, -0) ? -magnitude : magnitude;
}

/** Returns the value of a binary operator; numbers are i32 unless `type`, that of the operands, is f64. */
export function evaluateBinary(
  fn: BinaryFn,
  left: ConstantValue,
  right: ConstantValue,
  type: ScalarType = "i32",
): ConstantValue {
  if (fn === "&&") return left === true && right === true;
  if (fn === "||") return left === true || right === true;
  if (typeof left === "bigint") return ofLongs(fn, left, BigInt(right));
  if (type === "f64") return ofFloats(fn, Number(left), Number(right));
  if (fn === "==") return left === right;
  if (fn === "!=") return left !== right;
  return ofInts(fn, Number(left), Number(right));
}

function ofInts(fn: BinaryFn, a: number, b: number): ConstantValue {
  switch (fn) {
    case "+":
      return (a + b) | 0;
    case "-":
      return (a - b) | 0;
    case "*":
      return Math.imul(a, b);
    case "/":
      return (a / b) | 0;
    case "%":
      return (a % b) | 0;
    case "/u":
      return ((a >>> 0) / (b >>> 0)) | 0;
    case "%u":
      return ((a >>> 0) % (b >>> 0)) | 0;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "<<":
      return a << b;
    case ">>":
      return a >> b;
    case ">>>":
      return (a >>> b) | 0;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "<u":
      return (a >>> 0) < (b >>> 0);
    case "join":
      return BigInt.asIntN(64, BigInt.asUintN(32, BigInt(a)) | (BigInt(b) << 32n));
    default:
      throw new InternalError(`${fn} takes no i32`);
  }
}

function ofLongs(fn: BinaryFn, a: bigint, b: bigint): ConstantValue {
  const signed = (value: bigint) => BigInt.asIntN(64, value);
  const isOut = (value: bigint) => value < INT64_MIN || value > INT64_MAX;
  const [ua, ub] = [unsigned(a), unsigned(b)];
  const isOutU = (value: bigint) => value !== unsigned(value);
  switch (fn) {
    case "+":
      return signed(a + b);
    case "-":
      return signed(a - b);
    case "*":
      return signed(a * b);
    case "/":
      return b === 0n ? 0n : signed(a / b);
    case "%":
      return b === 0n ? 0n : a % b;
    case "/u":
      return b === 0n ? 0n : signed(ua / ub);
    case "%u":
      return b === 0n ? 0n : signed(ua % ub);
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "<<":
      return signed(a << (b & 63n));
    case ">>":
      return a >> (b & 63n);
    case ">>>":
      return signed(ua >> (b & 63n));
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "<u":
      return ua < ub;
    case "+overflows":
      return isOut(a + b);
    case "-overflows":
      return isOut(a - b);
    case "*overflows":
      return isOut(a * b);
    case "+overflowsU":
      return isOutU(ua + ub);
    case "-overflowsU":
      return isOutU(ua - ub);
    case "*overflowsU":
      return isOutU(ua * ub);
    default:
      throw new InternalError(`${fn} takes no i64`);
  }
}

function ofFloats(fn: BinaryFn, a: number, b: number): ConstantValue {
  switch (fn) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    default:
      throw new InternalError(`${fn} takes no f64`);
  }
}

/** Returns the value of a conversion to a type. */
export function evaluateConvert(
  fn: ConvertFn,
  value: ConstantValue,
  type: ScalarType,
): ConstantValue {
  switch (fn) {
    case "extend":
      return BigInt(value);
    case "extendU":
      return BigInt.asUintN(32, BigInt(value));
    case "low":
      return Number(BigInt.asIntN(32, bitsOf(value)));
    case "high":
      return Number(BigInt.asIntN(32, bitsOf(value) >> 32n));
    case "toFloat":
      return Number(value);
    case "toFloatU":
      return typeof value === "bigint" ? Number(unsigned(value)) : Number(value) >>> 0;
    case "bits":
      return type === "i64" ? bitsOf(value) : floatOf(BigInt(value));
    case "truncate":
      return truncated(Number(value), type);
    case "wrap":
      return Number(value) | 0;
  }
}

function truncated(value: number, type: ScalarType): ConstantValue {
  if (type === "i32") {
    return Number.isNaN(value) ? 0 : Math.min(Math.max(value, -(2 ** 31)), 2 ** 31 - 1) | 0;
  }
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return INT64_MAX;
  return value < -(2 ** 63) ? INT64_MIN : BigInt(Math.trunc(value));
}

function unsigned(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

const view = new DataView(new ArrayBuffer(8));

/** Returns the bits of a float64, of one NaN for all; an i64 is its own bits. */
function bitsOf(value: ConstantValue): bigint {
  if (typeof value === "bigint") return value;
  if (Number.isNaN(value)) return 0x7ff8n << 48n;
  view.setFloat64(0, Number(value));
  return view.getBigInt64(0);
}

function floatOf(bits: bigint): number {
  view.setBigInt64(0, bits);
  return view.getFloat64(0);
}
