/**
 * The values of intrinsics on constants, for the interpreter and for calls outside of row functions.
 *
 * @module
 */

import {
  type ConstantValue,
  evaluateBinary,
  evaluateConvert,
  evaluateUnary,
} from "../ir/evaluate.ts";
import type { MathFunction } from "../language/host_functions.ts";
import { type IntrinsicForm, type IntrinsicName, INTRINSICS } from "../language/intrinsics.ts";

/** The functions of floats that only the host has, as its kernels call them. */
export const MATH: Readonly<
  Record<MathFunction | "remainder", (value: number, other: number) => number>
> = {
  remainder: (value, divisor) => value % divisor,
  cbrt: Math.cbrt,
  exp: Math.exp,
  ln: Math.log,
  log10: Math.log10,
  log2: Math.log2,
  pow: Math.pow,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  atan2: Math.atan2,
};

/** Returns the value of an intrinsic on arguments of the types of one of its forms. */
export function evaluateIntrinsic(
  { code, takes, returns }: IntrinsicForm,
  args: readonly ConstantValue[],
): ConstantValue {
  const [first = 0, second = 0] = args;
  if ("unary" in code) return evaluateUnary(code.unary, first, takes[0]);
  if ("binary" in code) return evaluateBinary(code.binary, first, second, takes[0]);
  if ("convert" in code) return evaluateConvert(code.convert, first, returns);
  return MATH[code.host](Number(first), Number(second));
}

/** Returns the form of an intrinsic that takes these types. */
export function formOf(name: IntrinsicName, types: readonly string[]): IntrinsicForm | undefined {
  const forms: readonly IntrinsicForm[] = INTRINSICS[name];
  return forms.find(({ takes }) =>
    takes.length === types.length && takes.every((type, index) => type === types[index])
  );
}
