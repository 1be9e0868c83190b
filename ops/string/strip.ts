import type { View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * The text without the white space at both ends, or without the characters of `chars`, which is a
 * set. White space is what Unicode calls so, and the four separators U+001C to U+001F.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").strip());
 * if (text !== "name.strip()") throw new Error(text);
 * ```
 */
export const strip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "strip",
  args: { chars: "string" },
  optional: ["chars"],
  group: "strip",
  summary: "The text without white space, or a set of characters, at both ends",
  differs: [
    "DuckDB: trim() takes blanks only",
    "JavaScript: trim() takes U+FEFF too, and neither U+0085 nor U+001C to U+001F",
    "Polars: U+001C to U+001F stay",
  ],
  examples: [{ input: "  a b\t", result: "a b" }, { input: "--a-b-", args: ["-"], result: "a-b" }],
  choose: ({ chars }) => chars === undefined ? "space" : "set",
  overloads: {
    space: {
      kind: "view",
      consts: { isWhiteSpace },
      row(text: View, c: { isWhiteSpace: typeof isWhiteSpace }): View {
        let start = 0;
        while (start < text.size && c.isWhiteSpace(text.charAt(start))) start = text.next(start);
        let stop = text.size;
        while (stop > start) {
          const before = text.prev(stop);
          if (!c.isWhiteSpace(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(start, stop);
      },
    },
    set: {
      kind: "view",
      args: { chars: "string" },
      row(text: View, chars: View): View {
        let start = 0;
        while (start < text.size && chars.has(text.charAt(start))) start = text.next(start);
        let stop = text.size;
        while (stop > start) {
          const before = text.prev(stop);
          if (!chars.has(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(start, stop);
      },
    },
  },
});
