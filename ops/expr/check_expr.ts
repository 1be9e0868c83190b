/** @module */

import { type Expr, isExpr } from "./expr.ts";
import { kindOf } from "./kind_of.ts";

/**
 * Throws a TypeError where a value that stands for `what` is no expression, as programs without types
 * may have it.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { checkExpr } from "./check_expr.ts";
 *
 * assertThrows(() => checkExpr("x", "a > 1"), TypeError, "x must be an expression");
 * ```
 */
export function checkExpr(what: string, value: unknown): asserts value is Expr {
  if (isExpr(value)) return;
  const given = typeof value === "function" ? "a method that was not called" : kindOf(value);
  throw new TypeError(
    `${what} must be an expression, such as expr("...") or lit(...), not ${given}`,
  );
}
