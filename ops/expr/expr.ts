/**
 * Expressions, built in TypeScript: `col("name").upper()`.
 *
 * @module
 */

import type { CompareOp } from "../../gpu/kernel/tree/tree.ts";
import type { StringOp } from "../string/define_string_op.ts";
import * as stringOps from "../string/operations.ts";
import { callNode, type NamedArgs } from "./call_node.ts";
import {
  checkDepth,
  dataNode,
  type ExprNode,
  isRegexData,
  type Literal,
  type LiteralData,
  literalNode,
} from "./node.ts";
import { didYouMean } from "./nearest_name.ts";
import { printNode } from "./print.ts";

/** A value of an expression: an expression, or a literal. */
export type Value = Expr | Literal;

/** An argument of an operation: a value, a pattern, a list, or options as named values. */
export type Argument =
  | Value
  | RegExp
  | LiteralData
  | { readonly [name: string]: Argument | undefined };

/** The built-in string operations as methods. */
export type StringMethods = {
  [Name in keyof typeof stringOps]: (typeof stringOps)[Name] extends StringOp<infer Args>
    ? (...args: Args) => Expr
    : never;
};

/** An expression over the columns of a stream. Immutable; every method gives a new one. */
export type Expr = ExprBase & StringMethods;

/** How `concat` joins its parts. */
export interface ConcatOptions {
  /** Text between two parts. */
  readonly separator?: string;
  /** What stands for a part that is null. Without it any null gives null. */
  readonly nulls?: string;
}

/**
 * What every expression can do besides the string operations.
 *
 * Nulls follow SQL: null in, null out, except that `and` and `or` are three-valued, `ifElse` takes
 * its second branch for a null test, and `isNull` and `fillNull` look at nulls.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { col, printExpr } from "../../mod.ts";
 *
 * const late = col("delay").fillNull(0).gt(60).and(col("origin").eq("SFO").not());
 * assertEquals(printExpr(late), 'delay.fillNull(0) > 60 && !(origin == "SFO")');
 * ```
 */
export class ExprBase {
  /**
   * The tree; plain frozen data.
   *
   * @internal
   */
  readonly node: ExprNode;

  /** Wraps a tree; `col` and `lit` are the usual ways to start. */
  constructor(node: ExprNode) {
    this.node = node;
    Object.freeze(this);
  }

  /** The expression as text, as in a template; `toString` is an operation. */
  [Symbol.toPrimitive](): string {
    return printNode(this.node);
  }

  /** Whether both are equal; text by its bytes. */
  eq(other: Value): Expr {
    return compare("==", this, other);
  }

  /** Whether both differ. */
  ne(other: Value): Expr {
    return compare("!=", this, other);
  }

  /** Whether this is less; text by its bytes. */
  lt(other: Value): Expr {
    return compare("<", this, other);
  }

  /** Whether this is less or equal. */
  le(other: Value): Expr {
    return compare("<=", this, other);
  }

  /** Whether this is greater. */
  gt(other: Value): Expr {
    return compare(">", this, other);
  }

  /** Whether this is greater or equal. */
  ge(other: Value): Expr {
    return compare(">=", this, other);
  }

  /** Whether both are true. */
  and(other: Value): Expr {
    return makeExpr({ node: "and", left: this.node, right: toNode(other) });
  }

  /** Whether one of both is true. */
  or(other: Value): Expr {
    return makeExpr({ node: "or", left: this.node, right: toNode(other) });
  }

  /** Whether this is false. */
  not(): Expr {
    return makeExpr({ node: "not", value: this.node });
  }

  /** The sum of numbers, null where integers overflow; text one after the other. */
  add(other: Value): Expr {
    return makeExpr({ node: "add", left: this.node, right: toNode(other) });
  }

  /** This text and the others, one after the other. See `concat`. */
  concat(...parts: (Value | ConcatOptions)[]): Expr {
    return concat(makeExpr(this.node), ...parts);
  }

  /** Whether this is null; never null itself. */
  isNull(): Expr {
    return makeExpr({ node: "isNull", value: this.node });
  }

  /** This where it is not null, else `other`. */
  fillNull(other: Value): Expr {
    return makeExpr({ node: "fillNull", value: this.node, other: toNode(other) });
  }

  /** The first of this and the others that is not null; null where all are. */
  coalesce(...others: Value[]): Expr {
    return others.reduce<Expr>((value, other) => value.fillNull(other), makeExpr(this.node));
  }

  /**
   * Whether this equals one of the literals, compared as by `eq`. Null where this is null, and, as
   * SQL's IN, where this is not found and a literal is null. A list of none is never true.
   */
  isIn(...values: (Value | readonly Literal[])[]): Expr {
    const literals = values.flat().map((value) => {
      const node = toNode(value as Value);
      if (node.node === "literal") return node.value;
      throw new TypeError("isIn() takes literals; == compares with a column");
    });
    return makeExpr({ node: "isIn", value: this.node, values: Object.freeze(literals) });
  }

  /** `yes` where this is true, else `no`; also `no` where this is null. */
  ifElse(yes: Value, no: Value): Expr {
    return makeExpr({ node: "choose", test: this.node, yes: toNode(yes), no: toNode(no) });
  }

  /**
   * Calls a string operation on this. An argument that is undefined or null is left out; an object
   * at the end gives arguments by name.
   */
  call(op: StringOp, ...args: (Argument | undefined)[]): Expr {
    return makeExpr(
      callNode(op, this.node, args.map((arg) => arg === undefined ? arg : toArgument(arg))),
    );
  }
}

