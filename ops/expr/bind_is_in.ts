/**
 * `isIn`: whether a value equals one of a list of literals.
 *
 * @module
 */

import { Bool } from "apache-arrow";
import type { Tree } from "../../gpu/kernel/tree.ts";
import { bindCompare, sameForAll } from "./bind_compare.ts";
import { bindCall } from "./bind_call.ts";
import { callNode } from "./call_node.ts";
import { dataNode, type ExprNode, type Literal, literalNode } from "./node.ts";
import { placeOf, setPlace } from "./place.ts";
import { inTexts } from "./in_texts.ts";
import { classOf, nullTree, type Typed, typedLiteral } from "./typed.ts";

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
  const found = classOf(value.type) === "text" && possible.length > 1
    ? inTextSet(value, known)
    : anyOf(possible) ?? sameForAll(value, false);
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

/** One search in a table, however many texts there are. */
function inTextSet(value: Typed, texts: readonly Literal[]): Tree {
  const call = callNode(inTexts, value.node, [dataNode(texts)]);
  return bindCall(call, () => value).tree;
}
