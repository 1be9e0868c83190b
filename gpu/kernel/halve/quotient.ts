/**
 * Quotients and remainders of halves. A divisor of 0 makes 0.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { and, binary, convert, float, int, not, select, unary } from "../ir/scalar.ts";
import { choose, extend, magnitude, toFloat } from "./convert.ts";
import { factorsOf } from "./factors.ts";
import type { HalvedCode } from "./halved_code.ts";
import { isBelow, isZero } from "./order.ts";
import { constantPair, type Pair, valueOf } from "./pair.ts";
import { multiply } from "./product.ts";
import { shift } from "./shift.ts";
import { negate, subtract } from "./sum.ts";

/** Divides two numbers towards zero; the remainder has the sign of the dividend. */
export function divide(code: HalvedCode, fn: "/" | "%", a: Pair, b: Pair): Pair {
  if (a.isNarrow && b.isNarrow) return divideNarrow(code, fn, a, b);
  const isNegative = binary("<", a.high, int(0));
  const [dividend, divisor] = [magnitude(code, a), magnitude(code, b)];
  if (fn === "%") {
    const rest = divideUnsigned(code, "%u", dividend, divisor);
    return choose(code, isNegative, negate(code, rest), rest);
  }
  const quotient = divideUnsigned(code, "/u", dividend, divisor);
  const known = valueOf(b);
  const hasSign = known === null
    ? binary("<", binary("^", a.high, b.high), int(0))
    : known < 0n
    ? not(isNegative)
    : isNegative;
  return choose(code, hasSign, negate(code, quotient), quotient);
}

/** Divides two unsigned numbers. */
export function divideUnsigned(code: HalvedCode, fn: "/u" | "%u", a: Pair, b: Pair): Pair {
  const divisor = valueOf(b);
  if (divisor !== null) {
    const result = divideByConstant(code, fn, a, BigInt.asUintN(64, divisor));
    if (result !== null) return result;
  }
  const [q0, q1, r0, r1] = code.once("divide", [a.low, a.high, b.low, b.high], () => {
    const { quotient, rest } = divideByAny(code, a, b);
    return [quotient.low, quotient.high, rest.low, rest.high];
  });
  return fn === "/u" ? { low: q0!, high: q1! } : { low: r0!, high: r1! };
}

function divideNarrow(code: HalvedCode, fn: "/" | "%", a: Pair, b: Pair): Pair {
  const value = extend(code, binary(fn, a.low, b.low));
  if (fn === "%" || b.low.op === "const" && b.low.value !== -1) return value;
  // 2^31 is the one quotient that does not fit.
  const isLimit = and(binary("==", a.low, int(-0x80000000)), binary("==", b.low, int(-1)));
  return { low: value.low, high: code.stable("high", select(isLimit, int(0), value.high)) };
}

/** Returns null if the divisor has no small factors. */
function divideByConstant(
  code: HalvedCode,
  fn: "/u" | "%u",
  a: Pair,
  divisor: bigint,
): Pair | null {
  if (divisor === 0n) return constantPair(0n);
  if ((divisor & (divisor - 1n)) === 0n) {
    if (fn === "/u") return shift(code, ">>>", a, int(divisor.toString(2).length - 1));
    const mask = constantPair(divisor - 1n);
    const [low, high] = [binary("&", a.low, mask.low), binary("&", a.high, mask.high)];
    return { low: code.stable("rest", low), high: code.stable("rest", high) };
  }
  const factors = factorsOf(divisor);
  if (factors === null) return null;
  const quotient = factors.reduce((dividend, factor) => divideByLimb(code, dividend, factor), a);
  if (fn === "/u") return quotient;
  return subtract(code, a, multiply(code, quotient, constantPair(BigInt.asIntN(64, divisor))));
}

