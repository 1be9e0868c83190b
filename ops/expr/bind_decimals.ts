/**
 * Binds operations on decimals: finds the digits of the result, and the row function that computes it
 * exactly. With a column of floats a decimal is a float64.
 *
 * @module
 */

import { type DataType, Int32, Utf8 } from "apache-arrow";
import { parseNumberFormat } from "../../base/number_format/number_format.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import { decimalSign } from "../decimal/arithmetic.ts";
import { decimalOf, digitsOf } from "../decimal/literal.ts";
import { decimalFormat } from "../decimal/text.ts";
import { divide } from "../number/divide.ts";
import { floorDiv, mod, rem } from "../number/division.ts";
import { atLeast, atMost, greatest, least, outermost, sign } from "../number/limits.ts";
import { trunc } from "../number/rounding.ts";
import { format } from "../string/convert/format.ts";
import { cast, tryCast } from "../string/convert/cast.ts";
import { toFloat } from "../string/convert/to_float.ts";
import { toInteger } from "../string/convert/to_integer.ts";
import { toString } from "../string/convert/to_string.ts";
import { argsByName, callNode } from "../syntax/call_node.ts";
import { decimalDigits, decimalType, MAX_DIGITS } from "../syntax/decimal_type.ts";
import { literalNode } from "../syntax/literal.ts";
import type { CallNode, ExprNode } from "../syntax/node.ts";
import { checkedAt, failAt } from "../syntax/node_place.ts";
import type { StringOpParameter } from "../syntax/overload.ts";
import { printNode } from "../syntax/print.ts";
import { decimalOperand } from "./common_type.ts";
import { DECIMAL_RULES } from "./decimal_rules.ts";
import type { Operand } from "./decimal_trees.ts";
import { exactLiteral } from "./exact_literal.ts";
import { classOf, nullTree, type Typed, whatIs } from "./typed.ts";

/** The operations that have no result for the divisor 0. */
const DIVISIONS: readonly unknown[] = [rem, mod, floorDiv, divide];

/** The expressions that operations on decimals expand to. */
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
  [greatest, (node) => outermost(">=", valuesOf(node))],
  [least, (node) => outermost("<=", valuesOf(node))],
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
  const { op } = node;
  const rule = DECIMAL_RULES.get(op);
  const expand = EXPANDED.get(op);
  const isSpecial = op === sign || op === format;
  if (rule === undefined && expand === undefined && !isSpecial) return undefined;
  const given = operandsOf(node).map(bind);
  const isDecimal = op === divide || given.some(({ type }) => classOf(type) === "decimal");
  if (!isDecimal) return undefined;
  const inexact = given.find((operand) => !isExact(operand));
  if (inexact !== undefined) {
    if (op !== divide) return undefined;
    const hint = classOf(inexact.type) === "float" ? "; / divides floats" : "";
    return failAt(inexact.node, `divide() takes decimals and integers, ${whatIs(inexact)}${hint}`);
  }
  if (expand !== undefined) return { ...bind(expand(node)), node };
  if (op === sign) return bindSign(node, given[0]!);
  if (op === format) return bindFormat(node, given[0]!);
  if (rule === undefined) return undefined;
  const divisor = DIVISIONS.includes(op) ? given[1]?.literal : undefined;
  if ((divisor === 0 || divisor === 0n) && !isLenient) {
    return failAt(node, `${printNode(node)}: a decimal cannot be divided by 0`);
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

/** Returns the operands of a call that are computed with. */
function operandsOf({ op, text, args }: CallNode): readonly ExprNode[] {
  const isOperand = ({ type }: StringOpParameter, index: number) =>
    type === "same" || op === greatest || op === least || (op === divide && index === 0);
  const others = op.parameters.flatMap((parameter, index) => {
    const arg = args[index];
    return arg !== undefined && isOperand(parameter, index) ? [arg] : [];
  });
  return [text, ...others];
}

/** Whether a value beside a decimal is computed exactly: a decimal, an integer or a literal. */
function isExact({ node, type, literal }: Typed): boolean {
  if (
    exactLiteral(node) !== undefined || literal === null || typeof literal === "bigint" ||
    typeof literal === "number"
  ) return true;
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

/** Returns the values that may be the greatest or the least: a null literal is neither. */
function valuesOf(node: CallNode): readonly ExprNode[] {
  const [first, ...others] = operandsOf(node).map(decimalNode);
  return [first!, ...others.filter((value) => value.node !== "literal" || value.value !== null)];
}

/** Returns a literal with a point as a decimal, which it is beside a decimal, whatever is next to it. */
function decimalNode(node: ExprNode): ExprNode {
  if (node.node !== "literal" || typeof node.value !== "number") return node;
  const value = decimalOf(node.value);
  if (value === undefined || value.scale === 0) return node;
  const { precision, scale } = digitsOf(value);
  return callNode(cast, node, [literalNode(`decimal(${precision}, ${scale})`)]);
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

function bindFormat(node: CallNode, { tree, type: from, nullable }: Typed): Typed {
  const { pattern } = argsByName(node.op, node.args);
  const { scale } = decimalDigits(from)!;
  checkedAt(
    node,
    `format(${printNode(node.text)})`,
    () => parseNumberFormat(String(pattern), "decimal"),
  );
  const fn = decimalFormat.rowFunction("plain", { pattern: String(pattern), scale });
  const type = new Utf8();
  const shown = { literals: literalsOf(node), from: typeName(from) };
  return {
    node,
    tree: { node: "call", fn, text: tree, args: [], type: columnTypeOf(type), shown },
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
  if (DIVISIONS.includes(op)) {
    return `$0 has no value in ${typeName(type)}: $1 by $2`;
  }
  const operands = count === 2
    ? `$1 ${operator} $2`
    : operator === undefined
    ? "$1"
    : `${operator}($1)`;
  return `$0 does not fit in ${typeName(type)}: ${operands}`;
}
