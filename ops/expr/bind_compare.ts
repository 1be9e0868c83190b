/**
 * Binds comparisons, and `isIn`, which is a list of them. An integer column is compared exactly with a
 * number that its type does not hold: `delay > 60.5` is `delay > 60`, and a column of 8 bits is always
 * less than 1000. So are two columns, an integer and a float.
 *
 * @module
 */

import { Bool, DataType, type Duration, Float64, Int32, Int64 } from "apache-arrow";
import type { CompareOp, Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import { sub } from "../number/arithmetic.ts";
import { cast } from "../string/operations.ts";
import { compareNumbers } from "../number/compare.ts";
import { commonType, holds, reasonOf } from "./common_type.ts";
import { decimalComparison } from "./compare_decimals.ts";
import { either, isNull } from "../../gpu/kernel/tree/branches.ts";
import { dataNode, type Literal, literalNode } from "../syntax/literal.ts";
import type { ExprNode, StringOp } from "../syntax/node.ts";
import { failAt, placeOf, setPlace } from "../syntax/node_place.ts";
import { printNode } from "../syntax/print.ts";
import {
  BOOL,
  classOf,
  literalTree,
  nullTree,
  type Typed,
  typedBool,
  typedLiteral,
  widened,
} from "./typed.ts";
import { bindCall } from "./bind_call.ts";
import { callNode } from "../syntax/call_node.ts";
import { inNumbers, inTexts } from "./in_set.ts";

/** The operator that holds when the sides are swapped. */
export const FLIPPED: Readonly<Record<CompareOp, CompareOp>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** Binds a comparison. Throws an `ExprError` if the sides have no common type. */
export function bindCompare(
  node: ExprNode & { node: "compare" },
  left: Typed,
  right: Typed,
  isLenient = false,
): Typed {
  refuseNull(node, left, right);
  refuseNull(node, right, left);
  [left, right] = inFinerUnit(left, right, isLenient);
  const tree = decimalComparison(node.op, left, right) ??
    decimalComparison(FLIPPED[node.op], right, left) ?? exactTree(node.op, left, right) ??
    exactTree(FLIPPED[node.op], right, left) ??
    mixedTree(node.op, left, right) ?? mixedTree(FLIPPED[node.op], right, left) ??
    commonTree(node, left, right);
  return typedBool(node, tree, left.nullable || right.nullable);
}

function refuseNull(node: ExprNode, side: Typed, other: Typed): void {
  if (side.literal !== null) return;
  const isNot = node.node === "compare" && node.op === "!=";
  const hint = `${isNot ? "!" : ""}${printNode(other.node, Infinity)}.isNull()`;
  failAt(node, `A comparison with null is never true; use ${hint}`);
}

function commonTree(node: ExprNode & { node: "compare" }, left: Typed, right: Typed): Tree {
  const common = commonType(left, right);
  if (common !== undefined && classOf(common.type) !== "other") {
    return { node: "compare", op: node.op, left: common.left, right: common.right, type: BOOL };
  }
  const reason = reasonOf(left, right) || floatHint(left, right) || floatHint(right, left) ||
    numberHint(left, right) || numberHint(right, left);
  return failAt(node, `Cannot compare ${described(left)} with ${described(right)}${reason}`);
}

/** Converts the coarser one of two durations to the unit of the other; a value beyond it is an error. */
function inFinerUnit(left: Typed, right: Typed, isLenient: boolean): [Typed, Typed] {
  if (!DataType.isDuration(left.type) || !DataType.isDuration(right.type)) return [left, right];
  const finer = left.type.unit > right.type.unit ? left.type : right.type;
  const converted = (side: Typed) => {
    if ((side.type as Duration).unit === finer.unit) return side;
    const call = callNode(cast, side.node, [literalNode(typeName(finer))]);
    return bindCall(call, () => side, isLenient);
  };
  return [converted(left), converted(right)];
}

/** Returns how a duration that is compared with a number is written as one, after a semicolon. */
function numberHint({ node, type }: Typed, other: Typed): string {
  if (!DataType.isDuration(type)) return "";
  if (classOf(other.type) !== "int" && classOf(other.type) !== "float") return "";
  const [start] = node.node === "call" && node.op === sub ? node.args : [];
  if (node.node !== "call" || start === undefined) {
    return `; ${printNode(node, Infinity)}.total("second") is a number, and so on for other units`;
  }
  const count = `${printNode(node.text, Infinity)}.since(${printNode(start)}, "day")`;
  return `; ${count} is a number, and so on for other units`;
}

/** Returns how a decimal that is compared with a float is written as one, after a semicolon. */
function floatHint({ node, type }: Typed, other: Typed): string {
  if (classOf(type) !== "decimal" || classOf(other.type) !== "float") return "";
  return `; ${printNode(node, Infinity)}.toFloat() is the nearest float`;
}

/** Describes a side: `delay (int64)`, or a literal, whose type is obvious. */
function described({ node, type, literal }: Typed): string {
  return literal === undefined ? `${printNode(node)} (${typeName(type)})` : printNode(node);
}

/** Compares an integer with a number that its type does not hold; undefined for other comparisons. */
function exactTree(op: CompareOp, side: Typed, { literal }: Typed): Tree | undefined {
  if (typeof literal !== "number" && typeof literal !== "bigint") return undefined;
  if (side.literal !== undefined || classOf(side.type) !== "int") return undefined;
  if (holds(side.type, literal)) return undefined;
  const floor = typeof literal === "number" ? Math.floor(literal) : literal;
  if (!Number.isFinite(Number(floor)) || !holds(side.type, floor)) {
    // NaN counts as greater than every number.
    const isAbove = Number.isNaN(floor) || floor > 0;
    return sameForAll(side, op === "!=" || (isAbove ? op.startsWith("<") : op.startsWith(">")));
  }
  if (op === "==" || op === "!=") return sameForAll(side, op === "!=");
  // The literal lies between two integers: floor and floor + 1.
  const type = columnTypeOf(side.type);
  return {
    node: "compare",
    op: op.startsWith("<") ? "<=" : ">",
    left: side.tree,
    right: literalTree(floor, type),
    type: BOOL,
  };
}

/**
 * Compares an integer with a float, or an integer that has a sign with one that has none, where no type
 * holds the values of both; undefined for other comparisons.
 */
function mixedTree(op: CompareOp, left: Typed, right: Typed): Tree | undefined {
  const [a, b] = [columnTypeOf(left.type), columnTypeOf(right.type)];
  if (left.literal !== undefined || right.literal !== undefined) return undefined;
  if (classOf(left.type) !== "int" || a.kind !== "int") return undefined;
  if (classOf(right.type) === "float") {
    const other = widened(right.tree, new Float64());
    if (a.bits < 64) {
      return {
        node: "compare",
        op,
        left: widened(left.tree, new Float64()),
        right: other,
        type: BOOL,
      };
    }
    return orderTree(op, a.signed ? "i64 f64" : "u64 f64", left.tree, other);
  }
  if (classOf(right.type) !== "int" || b.kind !== "int") return undefined;
  const isMixed = a.signed && !b.signed && b.bits === 64;
  if (!isMixed) return undefined;
  return orderTree(op, "i64 u64", widened(left.tree, new Int64()), right.tree);
}

function orderTree(op: CompareOp, overload: string, text: Tree, other: Tree): Tree {
  const type = columnTypeOf(new Int32());
  const fn = compareNumbers.rowFunction(overload);
  const order: Tree = { node: "call", fn, text, args: [other], type };
  return { node: "compare", op, left: order, right: literalTree(0, type), type: BOOL };
}

/** Returns one answer for every row that is not null. */
function sameForAll(side: Typed, answer: boolean): Tree {
  const value = literalTree(answer, BOOL);
  if (!side.nullable) return value;
  return {
    node: "choose",
    test: isNull(side.tree),
    yes: nullTree(new Bool()),
    no: value,
    type: BOOL,
  };
}

/** The number of literals up to which comparing one by one is faster than a search. */
const MAX_COMPARED = { text: 8, other: 4 };

type Compare = Tree & { readonly node: "compare" };

/**
 * Binds a test against a list, which compares each value as `==` does. Like SQL's IN, it is null if
 * the value is null, or if a list with a null does not have the value. Throws an `ExprError` for a
 * literal that cannot be compared with the value.
 */
export function bindIsIn(node: ExprNode & { node: "isIn" }, value: Typed): Typed {
  const known = [...new Set(node.values)].filter((literal) => literal !== null);
  const hasNull = node.values.includes(null);
  if (value.literal === null) return typedBool(node, nullTree(new Bool()), true);
  const compared = known.map((literal) => equals(node, value, literal));
  // A literal that the type does not hold binds to a constant instead of a comparison.
  const possible = compared.filter((tree) => tree.node === "compare");
  const most = MAX_COMPARED[classOf(value.type) === "text" ? "text" : "other"];
  const isFew = possible.length < 2 ||
    (possible.length <= most && value.tree.node === "column");
  const found = (isFew ? undefined : inTable(value, possible)) ?? anyOf(possible) ??
    sameForAll(value, false);
  const tree = hasNull ? either(found, nullTree(new Bool())) : found;
  return typedBool(node, tree, value.nullable || hasNull);
}

function equals(node: ExprNode & { node: "isIn" }, value: Typed, literal: Literal): Tree {
  const right = literalNode(literal);
  const compare = { node: "compare", op: "==", left: node.value, right } as const;
  const place = placeOf(node);
  if (place !== undefined) setPlace(compare, place);
  return bindCompare(compare, value, typedLiteral(right, literal)).tree;
}

/** Returns whether any of the tests holds, as a tree of logarithmic depth. */
function anyOf(tests: readonly Tree[]): Tree | undefined {
  if (tests.length < 2) return tests[0];
  const middle = tests.length >> 1;
  const [left, right] = [anyOf(tests.slice(0, middle)), anyOf(tests.slice(middle))];
  return left && right && either(left, right);
}

/** Returns a search in a table, which takes one lookup for any list; undefined for other types. */
function inTable(value: Typed, compared: readonly Compare[]): Tree | undefined {
  const literals = compared.map(({ right }) => right).filter((tree) => tree.node === "literal");
  const search = (op: StringOp, list: readonly Literal[]) =>
    bindCall(callNode(op, value.node, [dataNode(list)]), () => value).tree;
  switch (value.literal === undefined && classOf(value.type)) {
    case "text":
      return search(inTexts, literals.map(({ value }) => value));
    case "int":
    case "time":
      return search(inNumbers, literals.map(({ value }) => BigInt(value ?? 0)));
    case "float":
      return search(inNumbers, literals.map(({ value }) => floatBits(Number(value))));
  }
}

/** Returns the bits of a float64; a zero has no sign. */
function floatBits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value + 0);
  return view.getBigInt64(0);
}
