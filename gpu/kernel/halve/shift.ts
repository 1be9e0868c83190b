/**
 * Shifts of halves. A shift of an i32 takes the low five bits of its count.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { binary, int, select, unary } from "../ir/scalar.ts";
import type { HalvedCode } from "./halved_code.ts";
import type { Pair } from "./pair.ts";

/** Shifts a number by the low six bits of a count. */
export function shift(
  code: HalvedCode,
  fn: "<<" | ">>" | ">>>",
  { low, high }: Pair,
  count: Scalar,
): Pair {
  const n = code.stable("count", count);
  const isFar = code.stable("isFar", binary("!=", binary("&", n, int(32)), int(0)));
  // The bits that pass from one half to the other: none if the low five bits of the count are 0.
  const rest = unary("~", n);
  const choose = (far: Scalar, near: Scalar) => code.stable("shifted", select(isFar, far, near));
  if (fn === "<<") {
    const shifted = code.stable("shifted", binary("<<", low, n));
    const passed = binary(">>>", binary(">>>", low, int(1)), rest);
    const near = binary("|", binary("<<", high, n), passed);
    return { low: choose(int(0), shifted), high: choose(shifted, near) };
  }
  const shifted = code.stable("shifted", binary(fn, high, n));
  const passed = binary("<<", binary("<<", high, int(1)), rest);
  const near = binary("|", binary(">>>", low, n), passed);
  const filled = fn === ">>" ? binary(">>", high, int(31)) : int(0);
  return { low: choose(shifted, near), high: choose(filled, shifted) };
}
