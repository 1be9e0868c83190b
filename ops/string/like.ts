import type { i32, View } from "../../gpu/kernel/row_function.ts";
import { type CallArgs, defineStringOp, type StringOp, type TextArg } from "../define_string_op.ts";

/**
 * Whether the whole text is as SQL's LIKE has it: in the pattern `%` stands for any text, `_` for
 * one character, and everything else for itself. There is no escape character unless `escape` names
 * one: then the character after it stands for itself. A literal pattern that ends with the escape
 * character is an error; one from a column matches nothing.
 *
 * The matcher goes back to the last `%` only, which is enough (Krauss, "Matching wildcards", 2008).
 * A literal pattern such as `%text%` is a plain search.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").like("J%n"));
 * if (text !== 'name.like("J%n")') throw new Error(text);
 * ```
 */
export const like: StringOp<[pattern: TextArg, escape?: string | null]> = defineStringOp({
  name: "like",
  args: { pattern: "string", escape: "literal" },
  optional: ["escape"],
  group: "find",
  accepts: { escape: "string" },
  summary: "Whether the whole text matches a pattern of SQL: % is any text, _ any character",
  details:
    "There is no escape character unless one is named; it makes the character after it stand " +
    "for itself. Upper and lower case differ. A pattern from a column that ends with the escape " +
    "character matches nothing; a literal one is an error.",
  differs: ["PostgreSQL: \\ is no escape character unless it is named"],
  examples: [
    { input: "Grace Hopper", args: ["G%Hop_er"], result: true },
    { input: "Grace Hopper", args: ["Hop%"], result: false },
    { input: "100%", args: ["%!%", "!"], result: true },
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
    equal: {
      kind: "measure",
      returns: "bool",
      args: { pattern: "string" },
      row(text: View, pattern: View): boolean {
        return text.equals(pattern);
      },
    },
    start: {
      kind: "measure",
      returns: "bool",
      args: { pattern: "string" },
      row(text: View, pattern: View): boolean {
        return text.sub(0, pattern.size - 1).equals(pattern.sub(0, pattern.size - 1));
      },
    },
    end: {
      kind: "measure",
      returns: "bool",
      args: { pattern: "string" },
      row(text: View, pattern: View): boolean {
        const size = pattern.size - 1;
        return text.sub(text.size - size, text.size).equals(pattern.sub(1, pattern.size));
      },
    },
    part: {
      kind: "measure",
      returns: "bool",
      args: { pattern: "string" },
      row(text: View, pattern: View): boolean {
        return text.find(pattern.sub(1, pattern.size - 1), 0) >= 0;
      },
    },
    any: {
      kind: "measure",
      returns: "bool",
      args: { pattern: "string" },
      consts: ({ escape }) => ({ escape: codePointOf(escape), any: 0x25, one: 0x5f }),
      row(text: View, pattern: View, c: { escape: i32; any: i32; one: i32 }): boolean {
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
            const isPlain = char === c.escape;
            if (isPlain) {
              if (after === pattern.size) return false;
              char = pattern.charAt(after);
              after = pattern.next(after);
            }
            if (!isPlain && char === c.any) {
              if (after === pattern.size) return true;
              again = after;
              rest = at;
              place = after;
              continue;
            }
            isMatched = char === text.charAt(at) || (!isPlain && char === c.one);
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
        while (c.escape !== c.any && place < pattern.size && pattern.byteAt(place) === c.any) {
          place++;
        }
        return place === pattern.size;
      },
    },
  },
});

/** A pattern of one piece of text, with % at one end or at both, needs no matcher. */
function shapeOf({ pattern, escape }: CallArgs): string {
  if (typeof pattern !== "string") return "any";
  const hasEscape = typeof escape === "string" && pattern.includes(escape);
  const [, open, text, close] = /^(%?)([^%_]*)(%?)$/u.exec(pattern) ?? [];
  if (hasEscape || text === undefined) return "any";
  if (open && close) return "part";
  if (open) return text === "" ? "any" : "end";
  return close ? "start" : "equal";
}

function endsInEscape(pattern: string, escape: string): boolean {
  let isEscaped = false;
  for (const char of pattern) isEscaped = !isEscaped && char === escape;
  return isEscaped;
}

/** -1 where there is no escape character. */
function codePointOf(escape: CallArgs[string]): number {
  return typeof escape === "string" ? escape.codePointAt(0) ?? -1 : -1;
}
