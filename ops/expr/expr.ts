/**
 * Builds expressions in TypeScript: `col("name").upper()`.
 *
 * @module
 */

import type * as dateOps from "../dates/operations.ts";
import type * as numberOps from "../number/operations.ts";
import type * as stringOps from "../string/operations.ts";
import { builtInOperations } from "./built_in_operations.ts";
import {
  type Argument,
  concatNode,
  type ConcatOptions,
  ExprBase,
  toNode,
  type Value,
} from "../syntax/expr_base.ts";
import type { ExprNode, StringOp } from "../syntax/node.ts";
import type { Literal } from "../syntax/literal.ts";
import { printNode } from "../syntax/print.ts";

/** Operations by name as methods of an expression. */
export type MethodsOf<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends StringOp<infer Args>
    ? (...args: Args) => Expr
    : never;
};

/** The built-in string operations as methods. */
export type StringMethods = MethodsOf<typeof stringOps>;

/** The built-in operations on numbers as methods. */
export type NumberMethods = MethodsOf<typeof numberOps>;

/** The built-in operations on dates and times as methods. */
export type DateMethods = MethodsOf<typeof dateOps>;

/** An expression over the columns of a stream. Immutable; every method returns a new one. */
export type Expr = ExprBase & StringMethods & NumberMethods & DateMethods;

for (const op of builtInOperations) {
  Object.defineProperty(ExprBase.prototype, op.spec.name, {
    value(this: ExprBase, ...args: (Argument | undefined)[]): ExprBase {
      return this.call(op, ...args);
    },
  });
}

/**
 * Returns the column of this name.
 *
 * @example
 * ```ts
 * import { col, printExpr } from "./expr.ts";
 *
 * const text = printExpr(col("name").splitPart(" ", 1).slice(0, 1).upper());
 * if (text !== 'name.splitPart(" ", 1).slice(0, 1).upper()') throw new Error(text);
 * ```
 */
export function col(name: string): Expr {
  if (typeof name !== "string") throw new TypeError("col() takes the name of a column");
  return makeExpr({ node: "column", name });
}

/**
 * Returns a column of the build side of a join, for the condition `where` of the join; as text, `right.time`
 * or `right["first name"]`.
 *
 * @example
 * ```ts
 * import { col, printExpr, right } from "./expr.ts";
 *
 * const text = printExpr(col("start").le(right("time")));
 * if (text !== "start <= right.time") throw new Error(text);
 * ```
 */
export function right(name: string): Expr {
  if (typeof name !== "string") throw new TypeError("right() takes the name of a column");
  return makeExpr({ node: "column", name, side: "right" });
}

/**
 * Returns a literal: text, a number, a big integer, a boolean or null.
 *
 * @example
 * ```ts
 * import { col, lit, printExpr } from "./expr.ts";
 *
 * const text = printExpr(lit("Dr. ").add(col("name")));
 * if (text !== '"Dr. " + name') throw new Error(text);
 * ```
 */
export function lit(value: Literal): Expr {
  return makeExpr(toNode(value));
}

/**
 * Returns `yes` where `test` is true, else `no`; also `no` where `test` is null.
 *
 * @example
 * ```ts
 * import { col, when, printExpr } from "./expr.ts";
 *
 * const text = printExpr(when(col("delay").gt(60), "late", "on time"));
 * if (text !== 'delay > 60 ? "late" : "on time"') throw new Error(text);
 * ```
 */
export function when(test: Value, yes: Value, no: Value): Expr {
  return makeExpr({ node: "choose", test: toNode(test), yes: toNode(yes), no: toNode(no) });
}

/**
 * Joins texts. Any null makes the result null, unless the option `nulls` is the text for a null.
 *
 * @example
 * ```ts
 * import { col, concat, printExpr } from "./expr.ts";
 *
 * const text = printExpr(concat(col("city"), col("state"), { separator: ", ", nulls: "?" }));
 * if (text !== 'concat(city.fillNull("?"), ", ", state.fillNull("?"))') throw new Error(text);
 * ```
 */
export function concat(...values: (Value | ConcatOptions)[]): Expr {
  return makeExpr(concatNode(values));
}

/**
 * Returns the first of the values that is not null; null if all are. Throws a TypeError without values.
 *
 * @example
 * ```ts
 * import { coalesce, col, printExpr } from "./expr.ts";
 *
 * const text = printExpr(coalesce(col("nickname"), col("name"), "?"));
 * if (text !== 'nickname.fillNull(name).fillNull("?")') throw new Error(text);
 * ```
 */
export function coalesce(first: Value, ...others: Value[]): Expr {
  if (first === undefined) throw new TypeError("coalesce() takes at least one value");
  return makeExpr(toNode(first)).coalesce(...others);
}

/**
 * Returns the date of this moment in UTC, as date32. It is fixed when the expression is made, so that
 * all rows have the same.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { printExpr, today } from "./expr.ts";
 *
 * assertEquals(/^"\d{4}-\d\d-\d\d"\.cast\("date32"\)$/.test(printExpr(today())), true);
 * ```
 */
export function today(): Expr {
  return lit(new Date().toISOString().slice(0, 10)).cast("date32");
}

/**
 * Returns this moment, as timestamp[us, UTC]. It is fixed when the expression is made, so that all rows
 * have the same.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { now, printExpr } from "./expr.ts";
 *
 * assertEquals(/T.*Z"\.cast\("timestamp\[us, UTC\]"\)$/.test(printExpr(now())), true);
 * ```
 */
export function now(): Expr {
  return lit(new Date().toISOString()).cast("timestamp[us, UTC]");
}

/**
 * Prints an expression with no more parentheses than it needs. Parsing the text returns the same
 * expression.
 *
 * @example
 * ```ts
 * import { col, printExpr } from "./expr.ts";
 *
 * const text = printExpr(col("state").eq("CA").or(col("first name").isNull()));
 * if (text !== 'state == "CA" || col("first name").isNull()') throw new Error(text);
 * ```
 */
export function printExpr({ node }: ExprBase): string {
  return printNode(node);
}

/** Wraps a tree. Throws a DepthError for one that is more than 500 operations deep. */
export function makeExpr(node: ExprNode): Expr {
  return new ExprBase(node) as Expr;
}

/** Whether a value is an expression. */
export function isExpr(value: unknown): value is Expr {
  return value instanceof ExprBase;
}
