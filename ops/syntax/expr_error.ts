/**
 * The error of a mistake in an expression, with its place in the text. Places are kept beside the nodes,
 * so that an expression that was parsed equals one that was built.
 *
 * @module
 */

import { showControls } from "../../base/show_controls.ts";
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
    super(showControls(quotedInPart(message)), options);
    this.place = place;
  }
}

/** Units of text that are shown before a place, of it, and behind it; of a line that is longer, a part. */
const MAX_SHOWN = { before: 60, of: 80, behind: 40 } as const;

/** The longest message that is shown as a whole. */
const MAX_MESSAGE = 1000;

/** A message without its middle, where it quotes what is too long to read. */
function quotedInPart(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  const half = MAX_MESSAGE / 2;
  return `${message.slice(0, half).toWellFormed()} … ${message.slice(-half).toWellFormed()}`;
}

/** The line of a place; of a long one the part around the place. */
function partOf({ text, start, stop }: Place): Place {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const newline = text.indexOf("\n", start);
  const lineStop = newline < 0 ? text.length : newline;
  const end = Math.max(start, Math.min(stop, lineStop));
  if (lineStop - lineStart <= MAX_SHOWN.before + MAX_SHOWN.of + MAX_SHOWN.behind) {
    return {
      text: text.slice(lineStart, lineStop),
      start: start - lineStart,
      stop: end - lineStart,
    };
  }
  const from = Math.max(lineStart, start - MAX_SHOWN.before);
  const shownEnd = Math.min(end, start + MAX_SHOWN.of);
  const to = Math.min(lineStop, shownEnd + MAX_SHOWN.behind);
  const before = from > lineStart ? "…" : "";
  // A half of a pair is no character.
  const part = text.slice(from, to).toWellFormed();
  return {
    text: `${before}${part}${to < lineStop ? "…" : ""}`,
    start: start - from + before.length,
    stop: shownEnd - from + before.length,
  };
}

/** Two lines that show a place: the line of the text, or a part of it, and carets under what is meant. */
export function showPlace(whole: Place): string {
  const place = partOf(whole);
  const shown = (start: number, stop?: number) =>
    showControls(place.text.slice(start, stop).replaceAll("\t", " "));
  const [before, under] = [shown(0, place.start), shown(place.start, place.stop)];
  const carets = "^".repeat(Math.max(1, [...under].length));
  return `${before}${under}${shown(place.stop)}\n${" ".repeat([...before].length)}${carets}`;
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
