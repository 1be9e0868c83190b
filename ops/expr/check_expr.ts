import { type Expr, isExpr } from "./expr.ts";

/** Throws a TypeError where a value that stands for `what` is no expression. */
export function checkExpr(what: string, value: unknown): asserts value is Expr {
  if (isExpr(value)) return;
  const given = typeof value === "function" ? "a method that was not called" : kindOf(value);
  throw new TypeError(
    `${what} must be an expression, such as expr("...") or lit(...), not ${given}`,
  );
}

/** What a value is, with its article, for errors. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
