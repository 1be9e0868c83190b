/**
 * What is known before a row is seen: operations on literals are computed once, and branches that
 * cannot be taken go away.
 *
 * @module
 */

import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { childrenOf, withChildren } from "../../gpu/kernel/tree/tree_facts.ts";
import { evaluateLiteral } from "./evaluate_literal.ts";
import { literalTree } from "./typed.ts";

/** Characters of a text that becomes part of the code; a longer one is made anew for every row. */
const MAX_FOLDED = 2 ** 20;

/** The tree with everything computed that depends on no column. */
export function foldTree(tree: Tree): Tree {
  if (tree.node === "column" || tree.node === "literal") return tree;
  const folded = simplified(withChildren(tree, childrenOf(tree).map(foldTree)));
  // A list has no literal: its kernel makes it anew for every row.
  if (folded.type.kind === "list") return folded;
  const children = childrenOf(folded);
  const isConstant = children.length > 0 && children.every(({ node }) => node === "literal") &&
    // What a strict call refuses is an error of a row.
    !(folded.node === "call" && folded.strict === true);
  if (!isConstant) return folded;
  const value = evaluateLiteral(folded);
  const isLong = typeof value === "string" && value.length > MAX_FOLDED;
  return isLong ? folded : literalTree(value, folded.type);
}

/** One step, for a tree whose children are simple already. */
function simplified(tree: Tree): Tree {
  switch (tree.node) {
    case "choose":
      if (tree.test.node === "literal") return tree.test.value === true ? tree.yes : tree.no;
      return tree;
    case "and":
    case "or":
      return logic(tree);
    case "fillNull":
      if (tree.value.node !== "literal") return tree;
      return tree.value.value === null ? tree.other : tree.value;
    case "concat":
      return concatenation(tree);
    case "call":
    case "compare":
    case "add":
    case "not":
    case "cast":
      return childrenOf(tree).some(isNull) ? literalTree(null, tree.type) : tree;
    default:
      return tree;
  }
}

/** `true && x` is x, `false && x` is false, whatever x is; the other way round for `||`. */
function logic(tree: Tree & { node: "and" | "or" }): Tree {
  const decides = tree.node === "or";
  for (const [side, other] of [[tree.left, tree.right], [tree.right, tree.left]] as const) {
    if (side.node !== "literal" || side.value === null) continue;
    return side.value === decides ? side : other;
  }
  return tree;
}

/** A null decides; empty text is nothing, and a single part needs no joining. */
function concatenation(tree: Tree & { node: "concat" }): Tree {
  if (tree.parts.some(isNull)) return literalTree(null, tree.type);
  const parts = tree.parts.filter((part) => part.node !== "literal" || part.value !== "");
  const [only, ...others] = parts;
  if (only === undefined) return literalTree("", tree.type);
  return others.length === 0 ? only : { ...tree, parts };
}

function isNull(tree: Tree): boolean {
  return tree.node === "literal" && tree.value === null;
}
