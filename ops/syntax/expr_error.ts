/**
 * The error of a mistake in an expression, with its place in the text. Places are kept beside the nodes,
 * so that an expression that was parsed equals one that was built.
 *
 * @module
 */

import { showControls } from "../../streams/show_controls.ts";
import type { ExprNode } from "./node.ts";

/** Where in the text of an expression something stands: half open, in UTF-16 units. */
export interface Place {
  /** The whole text of the expression. */
  readonly text: string;
  /** Where it starts. */
  readonly start: number;
  /** Where it has ended. */
  readonly stop: number;
}

/**
 * A mistake in an expression: in its syntax, in a name, or in a type.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * import { expr, ExprError } from "../../mod.ts";
 *
 * const error = assertThrows(() => expr("name.uper()"), ExprError);
 * assertEquals(error.place?.text.slice(error.place.start, error.place.stop), "uper");
 * ```
 */
export class ExprError extends TypeError {
  /** Tells the class without importing it. */
  override readonly name = "ExprError";
  /** Where the mistake is; absent for an expression that was not parsed from text. */
  readonly place: Place | undefined;

  /** The message is one clause without a period. */
  constructor(message: string, place?: Place, options?: ErrorOptions) {
    super(showControls(message), options);
    this.place = place;
  }
}

/** Two lines that show a place: the line of the text, and carets under what is meant. */
export function showPlace(place: Place): string {
  const lineStart = place.text.lastIndexOf("\n", place.start - 1) + 1;
  const newline = place.text.indexOf("\n", place.start);
  const lineStop = newline < 0 ? place.text.length : newline;
  const shown = (start: number, stop: number) =>
    showControls(place.text.slice(start, stop).replaceAll("\t", " "));
  const stop = Math.max(place.start, Math.min(place.stop, lineStop));
  const [before, under] = [shown(lineStart, place.start), shown(place.start, stop)];
  const carets = "^".repeat(Math.max(1, [...under].length));
  return `${before}${under}${shown(stop, lineStop)}\n${" ".repeat([...before].length)}${carets}`;
}

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
