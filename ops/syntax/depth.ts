/**
 * The depth of an expression, and its limit.
 *
 * @module
 */

import { DepthError } from "../../base/errors/expr_error.ts";
import { childrenOf, type ExprNode } from "./node.ts";

/** The most operations that may be nested; half of the usual stack is enough for them. */
export const MAX_DEPTH = 500;

const depths = new WeakMap<ExprNode, number>();

/**
 * Returns the depth of a tree: the number of nodes from a node to the farthest one below it, both
 * counted. Each node is measured once, so a tree is measured while it is built.
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
 * Throws a DepthError for an expression that nests too deep: JavaScript engines have stacks for a few
 * thousand calls, and so have the compilers of kernels.
 */
export function checkDepth(node: ExprNode): void {
  if (depthOf(node) > MAX_DEPTH) throw new DepthError(MAX_DEPTH);
}
