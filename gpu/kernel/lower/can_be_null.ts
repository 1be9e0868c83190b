/**
 * Tells whether trees can be null.
 *
 * @module
 */

import type { Variant } from "../ir/ir.ts";
import type { Tree } from "../tree/tree.ts";
import { childrenOf } from "../tree/tree_facts.ts";

/** Whether a row of a tree can be null. */
export function canBeNull(tree: Tree, variant: Variant): boolean {
  switch (tree.node) {
    case "column":
      return variant.nullable[tree.index] === true;
    case "literal":
      return tree.value === null;
    case "call":
      return (tree.fn.returnsNull && tree.strict !== true) ||
        childrenOf(tree).some((child) => canBeNull(child, variant));
    case "choose":
      return canBeNull(tree.yes, variant) || canBeNull(tree.no, variant);
    case "isNull":
      return false;
    case "fillNull":
      return canBeNull(tree.value, variant) && canBeNull(tree.other, variant);
    default:
      return childrenOf(tree).some((child) => canBeNull(child, variant));
  }
}
