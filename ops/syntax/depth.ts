/**
 * The depth of an expression, and its limit.
 *
 * @module
 */

import { DepthError } from "../../base/errors/expr_error.ts";
import { childrenOf, type ExprNode } from "./node.ts";

/** The greatest depth of an expression, which takes half of a usual stack. */
export const MAX_DEPTH = 500;

const depths = new WeakMap<ExprNode, number>();

/**
 * Returns the depth of a tree: the number of nodes on the longest path down from a node, including
 * it. The depth of each node is cached, so a tree is measured while it is built.
 */
export function depthOf(node: ExprNode): number {
  let depth = depths.get(node);
  if (depth === undefined) {
    depth = 1;
    for (const child of childrenOf(node)) depth = Math.max(depth, 1 + depthOf(child));
    depths.set(node, depth);
  }
  return depth;
}

/**
 * Throws a DepthError for an expression that nests too deep. The stack of a JavaScript engine holds a
 * few thousand calls, and compilers of kernels have such limits too.
 */
export function checkDepth(node: ExprNode): void {
  if (depthOf(node) > MAX_DEPTH) throw new DepthError(MAX_DEPTH);
}
