/**
 * Binds comparisons of decimals with decimals, integers and literals. They are exact at any scale.
 *
 * @module
 */

import { Int32 } from "apache-arrow";
import type { CompareOp, Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf } from "../batch/arrow_types.ts";
import { compareDecimals } from "../decimal/arithmetic.ts";
import { literalValue } from "./exact_literal.ts";
import { atScale, type DecimalValue } from "../decimal/literal.ts";
import { literalTree as decimalTree } from "./decimal_trees.ts";
import { decimalDigits, wholeDigits } from "../syntax/decimal_type.ts";
import { BOOL, classOf, literalTree, type Typed } from "./typed.ts";

/** The ends of 128 bits, beyond all decimals. */
const ENDS = { least: -(2n ** 127n), most: 2n ** 127n - 1n };

/**
 * Compares a decimal with another one or an integer, at the larger scale of both, or with a literal;
 * undefined for other comparisons.
 */
export function decimalComparison(op: CompareOp, left: Typed, right: Typed): Tree | undefined {
  if (classOf(left.type) !== "decimal") return undefined;
  const { literal } = right;
  const isNumber = typeof literal === "number" || typeof literal === "bigint";
  const value = literalValue(right.node);
  if (value !== undefined || isNumber) return comparedWith(op, left, value, Number(literal));
  const [a, b] = [decimalDigits(left.type), wholeDigits(right.type)];
  if (a === undefined || b === undefined || literal !== undefined) return undefined;
  const scale = Math.max(a.scale, b.scale);
  const args = { left: scale - a.scale, right: scale - b.scale };
  return inOrder(op, left.tree, right.tree, args, 0);
}

/**
 * Compares with a literal, or with the next lower number that the decimal may be; `number` is a literal
 * without a value, which is beyond all decimals.
 */
function comparedWith(
  op: CompareOp,
  { tree, type }: Typed,
  value: DecimalValue | undefined,
  number: number,
): Tree {
  const { scale } = decimalDigits(type)!;
  const { floor, isExact } = value === undefined
    // NaN is greater than every number.
    ? { floor: number < 0 ? ENDS.least : ENDS.most, isExact: false }
    : atScale(value, scale);
  const isBeyond = floor > ENDS.most || floor < ENDS.least;
  const limit = floor > ENDS.most ? ENDS.most : floor < ENDS.least ? ENDS.least : floor;
  const other = decimalTree(limit, scale);
  if (isExact && !isBeyond) return inOrder(op, tree, other, {}, 0);
  // No order is 2, so that none equals the literal.
  if (op === "==" || op === "!=") return inOrder(op, tree, other, {}, 2);
  return inOrder(op.startsWith("<") ? "<=" : ">", tree, other, {}, 0);
}

function inOrder(
  op: CompareOp,
  text: Tree,
  other: Tree,
  args: { readonly left?: number; readonly right?: number },
  order: number,
): Tree {
  const type = columnTypeOf(new Int32());
  const fn = compareDecimals.rowFunction("plain", { left: 0, right: 0, ...args });
  return {
    node: "compare",
    op,
    left: { node: "call", fn, text, args: [other], type },
    right: literalTree(order, type),
    type: BOOL,
  };
}
