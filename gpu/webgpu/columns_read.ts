/**
 * Which columns a tree reads.
 *
 * @module
 */

import type { Tree } from "../kernel/tree/tree.ts";
import { childrenOf } from "../kernel/tree/tree_facts.ts";

/** Numbers of the columns that a tree reads. */
export function columnsRead(tree: Tree, into: Set<number> = new Set()): ReadonlySet<number> {
  if (tree.node === "column") into.add(tree.index);
  for (const child of childrenOf(tree)) columnsRead(child, into);
  return into;
}
