/**
 * The places of nodes in the text that they were parsed from, and errors that name them. Places are kept
 * beside the nodes, so that an expression that was parsed equals one that was built.
 *
 * @module
 */

import { ExprError, type Place } from "../../base/errors/expr_error.ts";
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

/** What `check` gives; a RangeError of it, behind `what`, is the error of a mistake at a node. */
export function checkedAt<T>(node: ExprNode, what: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ExprError(`${what}: ${error.message}`, placeOf(node), { cause: error });
  }
}

/** Throws the error for a mistake at a node. */
export function failAt(node: ExprNode, message: string): never {
  throw new ExprError(message, placeOf(node));
}
