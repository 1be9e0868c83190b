/**
 * Expressions without the methods for string operations, which are defined on top of these.
 *
 * @module
 */

import type { CompareOp } from "../../gpu/kernel/tree/tree.ts";
import { callNode, type NamedArgs } from "./call_node.ts";
import { checkDepth } from "./depth.ts";
import { didYouMean } from "../../base/nearest_name.ts";
import { dataNode, isRegexData, type Literal, type LiteralData, literalNode } from "./literal.ts";
import type { ExprNode, StringOp } from "./node.ts";
import { printNode } from "./print.ts";

/** An operand of an expression: an expression, or a literal. */
export type Value = ExprBase | Literal;

/** An argument of an operation: an operand, a pattern, a list, or options as named values. */
export type Argument =
  | Value
  | RegExp
  | LiteralData
  | { readonly [name: string]: Argument | undefined };

/** Options of `concat`. */
export interface ConcatOptions {
  /** The text between two parts. */
  readonly separator?: string;
  /** The text for a part that is null. Without it, any null part makes the result null. */
  readonly nulls?: string;
}

/**
 * The methods that every expression has besides the operations.
 *
 * Nulls follow SQL: null in, null out. The exceptions are `and` and `or`, which are three-valued,
 * `ifElse`, which takes its second branch for a null test, and `isNull`, `fillNull`, `coalesce` and
 * `isIn`, which handle nulls.
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
   * The tree, as plain frozen data.
   *
   * @internal
   */
  readonly node: ExprNode;

  /** Wraps a tree; throws a DepthError for one that is more than 500 operations deep. */
  constructor(node: ExprNode) {
    checkDepth(node);
    this.node = Object.freeze(node);
    Object.freeze(this);
  }

  /** Returns the expression as text, for templates; `toString` is an operation. */
  [Symbol.toPrimitive](): string {
    return printNode(this.node);
  }

  /** Whether both are equal; text by its bytes. */
  eq(other: Value): this {
    return compare("==", this, other);
  }

  /** Whether both differ. */
  ne(other: Value): this {
    return compare("!=", this, other);
  }

  /** Whether this is less; text by its bytes. */
  lt(other: Value): this {
    return compare("<", this, other);
  }

  /** Whether this is less or equal. */
  le(other: Value): this {
    return compare("<=", this, other);
  }

  /** Whether this is greater. */
  gt(other: Value): this {
    return compare(">", this, other);
  }

  /** Whether this is greater or equal. */
  ge(other: Value): this {
    return compare(">=", this, other);
  }

  /** Whether both this and `other` are true. */
  and(other: Value): this {
    return derive(this, { node: "and", left: this.node, right: toNode(other) });
  }

  /** Whether this or `other` is true. */
  or(other: Value): this {
    return derive(this, { node: "or", left: this.node, right: toNode(other) });
  }

  /** Whether this or one of the others is true; null where none is, and one is null. */
  any(...others: [Value, ...Value[]]): this {
    return joined("any", others, (left, right) => left.or(right), this);
  }

  /** Whether this and all others are true; null where none is false, and one is null. */
  all(...others: [Value, ...Value[]]): this {
    return joined("all", others, (left, right) => left.and(right), this);
  }

  /** Whether this is false. */
  not(): this {
    return derive(this, { node: "not", value: this.node });
  }

  /** Joins this text and the others. See `concat`. */
  concat(...parts: (Value | ConcatOptions)[]): this {
    return derive(this, concatNode([this, ...parts]));
  }

  /**
   * The field of this name of each struct; null where the struct or the field is null. As text,
   * `address.city` or `address["post code"]`.
   */
  field(name: string): this {
    if (typeof name !== "string") throw new TypeError("field() takes the name of a field");
    const { node } = this;
    const isPart = node.node === "call" && node.part === undefined &&
      node.op.spec.parts?.includes(name) === true;
    return derive(this, isPart ? { ...node, part: name } : { node: "field", value: node, name });
  }

  /** Whether this is null; never null itself. */
  isNull(): this {
    return derive(this, { node: "isNull", value: this.node });
  }

  /** Whether this is not null; never null itself. */
  isNotNull(): this {
    return this.isNull().not();
  }

  /** Whether this is at least `low` and at most `high`. */
  between(low: Value, high: Value): this {
    return this.ge(low).and(this.le(high));
  }

  /** Returns null where this equals `value`, else this. */
  nullIf(value: Value): this {
    return this.eq(value).ifElse(null, this);
  }

  /**
   * Returns this expression with null in each row where it would fail: where a result does not fit in
   * its type, a divisor is 0, or a cast has no value.
   */
  orNull(): this {
    return derive(this, { node: "orNull", value: this.node });
  }

  /** Returns this where it is not null, else `other`. */
  fillNull(other: Value): this {
    return derive(this, { node: "fillNull", value: this.node, other: toNode(other) });
  }

  /** Returns the first value of this and the others that is not null; null if all are. */
  coalesce(...others: Value[]): this {
    return others.reduce<this>((value, other) => value.fillNull(other), this);
  }

  /**
   * Whether this equals one of the literals, compared as by `eq`. Null where this is null, and, like
   * SQL's IN, where no literal is equal and one of them is null. With an empty list it is never true.
   */
  isIn(...values: (Value | readonly Literal[])[]): this {
    const literals = values.flat().map((value) => {
      const node = toNode(value as Value);
      if (node.node === "literal") return node.value;
      throw new TypeError("isIn() takes literals; == compares with a column");
    });
    return derive(this, { node: "isIn", value: this.node, values: Object.freeze(literals) });
  }

  /** Returns `yes` where this is true, else `no`; also `no` where this is null. */
  ifElse(yes: Value, no: Value): this {
    return derive(this, { node: "choose", test: this.node, yes: toNode(yes), no: toNode(no) });
  }

  /**
   * Calls a string operation on this. An argument that is undefined or null is left out; an object
   * at the end holds arguments by name.
   */
  call(op: StringOp, ...args: (Argument | undefined)[]): this {
    const given = args.map((arg) => arg === undefined ? arg : toArgument(arg));
    return derive(this, callNode(op, this.node, given));
  }
}

