import type { View } from "../../gpu/kernel/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "../define_string_op.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * The text without the white space at the start, or without the characters of `chars`, which is a
 * set. White space is what Unicode calls so, and the four separators U+001C to U+001F.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").lstrip());
 * if (text !== "name.lstrip()") throw new Error(text);
 * ```
 */
export const lstrip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "lstrip",
  args: { chars: "string" },
  optional: ["chars"],
  group: "strip",
  summary: "The text without white space, or a set of characters, at the start",
  examples: [{ input: "  a b ", result: "a b " }, { input: "00700", args: ["0"], result: "700" }],
  choose: ({ chars }) => chars === undefined ? "space" : "set",
  overloads: {
    space: {
      kind: "view",
      consts: { isWhiteSpace },
      row(text: View, c: { isWhiteSpace: typeof isWhiteSpace }): View {
        let start = 0;
        while (start < text.size && c.isWhiteSpace(text.charAt(start))) start = text.next(start);
        return text.sub(start, text.size);
      },
    },
    set: {
      kind: "view",
      args: { chars: "string" },
      row(text: View, chars: View): View {
        let start = 0;
        while (start < text.size && chars.has(text.charAt(start))) start = text.next(start);
        return text.sub(start, text.size);
      },
    },
  },
});
