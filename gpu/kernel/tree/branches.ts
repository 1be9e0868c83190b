/**
 * The branches of a tree: the parts that are computed only for some rows.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type { Tree } from "./tree.ts";
import { childrenOf } from "./tree_facts.ts";

const BOOL: ColumnType = { kind: "bool" };

/**
 * Returns the children of a tree in the order of `childrenOf`, each with the condition that is true in
 * the rows that use it; without one where all rows do.
 */
export function branchesOf(tree: Tree): readonly (readonly [child: Tree, taken?: Tree])[] {
  switch (tree.node) {
    case "choose": {
      const { test, yes, no } = tree;
      return [[test], [yes, test], [no, either(not(test), isNull(test))]];
    }
    case "fillNull":
      return [[tree.value], [tree.other, isNull(tree.value)]];
    case "and":
      return [[tree.left], [tree.right, either(tree.left, isNull(tree.left))]];
    case "or":
      return [[tree.left], [tree.right, either(not(tree.left), isNull(tree.left))]];
    default:
      return childrenOf(tree).map((child) => [child]);
  }
}

/** Returns a test that is true where a value is null. */
export function isNull(value: Tree): Tree {
  return { node: "isNull", value, type: BOOL };
}

/** Returns a test that is true where a condition is false. */
export function not(value: Tree): Tree {
  return { node: "not", value, type: BOOL };
}

/** Returns a test that is true where both conditions are. */
export function both(left: Tree, right: Tree): Tree {
  return { node: "and", left, right, type: BOOL };
}

/** Returns a test that is true where at least one of two conditions is. */
export function either(left: Tree, right: Tree): Tree {
  return { node: "or", left, right, type: BOOL };
}
