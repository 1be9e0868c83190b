/**
 * The check that an argument is an expression.
 *
 * @module
 */

import { kindOf } from "../../base/kind_of.ts";
import { type Expr, isExpr } from "./expr.ts";

/** Throws a TypeError if a value, which `what` names, is not an expression. */
export function checkExpr(what: string, value: unknown): asserts value is Expr {
  if (isExpr(value)) return;
  const given = typeof value === "function" ? "a method that was not called" : kindOf(value);
  throw new TypeError(
    `${what} must be an expression, such as expr("...") or lit(...), not ${given}`,
  );
}
