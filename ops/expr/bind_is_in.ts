/**
 * `isIn`: whether a value equals one of a list of literals.
 *
 * @module
 */

import { Bool } from "apache-arrow";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import type { StringOp } from "../string/define_string_op.ts";
import { bindCompare, sameForAll } from "./bind_compare.ts";
import { bindCall } from "./bind_call.ts";
import { callNode } from "./call_node.ts";
import { dataNode, type ExprNode, type Literal, literalNode } from "./node.ts";
import { placeOf, setPlace } from "./place.ts";
import { inNumbers } from "./in_numbers.ts";
import { inTexts } from "./in_texts.ts";
import { classOf, nullTree, type Typed, typedLiteral } from "./typed.ts";

/** Literals that a column is compared with one by one: as many as take less time than a search. */
const MAX_COMPARED = { text: 8, other: 4 };

type Compare = Tree & { readonly node: "compare" };

const BOOL = { kind: "bool" } as const;

/**
 * Binds a test against a list: each value is compared as `==` compares it. As SQL's IN it is null
 * where the value is null, and where the value is not found in a list that has a null in it. Throws
 * an `ExprError` for a literal that the value cannot be compared with.
 */
export function bindIsIn(node: ExprNode & { node: "isIn" }, value: Typed): Typed {
  const known = [...new Set(node.values)].filter((literal) => literal !== null);
  const hasNull = node.values.includes(null);
  if (value.literal === null) return typedAs(node, nullTree(new Bool()), true);
  const compared = known.map((literal) => equals(node, value, literal));
  // A literal that no value of the type equals gives no comparison, but one answer for all.
  const possible = compared.filter((tree) => tree.node === "compare");
  const most = MAX_COMPARED[classOf(value.type) === "text" ? "text" : "other"];
  const isFew = possible.length < 2 ||
    (possible.length <= most && value.tree.node === "column");
  const found = (isFew ? undefined : inTable(value, possible)) ?? anyOf(possible) ??
    sameForAll(value, false);
  const tree: Tree = hasNull
    ? { node: "or", left: found, right: nullTree(new Bool()), type: BOOL }
    : found;
  return typedAs(node, tree, value.nullable || hasNull);
}

function typedAs(node: ExprNode, tree: Tree, nullable: boolean): Typed {
  return { node, tree, type: new Bool(), nullable };
}

function equals(node: ExprNode & { node: "isIn" }, value: Typed, literal: Literal): Tree {
  const right = literalNode(literal);
  const compare = { node: "compare", op: "==", left: node.value, right } as const;
  const place = placeOf(node);
  if (place !== undefined) setPlace(compare, place);
  return bindCompare(compare, value, typedLiteral(right, literal)).tree;
}

/** One of the tests holds, as a tree whose depth is the logarithm of their number. */
function anyOf(tests: readonly Tree[]): Tree | undefined {
  if (tests.length < 2) return tests[0];
  const middle = tests.length >> 1;
  const [left, right] = [anyOf(tests.slice(0, middle)), anyOf(tests.slice(middle))];
  return left && right && { node: "or", left, right, type: BOOL };
}

/** One search in a table, however many values there are; undefined for what has no table. */
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

/** The bits of a float64, of a zero without its sign. */
function floatBits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value + 0);
  return view.getBigInt64(0);
}
