/**
 * Where the nodes of a parsed expression stand in its text. Kept beside the nodes, so that an
 * expression that was parsed equals one that was built.
 *
 * @module
 */

import { ExprError, type Place } from "./expr_error.ts";
import type { ExprNode } from "./node.ts";

const places = new WeakMap<ExprNode, Place>();

/** Remembers where a node stands. The first place stays. */
export function setPlace(node: ExprNode, place: Place): void {
  if (!places.has(node)) places.set(node, place);
}

/** Where a node stands; undefined for one that was built. */
export function placeOf(node: ExprNode): Place | undefined {
  return places.get(node);
}

/** Throws the error for a mistake at a node. */
export function failAt(node: ExprNode, message: string): never {
  throw new ExprError(message, placeOf(node));
}
