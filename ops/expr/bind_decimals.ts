/**
 * Binds operations on decimals: finds the digits of the result, and the row function that computes it
 * exactly. With a column of floats a decimal is a float64.
 *
 * @module
 */

import { type DataType, Int32 } from "apache-arrow";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import {
  decimalDifference,
  decimalNegation,
  decimalProduct,
  decimalSign,
  decimalSize,
  decimalSum,
} from "../decimal/arithmetic.ts";
import {
  decimalCeil,
  decimalFloor,
  decimalRound,
  decimalTrunc,
  type Rounding,
} from "../decimal/scale.ts";
import type { Operand } from "./decimal_trees.ts";
import { decimalOperand } from "./common_type.ts";
import {
  decimalType,
  type Digits,
  MAX_DIGITS,
  productDigits,
  roundedDigits,
  sumDigits,
} from "../syntax/decimal_type.ts";
import { add, mul, neg, sub } from "../number/arithmetic.ts";
import { floorDiv, mod, rem } from "../number/division.ts";
import { abs, atLeast, atMost, sign } from "../number/limits.ts";
import { ceil, floor, round, trunc } from "../number/rounding.ts";
import { cast, tryCast } from "../string/convert/cast.ts";
import { toFloat } from "../string/convert/to_float.ts";
import { toInteger } from "../string/convert/to_integer.ts";
import { toString } from "../string/convert/to_string.ts";
import { argsByName, callNode } from "../syntax/call_node.ts";
import { literalNode } from "../syntax/literal.ts";
import type { CallNode, ExprNode, StringOp } from "../syntax/node.ts";
import { failAt } from "../syntax/node_place.ts";
import type { CallArgs } from "../syntax/overload.ts";
import { printNode } from "../syntax/print.ts";
import { classOf, nullTree, type Typed } from "./typed.ts";

/** A row function, and the digits of its result. */
interface Rule {
  readonly op: StringOp;
  readonly key: string;
  readonly args: CallArgs;
  readonly digits: Digits;
}

/** Returns how an operation is computed on its operands. */
type RuleFor = (node: CallNode, operands: readonly Operand[]) => Rule;

/** The rules, by the operation that is called. */
const RULES: ReadonlyMap<unknown, RuleFor> = new Map<unknown, RuleFor>([
  [add, (_, operands) => sum(decimalSum, operands)],
  [sub, (_, operands) => sum(decimalDifference, operands)],
  [mul, product],
  [neg, (_, [operand]) => plain(decimalNegation, operand!)],
  [abs, (_, [operand]) => plain(decimalSize, operand!)],
  [round, rounded],
  [floor, (_, [operand]) => rounding(decimalFloor, operand!, "floor")],
  [ceil, (_, [operand]) => rounding(decimalCeil, operand!, "ceil")],
  [trunc, (_, [operand]) => rounding(decimalTrunc, operand!, "trunc")],
]);

/** What an operation on a decimal stands for. */
const EXPANDED: ReadonlyMap<unknown, (node: CallNode) => ExprNode> = new Map<
  unknown,
  (node: CallNode) => ExprNode
>([
  [toString, ({ text }) => callNode(cast, text, [literalNode("string")])],
  [toFloat, ({ text }) => callNode(cast, text, [literalNode("float64")])],
  [toInteger, ({ op, text, args }) => {
    const { strict } = argsByName(op, args);
    return callNode(strict === true ? cast : tryCast, callNode(trunc, text, []), [
      literalNode("int64"),
    ]);
  }],
  [atLeast, ({ text, args: [bound] }) => limited("<", text, bound!)],
  [atMost, ({ text, args: [bound] }) => limited(">", text, bound!)],
]);

/**
 * Binds an operation with a decimal as an operand; undefined for all others, which includes those with a
 * column of floats.
 */
export function bindDecimals(
  node: CallNode,
  bind: (node: ExprNode) => Typed,
  isLenient: boolean,
): Typed | undefined {
  const { op, args } = node;
  const rule = RULES.get(op);
  const expand = EXPANDED.get(op);
  const isOther = op === sign || op === rem || op === mod || op === floorDiv;
  if (rule === undefined && expand === undefined && !isOther) return undefined;
  const others = op.parameters.flatMap(({ type }, index) => {
    const arg = args[index];
    return type === "same" && arg !== undefined ? [bind(arg)] : [];
  });
  const given = [bind(node.text), ...others];
  if (!given.some(({ type }) => classOf(type) === "decimal")) return undefined;
  if (!given.every(isExact)) return undefined;
  if (expand !== undefined) return { ...bind(expand(node)), node };
  if (op === sign) return bindSign(node, given[0]!);
  if (rule === undefined) {
    return failAt(node, `Cannot compute ${printNode(node)}: decimals have no ${op.spec.name}()`);
  }
  const operands = given.map(operandOf);
  const { op: inner, key, args: literals, digits } = rule(node, operands);
  const type = decimalType(digits);
  if (given.some(({ literal }) => literal === null)) {
    return { node, tree: nullTree(type), type, nullable: true };
  }
  const fn = inner.rowFunction(key, literals);
  const [first, ...rest] = operands;
  const { operator } = op.spec;
  const tree: Tree = {
    node: "call",
    fn,
    text: first!.tree,
    args: rest.map(({ tree }) => tree),
    type: columnTypeOf(type),
    ...(operator === undefined ? {} : { operator }),
    shown: {
      literals: literalsOf(node),
      from: typeName(first!.type),
      others: rest.map(({ type }) => typeName(type)),
    },
    ...(fn.returnsNull && !isLenient
      ? { strict: true, refusal: refusalOf(node, operands.length, type) }
      : {}),
  };
  return { node, tree, type, nullable: fn.returnsNull || given.some(({ nullable }) => nullable) };
}

