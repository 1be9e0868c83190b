/**
 * The types of numbers in a row function: literals take the type of what stands beside them, and
 * nothing else is converted.
 *
 * @module
 */

import type { Node } from "acorn";
import type { KernelError } from "../../../base/errors/expr_error.ts";
import { COMPUTES } from "../language/host_functions.ts";
import { evaluateBinary } from "../ir/evaluate.ts";
import type { ParseContext } from "./parse_context.ts";
import type { RowExpr, RowType } from "./row_code.ts";

/** The place of a construct in the source. */
export type Place = Pick<Node, "start" | "end">;

/** An operand and its place. */
export interface Operand {
  readonly node: Place;
  readonly expr: RowExpr;
}

/** Thrown where a local that starts as an integer literal is used with floats. */
export class NeedsFloat {
  /** The name of the local in the checked code. */
  readonly name: string;
  /** The error if it has to stay an integer; undefined if it is assigned a float, which is certain. */
  readonly error: KernelError | undefined;

  constructor(name: string, error?: KernelError) {
    this.name = name;
    this.error = error;
  }
}

/** Returns a number as it is written: an i32 if it is an integer of 32 bits, else an f64. */
export function numberOf(value: number): RowExpr {
  if ((value | 0) !== value) return { op: "const", type: "f64", value };
  const int: RowExpr = { op: "const", type: "i32", value: value | 0 };
  // As an f64 it is not 0.
  return Object.is(value, -0) ? { op: "unary", type: "i32", fn: "-", value: int } : int;
}

/** Returns an i64 constant. */
export function longOf(value: bigint): RowExpr {
  return { op: "const", type: "i64", value: BigInt.asIntN(64, value) };
}

/** Whether a bigint has 64 bits, with or without a sign. */
export function isLong(value: bigint): boolean {
  return value >= -(2n ** 63n) && value < 2n ** 64n;
}

/** Whether a type is that of numbers. */
export function isNumber(type: RowType): type is "i32" | "i64" | "f64" {
  return type === "i32" || type === "i64" || type === "f64";
}

/** Notes that the function computes with floats. */
export function computesFloats(context: ParseContext): void {
  context.hostOnly ??= COMPUTES;
}

/**
 * Returns an i32 that is made of literals as the f64 that it is beside floats, where `1 / 2` is
 * 0.5; null for any other i32.
 */
export function asFloat(expr: RowExpr): RowExpr | null {
  return expr.type === "f64" ? expr : floatOfLiteral(expr);
}

/** Whether an expression can be an f64: it is one, or made of literals, or a local that starts so. */
export function canBeFloat(context: ParseContext, expr: RowExpr): boolean {
  return asFloat(expr) !== null || (expr.op === "name" && context.adaptable.has(expr.name));
}

function floatOfLiteral(expr: RowExpr): RowExpr | null {
  if (expr.type !== "i32") return null;
  switch (expr.op) {
    case "const":
      return { op: "const", type: "f64", value: expr.value };
    case "unary": {
      const value = floatOfLiteral(expr.value);
      if (value?.op !== "const" || value.type !== "f64") return null;
      return { ...value, value: expr.fn === "~" ? ~value.value : -value.value };
    }
    case "binary": {
      const [left, right] = [floatOfLiteral(expr.left), floatOfLiteral(expr.right)];
      if (left?.op !== "const" || right?.op !== "const") return null;
      const isExact = ["+", "-", "*", "/"].includes(expr.fn);
      const [a, b] = [Number(left.value), Number(right.value)];
      const value = expr.fn === "%"
        ? a % b
        : evaluateBinary(expr.fn, a, b, isExact ? "f64" : "i32");
      return { op: "const", type: "f64", value: Number(value) };
    }
    case "select": {
      const [yes, no] = [floatOfLiteral(expr.yes), floatOfLiteral(expr.no)];
      return yes === null || no === null ? null : { ...expr, type: "f64", yes, no };
    }
    default:
      return null;
  }
}

/** Whether a local that starts with this value may turn out to be an f64. */
export function isLiteral(expr: RowExpr): boolean {
  return floatOfLiteral(expr) !== null;
}

/** Returns an operand in a type, or fails. */
export function asType(context: ParseContext, operand: Operand, type: RowType): RowExpr {
  const { node, expr } = operand;
  if (expr.type === type) return expr;
  const float = type === "f64" ? asFloat(expr) : null;
  if (float !== null) return float;
  if (type === "i32") refuseLiteral(context, operand);
  const hint = isNumber(type) && isNumber(expr.type)
    ? `; ${conversion(context, operand, type)}`
    : "";
  return mismatch(context, node, `expected ${type}, found ${expr.type}${hint}`, type, expr);
}

/** Returns two operands in one type, or fails. */
export function unified(
  context: ParseContext,
  node: Place,
  left: Operand,
  right: Operand,
): readonly [RowExpr, RowExpr] {
  const types = [left.expr.type, right.expr.type];
  if (types[0] === types[1]) return [left.expr, right.expr];
  if (!types.every(isNumber)) return [left.expr, asType(context, right, left.expr.type)];
  if (!types.includes("i64")) {
    const [a, b] = [asFloat(left.expr), asFloat(right.expr)];
    if (a !== null && b !== null) return [a, b];
    const adapts = canBeFloat(context, left.expr) && canBeFloat(context, right.expr);
    for (const side of adapts ? [] : [left, right]) refuseLiteral(context, side);
  }
  // The operand of the narrower type is converted, as its literal would be.
  const order = types[0] === "f64" || types[1] === "f64" ? "f64" : "i64";
  const wrong = types[0] === order ? right : left;
  const told = conversion(context, wrong, order);
  const message = `${types[0]} and ${types[1]} do not mix; ${told}`;
  return mismatch(context, node, message, order, wrong.expr);
}

/** Fails for an expression of another type; a local that starts as a literal may become an f64. */
function mismatch(
  context: ParseContext,
  node: Place,
  message: string,
  type: RowType,
  expr: RowExpr,
): never {
  if (type === "f64" && expr.op === "name" && canBeFloat(context, expr)) {
    throw new NeedsFloat(expr.name, context.source.errorAt(node, message));
  }
  return context.fail(node, message);
}

/** Fails for a literal that is no i32, where one is wanted. */
function refuseLiteral(context: ParseContext, { node, expr }: Operand): void {
  if (expr.op !== "const" || expr.type !== "f64") return;
  if (!Number.isInteger(expr.value)) context.fail(node, "numbers must be integers beside an i32");
  context.fail(node, "the number does not fit into 32 bits");
}

/** Says how to convert an operand. */
function conversion(
  context: ParseContext,
  { node, expr }: Operand,
  to: "i32" | "i64" | "f64",
): string {
  const text = context.source.text.slice(node.start, node.end).replace(/\s+/g, " ");
  if (expr.op === "const" && to === "i64" && expr.type === "i32") return `write ${expr.value}n`;
  if (expr.op === "const" && expr.type === "i64") return `write ${expr.value}`;
  const convert = { i32: "toI32", i64: "toI64", f64: "toF64" }[to];
  return `write ${convert}(${text.length > 24 ? "..." : text})`;
}
