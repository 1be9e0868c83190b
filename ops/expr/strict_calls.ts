/**
 * Where a strict call must not be null: conditions over the rows, made from the expression itself.
 *
 * @module
 */

import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { childrenOf } from "../../gpu/kernel/tree/tree_facts.ts";
import { both, branchesOf, isNull, not } from "./conditions.ts";

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
  for (const [child, taken] of branchesOf(tree)) {
    collect(child, taken === undefined ? conditions : [...conditions, taken], calls);
  }
  if (tree.node !== "call" || tree.strict !== true) return;
  const given = childrenOf(tree).map((child) => not(isNull(child)));
  calls.push({ call: tree, refuses: [...conditions, ...given, isNull(tree)].reduce(both) });
}
