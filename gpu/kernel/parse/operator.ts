/**
 * Operators of a row function, by the types of their operands.
 *
 * @module
 */

import type { BinaryFn } from "../ir/ir.ts";
import { evaluateBinary } from "../ir/evaluate.ts";
import { computesFloats, isNumber, longOf, type Operand, type Place, unified } from "./number.ts";
import type { ParseContext } from "./parse_context.ts";
import type { RowExpr } from "./row_code.ts";

const SHIFTS = new Set(["<<", ">>", ">>>"]);
const BITS = new Set(["&", "|", "^", ...SHIFTS]);
const ARITHMETIC = new Set(["+", "-", "*", "/", "%", ...BITS]);
const ORDER = new Set(["<", "<=", ">", ">="]);
const EQUALITY: Readonly<Record<string, BinaryFn>> = {
  "==": "==",
  "===": "==",
  "!=": "!=",
  "!==": "!=",
};

/** Returns `-value` or `~value`. */
export function negated(
  context: ParseContext,
  node: Place,
  fn: "-" | "~",
  { node: place, expr: value }: Operand,
): RowExpr {
  if (!isNumber(value.type)) return context.fail(place, `expected a number, found ${value.type}`);
  if (value.type === "i64" && value.op === "const") {
    return longOf(fn === "-" ? -value.value : ~value.value);
  }
  if (value.type === "f64") {
    if (fn === "~") return refuseBits(context, node, fn);
    if (value.op === "const" && value.type === "f64") return { ...value, value: -value.value };
    computesFloats(context);
  }
  return { op: "unary", type: value.type, fn, value };
}

/** Returns `left operator right`. */
export function combined(
  context: ParseContext,
  node: Place,
  operator: string,
  left: Operand,
  right: Operand,
): RowExpr {
  const equality = EQUALITY[operator];
  if (equality === undefined && !ARITHMETIC.has(operator) && !ORDER.has(operator)) {
    const instead = operator === "**" ? "; write pow(a, b)" : "";
    return context.fail(node, `${operator} cannot be used${instead}`);
  }
  if (equality !== undefined && left.expr.type === "view") {
    return context.fail(node, `${operator} cannot compare views; use equals`);
  }
  if (equality === undefined) {
    for (const { node, expr } of [left, right]) {
      if (!isNumber(expr.type)) context.fail(node, `expected a number, found ${expr.type}`);
    }
  }
  const [a, b] = unified(context, node, left, right);
  const fn = equality ?? operator as BinaryFn;
  const type = equality !== undefined || ORDER.has(operator) ? "bool" : a.type;
  if (a.type === "i64") return ofLongs(context, node, fn, type, a, b);
  return a.type === "f64"
    ? ofFloats(context, node, fn, type, a, b)
    : { op: "binary", type, fn, left: a, right: b };
}

function ofLongs(
  context: ParseContext,
  node: Place,
  fn: BinaryFn,
  type: RowExpr["type"],
  left: RowExpr,
  right: RowExpr,
): RowExpr {
  if (fn === ">>>") {
    return context.fail(
      node,
      ">>> cannot be used on i64; write a >> b, and & for the bits to keep",
    );
  }
  const isShift = SHIFTS.has(fn);
  return { op: "binary", type, fn, left, right: isShift ? shiftCount(right) : right };
}

/** Returns the count of a shift as an i32. Its low six bits count. */
function shiftCount(count: RowExpr): RowExpr {
  if (count.op === "const") {
    return { op: "const", type: "i32", value: Number(BigInt(count.value) & 63n) };
  }
  return { op: "intrinsic", type: "i32", intrinsic: "lowOf", args: [count] };
}

function ofFloats(
  context: ParseContext,
  node: Place,
  fn: BinaryFn,
  type: RowExpr["type"],
  left: RowExpr,
  right: RowExpr,
): RowExpr {
  if (BITS.has(fn)) return refuseBits(context, node, fn);
  if (left.op === "const" && right.op === "const") {
    const [a, b] = [Number(left.value), Number(right.value)];
    if (fn === "%") return { op: "const", type: "f64", value: a % b };
    const value = evaluateBinary(fn, a, b, "f64");
    return typeof value === "boolean"
      ? { op: "const", type: "bool", value }
      : { op: "const", type: "f64", value: Number(value) };
  }
  computesFloats(context);
  return fn === "%"
    ? { op: "intrinsic", type: "f64", intrinsic: "remainder", args: [left, right] }
    : { op: "binary", type, fn, left, right };
}

function refuseBits(context: ParseContext, node: Place, fn: string): never {
  return context.fail(node, `${fn} cannot be used on f64; write toI64(x) or toI32(x)`);
}

/** Returns `value + 1` or `value - 1` in the type of a number. */
export function stepped(
  context: ParseContext,
  node: Place,
  operator: "++" | "--",
  value: RowExpr,
): RowExpr {
  const one: RowExpr = value.type === "i64" ? longOf(1n) : { op: "const", type: "i32", value: 1 };
  const operands = [value, one].map((expr) => ({ node, expr })) as [Operand, Operand];
  return combined(context, node, operator === "++" ? "+" : "-", ...operands);
}
