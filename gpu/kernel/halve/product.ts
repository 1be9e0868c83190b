/**
 * Products of halves, and whether they overflow.
 *
 * With f64, the product of two 32-bit numbers is rounded by at most 2^10, and its low half is known
 * exactly: that determines the high half. Without, the factors are cut into limbs of 16 bits (Knuth,
 * The Art of Computer Programming, volume 2, 4.3.1, algorithm M).
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { and, binary, bool, convert, float, int, not, or, select, unary } from "../ir/scalar.ts";
import { magnitude, part, scaled } from "./convert.ts";
import type { HalvedCode } from "./halved_code.ts";
import type { Pair } from "./pair.ts";

/** Multiplies two numbers. */
export function multiply(code: HalvedCode, a: Pair, b: Pair): Pair {
  if (a.isNarrow && b.isNarrow && code.hasFloats) return widen(code, a.low, b.low, "toFloat");
  const { low, high } = widen(code, a.low, b.low, "toFloatU");
  const others = binary("+", times(a.low, b.high), times(a.high, b.low));
  return { low, high: code.stable("high", binary("+", high, others)) };
}

/** Whether a product does not fit. */
export function productOverflows(code: HalvedCode, a: Pair, b: Pair): Scalar {
  if (a.isNarrow && b.isNarrow) return bool(false);
  if (code.hasFloats) return isFarOff(code, "toFloat", a, b);
  const isNegative = binary("<", binary("^", a.high, b.high), int(0));
  const { low, high, overflows } = wideProduct(code, magnitude(code, a), magnitude(code, b));
  // The magnitude 2^63 fits if the product is negative.
  const isLimit = and(isNegative, binary("==", high, int(-0x80000000)), binary("==", low, int(0)));
  return or(overflows, and(binary("<", high, int(0)), not(isLimit)));
}

/** Whether a product of unsigned numbers does not fit. */
export function productOverflowsUnsigned(code: HalvedCode, a: Pair, b: Pair): Scalar {
  return code.hasFloats ? isFarOff(code, "toFloatU", a, b) : wideProduct(code, a, b).overflows;
}

/**
 * Whether the product of the nearest f64 is far off the product of the halves. That is off by a
 * multiple of 2^64 if it overflows, and the rounding of the f64 is small beside either.
 */
function isFarOff(code: HalvedCode, fn: "toFloat" | "toFloatU", a: Pair, b: Pair): Scalar {
  // All are divided by 2^64.
  const nearest = binary("*", scaled(code, fn, a), scaled(code, fn, b));
  const product = binary("*", scaled(code, fn, multiply(code, a, b)), float(2 ** -32));
  return binary(">", unary("abs", binary("-", nearest, product)), float(0.5));
}

/** Returns the product of unsigned numbers, and whether it does not fit. */
function wideProduct(code: HalvedCode, a: Pair, b: Pair): Pair & { readonly overflows: Scalar } {
  const { low, high } = widen(code, a.low, b.low, "toFloatU");
  // One high half is 0, or the product does not fit.
  const isLarge = code.stable("isLarge", binary("!=", a.high, int(0)));
  const top = code.stable("top", select(isLarge, a.high, b.high));
  const other = code.stable("other", select(isLarge, b.low, a.low));
  const middle = widen(code, top, other, "toFloatU");
  const sum = code.stable("high", binary("+", high, middle.low));
  const overflows = or(
    and(isLarge, binary("!=", b.high, int(0))),
    binary("!=", middle.high, int(0)),
    binary("<u", sum, high),
  );
  return { low, high: sum, overflows };
}

/** Multiplies two 32-bit numbers to 64 bits: with signs, which takes f64, or without. */
function widen(code: HalvedCode, x: Scalar, y: Scalar, fn: "toFloat" | "toFloatU"): Pair {
  const low = code.stable("low", times(x, y));
  if (!code.hasFloats) return { low, high: highOfLimbs(code, x, y) };
  const first = binary("*", convert(fn, "f64", x), float(2 ** -32));
  const quotient = binary("-", binary("*", first, convert(fn, "f64", y)), part(low));
  // Above 0, so that cutting off the fraction rounds to the nearest; 2^32 does not change the half.
  const rounded = binary("+", quotient, float(fn === "toFloat" ? 2 ** 32 + 0.5 : 0.5));
  return { low, high: code.stable("high", convert("wrap", "i32", rounded)) };
}

function highOfLimbs(code: HalvedCode, x: Scalar, y: Scalar): Scalar {
  const [x0, x1] = limbs(code, x);
  const [y0, y1] = limbs(code, y);
  const carried = binary(">>>", times(x0, y0), int(16));
  const middle = code.stable("middle", binary("+", times(x1, y0), carried));
  const other = binary("+", times(x0, y1), binary("&", middle, int(0xffff)));
  const carries = binary("+", binary(">>>", middle, int(16)), binary(">>>", other, int(16)));
  return code.stable("high", binary("+", times(x1, y1), carries));
}

function limbs(code: HalvedCode, x: Scalar): [low: Scalar, high: Scalar] {
  const low = code.stable("limb", binary("&", x, int(0xffff)));
  return [low, code.stable("limb", binary(">>>", x, int(16)))];
}

/** Multiplies i32; a constant 0 makes 0. */
function times(x: Scalar, y: Scalar): Scalar {
  const isZero = (factor: Scalar) => factor.op === "const" && factor.value === 0;
  return isZero(x) || isZero(y) ? int(0) : binary("*", x, y);
}