for (const op of Object.values(stringOps)) {
  Object.defineProperty(ExprBase.prototype, op.spec.name, {
    value(this: ExprBase, ...args: (Argument | undefined)[]): Expr {
      return this.call(op, ...args);
    },
  });
}

/**
 * The column of this name.
 *
 * @example
 * ```ts
 * import { col } from "./expr.ts";
 * import { printExpr } from "./print.ts";
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
 * A literal: text, a number, a big integer, a boolean or null.
 *
 * @example
 * ```ts
 * import { col, lit } from "./expr.ts";
 * import { printExpr } from "./print.ts";
 *
 * const text = printExpr(lit("Dr. ").add(col("name")));
 * if (text !== '"Dr. " + name') throw new Error(text);
 * ```
 */
export function lit(value: Literal): Expr {
  return makeExpr(toNode(value));
}

/**
 * `yes` where `test` is true, else `no`; also `no` where `test` is null.
 *
 * @example
 * ```ts
 * import { col, when } from "./expr.ts";
 * import { printExpr } from "./print.ts";
 *
 * const text = printExpr(when(col("delay").gt(60), "late", "on time"));
 * if (text !== 'delay > 60 ? "late" : "on time"') throw new Error(text);
 * ```
 */
export function when(test: Value, yes: Value, no: Value): Expr {
  return makeExpr({ node: "choose", test: toNode(test), yes: toNode(yes), no: toNode(no) });
}

/**
 * Texts one after the other. Any null gives null, unless the options say what stands for it.
 *
 * @example
 * ```ts
 * import { col, concat } from "./expr.ts";
 * import { printExpr } from "./print.ts";
 *
 * const text = printExpr(concat(col("city"), col("state"), { separator: ", ", nulls: "?" }));
 * if (text !== 'concat(city.fillNull("?"), ", ", state.fillNull("?"))') throw new Error(text);
 * ```
 */
export function concat(...values: (Value | ConcatOptions)[]): Expr {
  const last = values.at(-1);
  const options = isOptions(last) ? last : {};
  const unknown = Object.keys(options).find((name) => name !== "separator" && name !== "nulls");
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, ["separator", "nulls"]);
    throw new TypeError(`concat() has no option ${unknown}${hint}`);
  }
  const parts = values.filter((value): value is Value => value !== options);
  if (parts.length === 0) throw new TypeError("concat() takes at least one text");
  const nodes: ExprNode[] = [];
  for (const part of parts) {
    const node = toNode(part);
    if (nodes.length > 0 && options.separator) nodes.push(literalNode(options.separator));
    nodes.push(options.nulls === undefined ? node : fillNullNode(node, options.nulls));
  }
  return makeExpr({ node: "concat", parts: Object.freeze(nodes) });
}

/**
 * The first of the values that is not null; null where all are. Throws a TypeError for no value.
 *
 * @example
 * ```ts
 * import { coalesce, col } from "./expr.ts";
 * import { printExpr } from "./print.ts";
 *
 * const text = printExpr(coalesce(col("nickname"), col("name"), "?"));
 * if (text !== 'nickname.fillNull(name).fillNull("?")') throw new Error(text);
 * ```
 */
export function coalesce(first: Value, ...others: Value[]): Expr {
  if (first === undefined) throw new TypeError("coalesce() takes at least one value");
  return makeExpr(toNode(first)).coalesce(...others);
}

/** Wraps a tree. Throws a RangeError for one that is more than 500 operations deep. */
export function makeExpr(node: ExprNode): Expr {
  checkDepth(node);
  return new ExprBase(Object.freeze(node)) as Expr;
}

/** Whether a value is an expression. */
export function isExpr(value: unknown): value is Expr {
  return value instanceof ExprBase;
}

function compare(op: CompareOp, left: ExprBase, right: Value): Expr {
  return makeExpr({ node: "compare", op, left: left.node, right: toNode(right) });
}

function fillNullNode(value: ExprNode, text: string): ExprNode {
  return Object.freeze({ node: "fillNull", value, other: literalNode(text) });
}

function isOptions(value: Value | ConcatOptions | undefined): value is ConcatOptions {
  return typeof value === "object" && value !== null && !isExpr(value);
}

/** An argument of an operation as a node, or as named nodes. */
function toArgument(value: Argument): ExprNode | NamedArgs {
  if (typeof value !== "object" || value === null || isExpr(value)) return toNode(value as Value);
  if (value instanceof RegExp) return dataNode({ regex: value.source, flags: value.flags });
  if (Array.isArray(value) || isRegexData(value)) return dataNode(value as LiteralData);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`An argument cannot be a ${value.constructor.name}`);
  }
  const named = Object.entries(value as Record<string, Argument | undefined>)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => {
      const arg = toArgument(item ?? null);
      return [name, "named" in arg ? dataNode(item as LiteralData) : arg];
    });
  return { named: Object.fromEntries(named) };
}

/** A value as a node. Throws a `TypeError` for anything else. */
function toNode(value: Value): ExprNode {
  if (isExpr(value)) return value.node;
  switch (value === null ? "null" : typeof value) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
    case "null":
      return literalNode(value);
  }
  throw new TypeError("An expression or a literal is needed: text, a number, a boolean or null");
}
