/**
 * Which expressions can fail in a row. What can fail is not moved in front of what may leave the row
 * out, nor into another step, whose number its error would have.
 *
 * @module
 */

import { argsByName } from "./call_node.ts";
import type { ExprBase } from "./expr.ts";
import { childrenOf, type ExprNode } from "./node.ts";

/** Whether an expression has a strict call. */
export function isStrictExpr({ node }: ExprBase): boolean {
  return hasNode(node, isStrictCall);
}

/** Whether an expression can fail in some row: by a strict call, or by a text that is too long. */
export function canFail({ node }: ExprBase): boolean {
  return hasNode(node, (part) => isStrictCall(part) || makesTextLonger(part));
}

function hasNode(node: ExprNode, test: (node: ExprNode) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => hasNode(child, test));
}

function isStrictCall(node: ExprNode): boolean {
  if (node.node !== "call") return false;
  return node.op.spec.isStrict?.(argsByName(node.op, node.args)) === true;
}

/** By as much as an argument says. */
function makesTextLonger(node: ExprNode): boolean {
  return node.node === "call" && (node.op.spec.group === "pad" || node.op.spec.group === "repeat");
}
