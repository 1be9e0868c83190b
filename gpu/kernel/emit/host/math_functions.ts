/**
 * The functions of the host that JavaScript has: kernels call them without parameters for them.
 *
 * @module
 */

import type { HostFunction, MathFunction } from "../../language/host_functions.ts";

/** A function that JavaScript has; `remainder` is an operator of it. */
export type BuiltInFunction = MathFunction | "remainder";

/** The names in JavaScript of those that are functions of `Math`. */
export const MATH_NAMES: Readonly<Record<Exclude<BuiltInFunction, "remainder" | "pow">, string>> = {
  cbrt: "cbrt",
  exp: "exp",
  ln: "log",
  log10: "log10",
  log2: "log2",
  sin: "sin",
  cos: "cos",
  tan: "tan",
  asin: "asin",
  acos: "acos",
  atan: "atan",
  atan2: "atan2",
};

/** Whether JavaScript has a function of the host. */
export function isMath(name: HostFunction): name is BuiltInFunction {
  return name === "remainder" || name === "pow" || Object.hasOwn(MATH_NAMES, name);
}
