/**
 * Where a strict call must not be null: conditions over the rows, made from the expression itself.
 *
 * @module
 */

import type { Tree } from "../../gpu/kernel/tree.ts";
import { childrenOf } from "../../gpu/kernel/tree_facts.ts";

const BOOL = { kind: "bool" } as const;

/** A strict call of an expression. */
export interface StrictCall {
  /** The call. */
  readonly call: Tree & { readonly node: "call" };
  /** True in the rows in which it refuses what it is called on. */
  readonly refuses: Tree;
}

/**
 * The strict calls of a tree. One in a branch of `?:`, or in what stands for a null, refuses nothing
 * where that branch is not taken.
 */
export function strictCalls(tree: Tree): StrictCall[] {
  const calls: StrictCall[] = [];
  collect(tree, [], calls);
  return calls;
}

function collect(tree: Tree, conditions: readonly Tree[], calls: StrictCall[]): void {
  switch (tree.node) {
    case "choose": {
      const { test } = tree;
      collect(test, conditions, calls);
      collect(tree.yes, [...conditions, test], calls);
      collect(tree.no, [...conditions, either(not(test), isNull(test))], calls);
      return;
    }
    case "fillNull":
      collect(tree.value, conditions, calls);
      collect(tree.other, [...conditions, isNull(tree.value)], calls);
      return;
  }
  for (const child of childrenOf(tree)) collect(child, conditions, calls);
  if (tree.node !== "call" || tree.strict !== true) return;
  const given = childrenOf(tree).map((child) => not(isNull(child)));
  calls.push({ call: tree, refuses: [...conditions, ...given, isNull(tree)].reduce(both) });
}

function isNull(value: Tree): Tree {
  return { node: "isNull", value, type: BOOL };
}

function not(value: Tree): Tree {
  return { node: "not", value, type: BOOL };
}

function both(left: Tree, right: Tree): Tree {
  return { node: "and", left, right, type: BOOL };
}

function either(left: Tree, right: Tree): Tree {
  return { node: "or", left, right, type: BOOL };
}
