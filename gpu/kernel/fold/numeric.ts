/**
 * The functions of numbers that row functions call, as real functions.
 *
 * @module
 */

import { type IntrinsicForm, type IntrinsicName, INTRINSICS } from "../language/intrinsics.ts";
import type { f64, i32, i64, Intrinsic } from "../language/row_function.ts";
import type { ConstantValue } from "../ir/evaluate.ts";
import { evaluateIntrinsic } from "./evaluate_intrinsic.ts";

/**
 * The functions of numbers that row functions call. Each stands in `consts` under a name, as helpers
 * do. Those of i64 take and return bigints; the `U` functions take their bits as integers without
 * signs. Those of f64 are computed on the host; `abs`, `sqrt`, `floor`, `ceil`, `trunc` and `nearest`
 * are exact, and so is `remainder`.
 */
export interface Numeric {
  /** The integer of 64 bits with the value of an i32, or of an f64 towards zero: a limit of the type beyond it, and 0 for NaN. */
  readonly toI64: Intrinsic<(value: i32 | f64) => i64>;
  /** The integer of 64 bits with the value of the bits of an i32 without a sign. */
  readonly toI64U: Intrinsic<(value: i32) => i64>;
  /** The low 32 bits of an i64; or an f64 towards zero: a limit of the type beyond it, and 0 for NaN. */
  readonly toI32: Intrinsic<(value: i64 | f64) => i32>;
  /** The float nearest to an integer, ties to even. */
  readonly toF64: Intrinsic<(value: i32 | i64) => f64>;
  /** The float nearest to the bits of an i64 as an integer without a sign. */
  readonly toF64U: Intrinsic<(value: i64) => f64>;
  /** The low 32 bits. */
  readonly lowOf: Intrinsic<(value: i64) => i32>;
  /** The high 32 bits. */
  readonly highOf: Intrinsic<(value: i64) => i32>;
  /** The i64 of two halves. */
  readonly joined: Intrinsic<(low: i32, high: i32) => i64>;
  /** The bits of a float. */
  readonly bitsOf: Intrinsic<(value: f64) => i64>;
  /** The float with these bits. */
  readonly floatOf: Intrinsic<(bits: i64) => f64>;
  /** Whether `left + right` does not fit in 64 bits with a sign. */
  readonly addOverflows: Intrinsic<(left: i64, right: i64) => boolean>;
  /** Whether `left - right` does not fit in 64 bits with a sign. */
  readonly subOverflows: Intrinsic<(left: i64, right: i64) => boolean>;
  /** Whether `left * right` does not fit in 64 bits with a sign. */
  readonly mulOverflows: Intrinsic<(left: i64, right: i64) => boolean>;
  /** Whether `left + right` does not fit in 64 bits, without signs. */
  readonly addOverflowsU: Intrinsic<(left: i64, right: i64) => boolean>;
  /** Whether `left - right` is less than 0, without signs. */
  readonly subOverflowsU: Intrinsic<(left: i64, right: i64) => boolean>;
  /** Whether `left * right` does not fit in 64 bits, without signs. */
  readonly mulOverflowsU: Intrinsic<(left: i64, right: i64) => boolean>;
  /** Whether `left < right` without signs. */
  readonly lessU: Intrinsic<(left: i64, right: i64) => boolean>;
  /** The quotient without signs; 0 for a divisor of 0. */
  readonly divU: Intrinsic<(left: i64, right: i64) => i64>;
  /** The remainder without signs; 0 for a divisor of 0. */
  readonly modU: Intrinsic<(left: i64, right: i64) => i64>;
  /** The number of zero bits above the highest one: 64 for 0. */
  readonly clz: Intrinsic<(value: i64) => i64>;
  /** The absolute value. */
  readonly abs: Intrinsic<(value: f64) => f64>;
  /** The square root; NaN below 0. */
  readonly sqrt: Intrinsic<(value: f64) => f64>;
  /** The greatest whole number that is not greater. */
  readonly floor: Intrinsic<(value: f64) => f64>;
  /** The least whole number that is not less. */
  readonly ceil: Intrinsic<(value: f64) => f64>;
  /** The whole number towards zero. */
  readonly trunc: Intrinsic<(value: f64) => f64>;
  /** The nearest whole number, ties to even. */
  readonly nearest: Intrinsic<(value: f64) => f64>;
  /** The nearest float of 32 bits, ties to even. */
  readonly fround: Intrinsic<(value: f64) => f64>;
  /** `value % divisor`: exact, with the sign of `value`. */
  readonly remainder: Intrinsic<(value: f64, divisor: f64) => f64>;
  /** The cube root. */
  readonly cbrt: Intrinsic<(value: f64) => f64>;
  /** e to the power of `value`. */
  readonly exp: Intrinsic<(value: f64) => f64>;
  /** The natural logarithm: -Infinity for 0, NaN below. */
  readonly ln: Intrinsic<(value: f64) => f64>;
  /** The logarithm to base 10. */
  readonly log10: Intrinsic<(value: f64) => f64>;
  /** The logarithm to base 2. */
  readonly log2: Intrinsic<(value: f64) => f64>;
  /** `base ** exponent`. */
  readonly pow: Intrinsic<(base: f64, exponent: f64) => f64>;
  /** The sine. */
  readonly sin: Intrinsic<(radians: f64) => f64>;
  /** The cosine. */
  readonly cos: Intrinsic<(radians: f64) => f64>;
  /** The tangent. */
  readonly tan: Intrinsic<(radians: f64) => f64>;
  /** The arc sine in radians; NaN beyond -1 and 1. */
  readonly asin: Intrinsic<(value: f64) => f64>;
  /** The arc cosine in radians; NaN beyond -1 and 1. */
  readonly acos: Intrinsic<(value: f64) => f64>;
  /** The arc tangent in radians. */
  readonly atan: Intrinsic<(value: f64) => f64>;
  /** The angle of the point (x, y) in radians, -π to π. */
  readonly atan2: Intrinsic<(y: f64, x: f64) => f64>;
}

