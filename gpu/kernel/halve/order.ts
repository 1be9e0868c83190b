/**
 * Comparisons of halves.
 *
 * @module
 */

import type { BinaryFn, Scalar } from "../ir/ir.ts";
import { and, binary, int, not, or } from "../ir/scalar.ts";
import { type Pair, valueOf } from "./pair.ts";

/** Returns a comparison of two numbers; undefined for another operator. */
export function compare(fn: BinaryFn, a: Pair, b: Pair): Scalar | undefined {
  switch (fn) {
    case "==":
      return areEqual(a, b);
    case "!=":
      return not(areEqual(a, b));
    case "<":
      return isLess(a, b);
    case ">":
      return isLess(b, a);
    case "<=":
      return not(isLess(b, a));
    case ">=":
      return not(isLess(a, b));
    case "<u":
      return isBelow(a, b);
  }
}

/** Whether two numbers are equal. */
export function areEqual(a: Pair, b: Pair): Scalar {
  const isLow = binary("==", a.low, b.low);
  return a.isNarrow && b.isNarrow ? isLow : and(isLow, binary("==", a.high, b.high));
}

/** Whether a number is 0. */
export function isZero({ low, high, isNarrow }: Pair): Scalar {
  return binary("==", isNarrow ? low : binary("|", low, high), int(0));
}

/** Whether a number is less than another. */
export function isLess(a: Pair, b: Pair): Scalar {
  if (a.isNarrow && b.isNarrow) return binary("<", a.low, b.low);
  if (valueOf(b) === 0n) return binary("<", a.high, int(0));
  return ordered("<", a, b);
}

/** Whether a number is below another, both unsigned. */
export function isBelow(a: Pair, b: Pair): Scalar {
  return ordered("<u", a, b);
}

function ordered(less: "<" | "<u", a: Pair, b: Pair): Scalar {
  const isTie = and(binary("==", a.high, b.high), binary("<u", a.low, b.low));
  return or(binary(less, a.high, b.high), isTie);
}
