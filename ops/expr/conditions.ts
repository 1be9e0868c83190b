/**
 * Under which conditions the parts of an expression matter: those in branches that are not taken do
 * not.
 *
 * @module
 */

import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { childrenOf } from "../../gpu/kernel/tree/tree_facts.ts";

const BOOL = { kind: "bool" } as const;

/**
 * The trees directly below a tree, in the order of `childrenOf`; with each, what is true in the rows
 * in which it is taken, where those are not all.
 */
export function branchesOf(tree: Tree): readonly (readonly [child: Tree, taken?: Tree])[] {
  switch (tree.node) {
    case "choose": {
      const { test, yes, no } = tree;
      return [[test], [yes, test], [no, either(not(test), isNull(test))]];
    }
    case "fillNull":
      return [[tree.value], [tree.other, isNull(tree.value)]];
    default:
      return childrenOf(tree).map((child) => [child]);
  }
}

/** True where a value is null. */
export function isNull(value: Tree): Tree {
  return { node: "isNull", value, type: BOOL };
}

/** True where a condition is false. */
export function not(value: Tree): Tree {
  return { node: "not", value, type: BOOL };
}

/** True where two conditions are. */
export function both(left: Tree, right: Tree): Tree {
  return { node: "and", left, right, type: BOOL };
}

function either(left: Tree, right: Tree): Tree {
  return { node: "or", left, right, type: BOOL };
}