/** Returns an expression of the same type with another tree; all expressions have one class. */
function derive<E extends ExprBase>(_expr: E, node: ExprNode): E {
  return new ExprBase(node) as E;
}

function compare<E extends ExprBase>(op: CompareOp, left: E, right: Value): E {
  return derive(left, { node: "compare", op, left: left.node, right: toNode(right) });
}

/** Joins tests. Throws a TypeError for one alone, which elsewhere stands for all rows. */
function joined<E extends ExprBase>(
  name: string,
  others: readonly Value[],
  join: (left: E, right: Value) => E,
  first: E,
): E {
  if (others.length > 0) return others.reduce<E>(join, first);
  throw new TypeError(`${name}() takes two tests or more: an expression sees one row`);
}

/** Returns the node that joins texts, by the options that may come last. */
export function concatNode(values: readonly (Value | ConcatOptions)[]): ExprNode {
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
  return { node: "concat", parts: Object.freeze(nodes) };
}

function fillNullNode(value: ExprNode, text: string): ExprNode {
  return Object.freeze({ node: "fillNull", value, other: literalNode(text) });
}

function isOptions(value: Value | ConcatOptions | undefined): value is ConcatOptions {
  return typeof value === "object" && value !== null && !(value instanceof ExprBase);
}

/** Converts an argument of an operation to a node, or to named nodes. */
function toArgument(value: Argument): ExprNode | NamedArgs {
  if (typeof value !== "object" || value === null || value instanceof ExprBase) {
    return toNode(value);
  }
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

/** Converts an operand to a node. Throws a TypeError for anything else. */
export function toNode(value: Value): ExprNode {
  if (value instanceof ExprBase) return value.node;
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
