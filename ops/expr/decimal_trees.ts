/**
 * Operands of operations on decimals, as trees.
 *
 * @module
 */

import { type DataType, Float64 } from "apache-arrow";
import { decimalText } from "../../base/number_text.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import { cast } from "../string/convert/cast.ts";
import { rescale } from "../decimal/casts.ts";
import { type DecimalValue, digitsOf } from "../decimal/literal.ts";
import { decimalDigits, decimalType, type Digits, wholeDigits } from "../syntax/decimal_type.ts";

/** A decimal, or an integer beside one. */
export interface Operand {
  readonly tree: Tree;
  readonly digits: Digits;
  /** The type, for errors. */
  readonly type: DataType;
}

/** Returns a literal as an operand. */
export function literalOperand(value: DecimalValue): Operand {
  const digits = digitsOf(value);
  const type = decimalType(digits);
  return { tree: literalTree(value.unscaled, value.scale), digits, type };
}

/** Returns the digits of a decimal as a tree. */
export function literalTree(unscaled: bigint, scale: number): Tree {
  const text = decimalText(unscaled, scale);
  return { node: "literal", type: { kind: "fixed", byteWidth: 16 }, value: unscaled, text };
}

/** Returns an operand as a decimal of other digits, which hold all of its values. */
export function withDigits(
  { tree, digits, type }: Operand,
  wanted: Digits,
  isLenient: boolean = false,
): Tree {
  const target = decimalType(wanted);
  if (typeName(type) === typeName(target)) return tree;
  const { overload, args } = rescale(digits.scale, target);
  return {
    node: "call",
    fn: cast.rowFunction(overload, args),
    text: tree,
    args: [],
    type: columnTypeOf(target),
    shown: { literals: [JSON.stringify(typeName(target))], from: typeName(type) },
    ...(isLenient ? {} : { strict: true }),
  };
}

/** Returns the float64 that is nearest to a decimal. */
export function floatTree(tree: Tree, type: DataType): Tree {
  const { scale } = decimalDigits(type)!;
  const float64 = columnTypeOf(new Float64());
  const fn = cast.rowFunction("decimal>float64", { scale });
  return { node: "call", fn, text: tree, args: [], type: float64 };
}

/** Returns decimals or integers as decimals of a type that holds them all. */
export function asDecimals(tree: Tree, type: DataType, wanted: DataType): Tree {
  return withDigits({ tree, type, digits: wholeDigits(type)! }, decimalDigits(wanted)!);
}
