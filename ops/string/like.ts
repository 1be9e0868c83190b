/**
 * Defines the operation `like`: SQL patterns with `%` and `_`.
 *
 * @module
 */

import {
  type CallArgs,
  defineStringOp,
  overload,
  type StringOp,
  type TextArg,
} from "./define/define_string_op.ts";

/**
 * Matches an SQL pattern. The matcher backtracks to the last `%` only, which is enough (Krauss,
 * "Matching wildcards", 2008). For a literal pattern without `_` and escapes, it searches for the
 * pieces between the `%`.
 */
export const like: StringOp<
  [pattern: TextArg, escape?: string | { readonly escape: string } | null]
> = defineStringOp({
  name: "like",
  args: { pattern: "string", escape: "literal" },
  optional: ["escape"],
  group: "find",
  accepts: { escape: "string" },
  summary: "Whether the whole text matches an SQL pattern: % is any text, _ any character",
  details:
    "There is no escape character unless one is named; it makes the character after it stand " +
    "for itself. Upper and lower case differ. A pattern from a column that ends with the escape " +
    "character matches nothing; a literal one is an error.",
  differs: ["PostgreSQL: \\ is no escape character unless it is named"],
  examples: [
    { input: "Grace Hopper", args: ["G%Hop_er"], result: true },
    { input: "Grace Hopper", args: ["Hop%"], result: false },
    { input: "100%", args: ["%!%", { escape: "!" }], result: true },
  ],
  check({ pattern, escape }) {
    if (escape === undefined) return undefined;
    if (typeof escape !== "string" || [...escape].length !== 1) {
      return "the escape must be one character";
    }
    const isWrong = typeof pattern === "string" && endsInEscape(pattern, escape);
    return isWrong ? "the pattern ends with the escape character" : undefined;
  },
  choose: shapeOf,
  overloads: {
    equal: overload({
      kind: "measure",
      returns: "bool",
      args: { pattern: "string" },
      row: (text, { pattern }) => text.equals(pattern),
    }),
    pieces: overload({
      kind: "measure",
      returns: "bool",
      args: { pattern: "string" },
      consts: ({ pattern }) => piecesOf(pattern as string),
      row(text, { pattern, count, starts, stops }) {
        const head = pattern.sub(0, stops.at(0));
        if (!text.sub(0, head.size).equals(head)) return false;
        let at = head.size;
        for (let i = 1; i < count - 1; i++) {
          const piece = pattern.sub(starts.at(i), stops.at(i));
          const found = text.find(piece, at);
          if (found < 0) return false;
          at = found + piece.size;
        }
        const tail = pattern.sub(starts.at(count - 1), pattern.size);
        const last = text.size - tail.size;
        return last >= at && text.sub(last, text.size).equals(tail);
      },
    }),
    any: overload({
      kind: "measure",
      returns: "bool",
      args: { pattern: "string" },
      consts: ({ escape }) => ({ escape: codePointOf(escape), any: 0x25, one: 0x5f }),
      row(text, { pattern, escape, any, one }) {
        let at = 0;
        let place = 0;
        // What follows the last % in the pattern, and the text that this % has not taken yet.
        let again = -1;
        let rest = 0;
        while (at < text.size) {
          let isMatched = false;
          if (place < pattern.size) {
            let char = pattern.charAt(place);
            let after = pattern.next(place);
            const isPlain = char === escape;
            if (isPlain) {
              if (after === pattern.size) return false;
              char = pattern.charAt(after);
              after = pattern.next(after);
            }
            if (!isPlain && char === any) {
              if (after === pattern.size) return true;
              again = after;
              rest = at;
              place = after;
              continue;
            }
            isMatched = char === text.charAt(at) || (!isPlain && char === one);
            if (isMatched) {
              place = after;
              at = text.next(at);
            }
          }
          if (!isMatched) {
            if (again < 0) return false;
            rest = text.next(rest);
            at = rest;
            place = again;
          }
        }
        while (escape !== any && place < pattern.size && pattern.byteAt(place) === any) {
          place++;
        }
        return place === pattern.size;
      },
    }),
  },
});

/** Chooses the overload: a literal pattern without `_` and escapes needs no matcher. */
function shapeOf({ pattern, escape }: CallArgs): string {
  if (typeof pattern !== "string" || pattern.includes("_")) return "any";
  if (typeof escape === "string" && pattern.includes(escape)) return "any";
  return pattern.includes("%") ? "pieces" : "equal";
}

/** Returns the byte ranges of the pieces between the `%` of a pattern. */
function piecesOf(pattern: string) {
  const sizes = pattern.split("%").map((piece) => new TextEncoder().encode(piece).length);
  const starts = new Int32Array(sizes.length);
  sizes.slice(0, -1).forEach((size, i) => starts[i + 1] = starts[i]! + size + 1);
  const stops = starts.map((start, i) => start + sizes[i]!);
  return { count: sizes.length, starts, stops };
}

function endsInEscape(pattern: string, escape: string): boolean {
  let isEscaped = false;
  for (const char of pattern) isEscaped = !isEscaped && char === escape;
  return isEscaped;
}

/** Returns the code point of the escape character; -1 without one. */
function codePointOf(escape: CallArgs[string]): number {
  return typeof escape === "string" ? escape.codePointAt(0) ?? -1 : -1;
}