/** Divides by at most 2^16, in limbs of 16 bits below the high half. */
function divideByLimb(code: HalvedCode, a: Pair, factor: number): Pair {
  const divisor = int(factor);
  const step = (dividend: Scalar) => {
    const quotient = code.stable("limb", binary("/u", dividend, divisor));
    return [quotient, binary("-", dividend, binary("*", quotient, divisor))] as const;
  };
  const next = (rest: Scalar, limb: Scalar) =>
    code.stable("dividend", binary("|", binary("<<", rest, int(16)), limb));
  const [high, rest] = step(a.high);
  const [middle, last] = step(next(rest, binary(">>>", a.low, int(16))));
  const [low] = step(next(last, binary("&", a.low, int(0xffff))));
  return { low: code.stable("low", binary("|", binary("<<", middle, int(16)), low)), high };
}

/** Divides numbers below 2^53, or 2^32 without f64, at once, and others bit by bit. */
function divideByAny(
  code: HalvedCode,
  a: Pair,
  b: Pair,
): { readonly quotient: Pair; readonly rest: Pair } {
  const variable = () => ({
    low: code.variable("low", int(0)),
    high: code.variable("high", int(0)),
  });
  const [quotient, rest] = [variable(), variable()];
  const set = (target: typeof quotient, value: Pair) => {
    code.set(target.low, value.low);
    code.set(target.high, value.high);
  };
  const both = code.stable("either", binary("|", a.high, b.high));
  const isSmall = code.hasFloats ? binary("<u", both, int(2 ** 21)) : binary("==", both, int(0));
  const divideSmall = () => {
    if (!code.hasFloats) {
      code.set(quotient.low, binary("/u", a.low, b.low));
      return code.set(rest.low, binary("%u", a.low, b.low));
    }
    const [x, y] = [toFloat(code, "toFloatU", a), toFloat(code, "toFloatU", b)];
    const whole = code.stable("whole", unary("floor", binary("/", x, y)));
    set(quotient, halvesOf(whole));
    set(rest, halvesOf(code.stable("rest", binary("-", x, binary("*", whole, y)))));
  };
  const divideBits = () => {
    // The high half of the dividend is below the divisor, or it is divided first.
    code.set(quotient.low, a.low);
    code.set(rest.low, a.high);
    code.if(binary("==", b.high, int(0)), () => {
      code.set(quotient.high, binary("/u", a.high, b.low));
      code.set(rest.low, binary("%u", a.high, b.low));
    });
    const round = code.variable("round", int(0));
    const bits = () => {
      const shifted = { low: topBit(quotient.low), high: topBit(rest.low) };
      const high = binary("|", binary("<<", rest.high, int(1)), shifted.high);
      code.set(rest.high, high);
      code.set(rest.low, binary("|", binary("<<", rest.low, int(1)), shifted.low));
      code.set(quotient.low, binary("<<", quotient.low, int(1)));
      // The rest has at most 63 bits before it is shifted.
      code.if(not(isBelow(rest, b)), () => {
        set(rest, difference(code, rest, b));
        code.set(quotient.low, binary("|", quotient.low, int(1)));
      });
    };
    const step = () => code.set(round, binary("+", round, int(1)));
    code.loop("divide", binary("<", round, int(32)), bits, step);
  };
  code.if(not(isZero(b)), () => code.if(isSmall, divideSmall, divideBits));
  return { quotient, rest };
}

/** Returns a difference that is computed again in each round. */
function difference(code: HalvedCode, a: Pair, b: Pair): Pair {
  const borrow = select(binary("<u", a.low, b.low), int(1), int(0));
  const high = binary("-", binary("-", a.high, b.high), borrow);
  const low = binary("-", a.low, b.low);
  return { low: code.variable("low", low), high: code.variable("high", high) };
}

function topBit(value: Scalar): Scalar {
  return binary(">>>", value, int(31));
}

/** Returns the halves of a whole f64 from 0 to 2^53. */
function halvesOf(whole: Scalar): Pair {
  const high = binary("*", whole, float(2 ** -32));
  return { low: convert("wrap", "i32", whole), high: convert("wrap", "i32", high) };
}
