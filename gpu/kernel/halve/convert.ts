/**
 * Conversions between halves and other numbers.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { binary, convert, float, int, select, unary } from "../ir/scalar.ts";
import type { HalvedCode } from "./halved_code.ts";
import type { Pair } from "./pair.ts";
import { negate } from "./sum.ts";

/** Returns the halves of an i32 with its sign. */
export function extend(code: HalvedCode, value: Scalar): Pair {
  const low = code.stable("low", value);
  return { low, high: code.stable("high", binary(">>", low, int(31))), isNarrow: true };
}

/** Returns one number if a test holds, else the other. */
export function choose(code: HalvedCode, test: Scalar, yes: Pair, no: Pair): Pair {
  const isYes = code.stable("test", test);
  return {
    low: code.stable("low", select(isYes, yes.low, no.low)),
    high: code.stable("high", select(isYes, yes.high, no.high)),
    isNarrow: yes.isNarrow === true && no.isNarrow === true,
  };
}

/** Returns the magnitude of a number, without a sign. */
export function magnitude(code: HalvedCode, value: Pair): Pair {
  return choose(code, binary("<", value.high, int(0)), negate(code, value), value);
}

/** Returns the nearest f64. */
export function toFloat(code: HalvedCode, fn: "toFloat" | "toFloatU", value: Pair): Scalar {
  if (value.isNarrow && fn === "toFloat") return convert(fn, "f64", value.low);
  return binary("*", scaled(code, fn, value), float(2 ** 32));
}

/**
 * Returns the f64 nearest to the 2^32nd part of a number: the sum of two that are exact is rounded
 * once. V8 would add whole numbers as integers, which takes four times as long.
 */
export function scaled(code: HalvedCode, fn: "toFloat" | "toFloatU", value: Pair): Scalar {
  const low = value.isNarrow && fn === "toFloat"
    ? binary("*", convert(fn, "f64", value.low), float(2 ** -32))
    : binary("+", convert(fn, "f64", value.high), part(value.low));
  return code.stable("float", low);
}

/** Returns the 2^32nd part of an unsigned i32. */
export function part(value: Scalar): Scalar {
  return binary("*", convert("toFloatU", "f64", value), float(2 ** -32));
}

/** Returns the integer next to an f64 towards zero, or the limit that it is beyond. */
export function truncate(code: HalvedCode, value: Scalar): Pair {
  const whole = code.stable("whole", unary("trunc", value));
  const top = code.stable("top", unary("floor", binary("*", whole, float(2 ** -32))));
  const isAbove = code.stable("isAbove", binary(">=", whole, float(2 ** 63)));
  const isBelow = code.stable("isBelow", binary("<", whole, float(-(2 ** 63))));
  const clamp = (half: Scalar, above: number, below: number) =>
    select(isAbove, int(above), select(isBelow, int(below), half));
  return {
    low: code.stable("low", clamp(convert("wrap", "i32", whole), -1, 0)),
    high: code.stable("high", clamp(convert("wrap", "i32", top), 0x7fffffff, -0x80000000)),
  };
}

/** Returns the number of zeros above the highest one. */
export function leadingZeros(code: HalvedCode, { low, high }: Pair): Pair {
  const lower = binary("+", unary("clz", low), int(32));
  const zeros = select(binary("==", high, int(0)), lower, unary("clz", high));
  return { low: code.stable("zeros", zeros), high: int(0), isNarrow: true };
}
