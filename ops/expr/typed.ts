/**
 * Typed expressions, while they are bound to a schema.
 *
 * @module
 */

import { Bool, DataType, Float64, Int32, Int64, Precision, Uint64, Utf8 } from "apache-arrow";
import { type ColumnType, sameType } from "../../gpu/column/column.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, isText, typeName } from "../batch/arrow_types.ts";
import { digitsOf } from "../decimal/literal.ts";
import { decimalDigits, decimalType, MAX_DIGITS } from "../syntax/decimal_type.ts";
import type { ExprNode } from "../syntax/node.ts";
import type { Literal } from "../syntax/literal.ts";
import { failAt } from "../syntax/node_place.ts";
import { printNode } from "../syntax/print.ts";

/** A node and the facts about its values. */
export interface Typed {
  readonly node: ExprNode;
  readonly tree: Tree;
  readonly type: DataType;
  readonly nullable: boolean;
  /** The value of a literal, which can still take the type of the other operand. */
  readonly literal?: Literal;
}

/** The type of a condition in a tree. */
export const BOOL = { kind: "bool" } as const;

/** Returns a condition for a node. */
export function typedBool(node: ExprNode, tree: Tree, nullable: boolean): Typed {
  return { node, tree, type: new Bool(), nullable };
}

/** Returns text such as `delay is int64`, for errors. */
export function whatIs({ node, type }: Typed): string {
  return `${printNode(node)} is ${typeName(type)}`;
}

/** Returns text such as `delay (int64) and name (utf8)`, for errors. */
export function bothTypes(left: Typed, right: Typed): string {
  return [left, right].map(({ node, type }) => `${printNode(node)} (${typeName(type)})`).join(
    " and ",
  );
}

/** A class of types with the same rules. Half precision is only stored, never computed with. */
type TypeClass = "text" | "bool" | "int" | "float" | "decimal" | "time" | "other";

/** Returns the class of a type; `other` can only be passed on and tested for null. */
export function classOf(type: DataType): TypeClass {
  if (isText(type)) return "text";
  if (DataType.isBool(type)) return "bool";
  if (DataType.isInt(type)) return "int";
  if (DataType.isFloat(type)) return type.precision === Precision.HALF ? "other" : "float";
  if (decimalDigits(type) !== undefined) return "decimal";
  const isTime = DataType.isDate(type) || DataType.isTime(type) || DataType.isTimestamp(type) ||
    DataType.isDuration(type);
  return isTime ? "time" : "other";
}

/** Returns a literal with its own type. A null is text until it meets another type. */
export function typedLiteral(node: ExprNode, value: Literal): Typed {
  const type = literalType(node, value);
  return {
    node,
    tree: literalTree(value, columnTypeOf(type)),
    type,
    nullable: value === null,
    literal: value,
  };
}

/** Returns a literal of a tree, with its value in the form that the type requires. */
export function literalTree(value: Literal, type: ColumnType): Tree {
  const is64 = type.kind === "fixed" || (type.kind === "int" && type.bits === 64);
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const stored = !isNumber ? value : is64 ? BigInt(value) : Number(value);
  return { node: "literal", type, value: stored };
}

/** Returns a null of any type. */
export function nullTree(type: DataType): Tree {
  return literalTree(null, columnTypeOf(type));
}

/** Widens a tree to a type; a value that the type does not hold becomes the nearest one. */
export function widened(tree: Tree, type: DataType): Tree {
  const wanted = columnTypeOf(type);
  if (sameType(tree.type, wanted)) return tree;
  if (tree.node === "literal") return literalTree(tree.value, wanted);
  return { node: "cast", value: tree, type: wanted };
}

/** Returns the type of a whole number beyond 64 bits. */
function decimalLiteral(node: ExprNode, value: bigint): DataType {
  const digits = digitsOf({ unscaled: value, scale: 0 });
  if (digits.precision <= MAX_DIGITS) return decimalType(digits);
  return failAt(node, `${value} has more than ${MAX_DIGITS} digits`);
}

function literalType(node: ExprNode, value: Literal): DataType {
  switch (typeof value) {
    case "boolean":
      return new Bool();
    case "number":
      if (!Number.isInteger(value) || Object.is(value, -0)) return new Float64();
      if (value === (value | 0)) return new Int32();
      return Number.isSafeInteger(value) ? new Int64() : new Float64();
    case "bigint":
      if (BigInt.asIntN(64, value) === value) return new Int64();
      if (BigInt.asUintN(64, value) === value) return new Uint64();
      return decimalLiteral(node, value);
    default:
      return new Utf8();
  }
}
