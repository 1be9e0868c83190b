/**
 * Defines the operation `replace`, which replaces one text by another.
 *
 * @module
 */

import {
  defineStringOp,
  type IntArg,
  type StringOp,
  type TextArg,
} from "./define/define_string_op.ts";

/**
 * Replaces each target, from left to right and without overlaps: at most `limit` of them, or all
 * where it is negative or left out.
 */
export const replace: StringOp<
  [target: TextArg, replacement: TextArg, limit?: IntArg | null]
> = defineStringOp({
  name: "replace",
  kind: "emit",
  args: { target: "string", replacement: "string", limit: "i32" },
  defaults: { limit: -1 },
  group: "replace",
  summary: "The text with each target replaced, or the first ones up to a limit",
  details: "An empty literal target is an error; a row with an empty target stays the same.",
  differs: [
    "JavaScript: replace() of a text replaces the first one only",
    "Python: an empty target stands between all characters",
  ],
  examples: [
    { input: "a-b-c", args: ["-", " "], result: "a b c" },
    { input: "a-b-c", args: ["-", " ", 1], result: "a b-c" },
  ],
  check: ({ target }) => target === "" ? "the target is empty" : undefined,
  row(out, text, { target, replacement, limit }) {
    let start = 0;
    let left = target.size === 0 ? 0 : limit;
    while (left !== 0) {
      const at = text.find(target, start);
      if (at < 0) break;
      out.copy(text.sub(start, at));
      out.copy(replacement);
      start = at + target.size;
      if (left > 0) left--;
    }
    out.copy(text.sub(start, text.size));
  },
  written: {
    // A map sees one character at a time, so the target must be one character.
    when({ target, limit }) {
      const isCharacter = typeof target === "string" && [...target].length === 1;
      return isCharacter &&
        (limit === undefined || (typeof limit !== "object" && Number(limit) < 0));
    },
    row(out, char, { target, replacement }) {
      if (char === target.charAt(0)) out.copy(replacement);
      else out.put(char);
    },
  },
});
