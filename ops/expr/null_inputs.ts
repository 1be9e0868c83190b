/**
 * The columns whose nulls are those of a tree.
 *
 * @module
 */

import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { childrenOf } from "../../gpu/kernel/tree/tree_facts.ts";

/**
 * Returns the columns of a tree that is null exactly where one of them is, or where a strict call
 * refuses its operands. Undefined for a tree with other nulls, or without some of these.
 */
export function nullInputs(tree: Tree): readonly number[] | undefined {
  return inputsOf(tree, false);
}

/** `isPart`: whether the tree may be a part of a strict call, which refuses what its parts do. */
function inputsOf(tree: Tree, isPart: boolean): readonly number[] | undefined {
  switch (tree.node) {
    case "column":
      return [tree.index];
    case "literal":
      return tree.value === null ? undefined : [];
    case "call": {
      const isStrict = tree.strict === true || (isPart && tree.isPart === true);
      if (tree.fn.returnsNull && !isStrict) return undefined;
      return union([inputsOf(tree.text, isStrict), ...tree.args.map(nullInputs)]);
    }
    case "compare":
    case "concat":
    case "cast":
    case "not":
      return union(childrenOf(tree).map(nullInputs));
    default:
      return undefined;
  }
}

function union(
  all: readonly (readonly number[] | undefined)[],
): readonly number[] | undefined {
  const inputs = new Set<number>();
  for (const some of all) {
    if (some === undefined) return undefined;
    for (const input of some) inputs.add(input);
  }
  return [...inputs];
}
