/**
 * The places of nodes in the text that they were parsed from, and errors that name them. Places are
 * kept apart from the nodes, so that a parsed expression equals one that was built.
 *
 * @module
 */

import { ExprError, type Place } from "../../base/errors/expr_error.ts";
import type { ExprNode } from "./node.ts";

const places = new WeakMap<ExprNode, Place>();

/** Records the place of a node, unless it has one. */
export function setPlace(node: ExprNode, place: Place): void {
  if (!places.has(node)) places.set(node, place);
}

/** Returns the place of a node; undefined for one that was built. */
export function placeOf(node: ExprNode): Place | undefined {
  return places.get(node);
}

/** Returns the result of `check`; rethrows its RangeError as an ExprError at a node, after `what`. */
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