/** Whether a value beside a decimal is computed exactly: a decimal, an integer or a literal. */
function isExact({ type, literal }: Typed): boolean {
  if (literal === null || typeof literal === "bigint" || typeof literal === "number") return true;
  const kind = classOf(type);
  return literal === undefined && (kind === "decimal" || kind === "int");
}

/** Returns a decimal, an integer or a literal as an operand. */
function operandOf(typed: Typed): Operand {
  const operand = decimalOperand(typed);
  if (operand !== undefined) return operand;
  const { node, tree, type, literal } = typed;
  if (literal === null) return { tree, type, digits: { precision: 1, scale: 0 } };
  return failAt(node, `${printNode(node)} is no decimal of up to ${MAX_DIGITS} digits`);
}

function sum(op: StringOp, [a, b]: readonly Operand[]): Rule {
  const digits = sumDigits(a!.digits, b!.digits);
  const { precision, scale } = digits;
  const args = { left: scale - a!.digits.scale, right: scale - b!.digits.scale, precision };
  return { op, key: "plain", args, digits };
}

function product(node: CallNode, [a, b]: readonly Operand[]): Rule {
  const digits = productDigits(a!.digits, b!.digits);
  const { precision, scale } = digits;
  if (scale > MAX_DIGITS) {
    const wider = b!.digits.scale > a!.digits.scale ? node.args[0]! : node.text;
    const narrower = `${printNode(wider, Infinity)}.round(6)`;
    return failAt(
      node,
      `Cannot compute ${printNode(node)}: it has ${scale} digits behind the point, more than ` +
        `${MAX_DIGITS}; ${narrower} has fewer`,
    );
  }
  return { op: decimalProduct, key: "plain", args: { precision }, digits };
}

function plain(op: StringOp, { digits }: Operand): Rule {
  return { op, key: "plain", args: {}, digits };
}

function rounded({ op, args }: CallNode, [operand]: readonly Operand[]): Rule {
  const { digits = 0, ties } = argsByName(op, args);
  return rounding(decimalRound, operand!, ties === "even" ? "even" : "away", Number(digits));
}

function rounding(op: StringOp, operand: Operand, how: Rounding, places = 0): Rule {
  const { scale } = operand.digits;
  const digits = roundedDigits(operand.digits, places, how !== "trunc");
  const dropped = scale - places;
  const { precision } = digits;
  return dropped <= 0 ? { op, key: "up", args: { zeros: 0, precision }, digits } : {
    op,
    key: "down",
    args: { digits: dropped, precision, rounding: how, zeros: Math.max(0, -places) },
    digits,
  };
}

/** Returns `value < bound ? bound : value`, which is null where the bound is. */
function limited(op: "<" | ">", value: ExprNode, bound: ExprNode): ExprNode {
  const test: ExprNode = {
    node: "or",
    left: { node: "isNull", value: bound },
    right: { node: "compare", op, left: value, right: bound },
  };
  return { node: "choose", test, yes: bound, no: value };
}

function bindSign(node: CallNode, { tree, nullable }: Typed): Typed {
  const type = new Int32();
  const fn = decimalSign.rowFunction("plain");
  return {
    node,
    tree: { node: "call", fn, text: tree, args: [], type: columnTypeOf(type) },
    type,
    nullable,
  };
}

/** Returns the literal arguments of a call, as errors print them. */
function literalsOf({ op, args }: CallNode): readonly string[] {
  return op.parameters.flatMap(({ type }, index) => {
    const arg = args[index];
    return type === "literal" && arg !== undefined ? [printNode(arg)] : [];
  });
}

/** Returns the message for a result that does not fit, with marks for the call and its operands. */
function refusalOf({ op }: CallNode, count: number, type: DataType): string {
  const { operator } = op.spec;
  const operands = count === 2
    ? `$1 ${operator} $2`
    : operator === undefined
    ? "$1"
    : `${operator}($1)`;
  return `$0 does not fit in ${typeName(type)}: ${operands}`;
}