/**
 * The functions of numbers that row functions call: conversions, overflow tests, integers without signs,
 * and the functions of floats. Called directly, they compute what the generated code does. They are in
 * one object since several share their names with operations of expressions.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { defineOp, numeric } from "../../../mod.ts";
 *
 * const { addOverflows, toF64 } = numeric;
 * assertEquals(addOverflows(2n ** 63n - 1n, 1n), true);
 * assertEquals(toF64(2n ** 53n + 1n), 2 ** 53);
 *
 * const plus = defineOp({
 *   name: "plusOrNull",
 *   subject: "i64",
 *   args: { other: "i64" },
 *   returns: "i64",
 *   consts: { addOverflows },
 *   row: (value, { other, addOverflows }) => addOverflows(value, other) ? null : value + other,
 * });
 * assertEquals(plus.returns, "i64");
 * ```
 */
export const numeric: Numeric = Object.freeze(
  Object.fromEntries(names().map((name) => [name, intrinsicFunction(name)])),
) as unknown as Numeric;

function names(): IntrinsicName[] {
  return Object.keys(INTRINSICS) as IntrinsicName[];
}

function intrinsicFunction(intrinsic: IntrinsicName): unknown {
  const forms: readonly IntrinsicForm[] = INTRINSICS[intrinsic];
  const call = (...args: readonly unknown[]): ConstantValue => {
    const form = forms.find(({ takes }) =>
      takes.length === args.length && takes.every((type, index) => isOf(type, args[index]))
    );
    if (form === undefined) {
      const takes = forms.map((form) => form.takes.join(" and ")).join(" or ");
      const found = args.map((arg) => typeof arg).join(" and ") || "nothing";
      throw new TypeError(`${intrinsic} takes ${takes}, and was given ${found}`);
    }
    return evaluateIntrinsic(form, args.map((arg, index) => inside(form.takes[index], arg)));
  };
  Object.defineProperty(call, "name", { value: intrinsic });
  return Object.freeze(Object.assign(call, { intrinsic }));
}

/** Whether a value can be an argument of a type; a number is an i32 if it is an integer of 32 bits. */
function isOf(type: string, value: unknown): boolean {
  if (type === "i64") return typeof value === "bigint";
  if (type === "i32") return typeof value === "number" && (value | 0) === value;
  return type === "f64" ? typeof value === "number" : typeof value === "boolean";
}

function inside(type: string | undefined, value: unknown): ConstantValue {
  return type === "i64" ? BigInt.asIntN(64, value as bigint) : value as ConstantValue;
}
