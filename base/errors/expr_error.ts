/**
 * Mistakes in an expression or in a row function, and the lines that show their place in a text.
 *
 * @module
 */

import { showControls } from "../show_controls.ts";

/** A half-open range in the text of an expression, in UTF-16 units. */
export interface Place {
  /** The whole text of the expression. */
  readonly text: string;
  /** The first unit. */
  readonly start: number;
  /** One past the last unit. */
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
  /** The tag of the class: see `isSluiceError`. */
  override readonly name = "ExprError";
  /** The place of the mistake; absent for an expression that was not parsed from text. */
  readonly place: Place | undefined;

  /** The message is one clause without a period. */
  constructor(message: string, place?: Place, options?: ErrorOptions) {
    super(showControls(quotedInPart(message)), options);
    this.place = place;
  }
}

/** The length of the longest message that is shown whole. */
const MAX_MESSAGE = 1000;

/** Returns a message, without its middle if it is too long to read. */
function quotedInPart(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  const half = MAX_MESSAGE / 2;
  return `${message.slice(0, half).toWellFormed()} … ${message.slice(-half).toWellFormed()}`;
}

/** The most UTF-16 units shown before a place, of it, and after it, if its line is too long to show whole. */
const MAX_SHOWN = { before: 60, of: 80, behind: 40 } as const;

/** Returns the line of a place, or the part of a long line around the place. */
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
  // The cut may split a surrogate pair.
  const part = text.slice(from, to).toWellFormed();
  return {
    text: `${before}${part}${to < lineStop ? "…" : ""}`,
    start: start - from + before.length,
    stop: shownEnd - from + before.length,
  };
}

/** Returns two lines that show a place: its line, or a part of it, and carets under the place. */
export function showPlace(whole: Place): string {
  const place = partOf(whole);
  const shown = (start: number, stop?: number) =>
    showControls(place.text.slice(start, stop).replaceAll("\t", " "));
  const [before, under] = [shown(0, place.start), shown(place.start, place.stop)];
  const carets = "^".repeat(Math.max(1, [...under].length));
  return `${before}${under}${shown(place.stop)}\n${" ".repeat([...before].length)}${carets}`;
}

/** An expression that is nested too deeply. */
export class DepthError extends RangeError {
  override readonly name = "DepthError";

  /** `most` is the largest number of operations that an expression may nest. */
  constructor(most: number) {
    super(
      `An expression has at most ${most} operations, and fewer parentheses, inside of each ` +
        "other; concat() and isIn() take any number of values, and one step may follow another",
    );
  }
}

/**
 * A row function or a kernel uses a construct that the kernel language does not support.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { checkStringOp, defineStringOp, KernelError, type Sink, type View } from "../../mod.ts";
 *
 * const words = defineStringOp({
 *   name: "words",
 *   kind: "emit",
 *   row(out: Sink, text: View) {
 *     for (const word of String(text).split(" ")) console.log(out, word);
 *   },
 * });
 * assertThrows(() => checkStringOp(words), KernelError);
 * ```
 */
export class KernelError extends SyntaxError {
  /** The tag of the class: see `isSluiceError`. */
  override readonly name = "KernelError";
}
