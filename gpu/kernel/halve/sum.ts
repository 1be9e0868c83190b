/**
 * Sums and differences of halves, and whether they overflow.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { binary, int, isConstant, select, unary } from "../ir/scalar.ts";
import type { HalvedCode } from "./halved_code.ts";
import { constantPair, type Pair } from "./pair.ts";

/** Adds two numbers. */
export function add(code: HalvedCode, a: Pair, b: Pair): Pair {
  const low = code.stable("low", binary("+", a.low, b.low));
  // A sum that wrapped is below both operands.
  const operand = a.low.op === "const" ? a.low : b.low;
  const high = binary("+", binary("+", a.high, b.high), bit(code, binary("<u", low, operand)));
  return { low, high: code.stable("high", high) };
}

/** Subtracts `b` from `a`. */
export function subtract(code: HalvedCode, a: Pair, b: Pair): Pair {
  const low = code.stable("low", binary("-", a.low, b.low));
  const borrows = isConstant(a.low, 0) ? binary("!=", b.low, a.low) : binary("<u", a.low, b.low);
  const high = binary("-", binary("-", a.high, b.high), bit(code, borrows));
  return { low, high: code.stable("high", high) };
}

/** Negates a number. */
export function negate(code: HalvedCode, a: Pair): Pair {
  return subtract(code, constantPair(0n), a);
}

/** Whether a sum does not fit: both operands have the sign that it does not have. */
export function sumOverflows(code: HalvedCode, a: Pair, b: Pair): Scalar {
  const { high } = add(code, a, b);
  return isNegative(binary("&", binary("^", a.high, high), binary("^", b.high, high)));
}

/** Whether a difference does not fit: `a` has neither the sign of `b` nor that of the difference. */
export function differenceOverflows(code: HalvedCode, a: Pair, b: Pair): Scalar {
  const { high } = subtract(code, a, b);
  return isNegative(binary("&", binary("^", a.high, b.high), binary("^", a.high, high)));
}

/** Whether a sum of unsigned numbers carries out of its highest bit. */
export function sumOverflowsUnsigned(code: HalvedCode, a: Pair, b: Pair): Scalar {
  const { high } = add(code, a, b);
  const either = binary("|", a.high, b.high);
  const carries = binary("|", binary("&", a.high, b.high), binary("&", either, unary("~", high)));
  return isNegative(carries);
}

/** Returns 1 if a test holds, else 0. */
function bit(code: HalvedCode, test: Scalar): Scalar {
  if (test.op === "binary" && test.fn === "<u" && test.right.op === "const") {
    if (test.right.value === 0) return int(0);
  }
  return code.stable("carry", select(test, int(1), int(0)));
}

function isNegative(value: Scalar): Scalar {
  return binary("<", value, int(0));
}
