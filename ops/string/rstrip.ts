import type { View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * The text without the white space at the end, or without the characters of `chars`, which is a
 * set. White space is what Unicode calls so, and the four separators U+001C to U+001F.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").rstrip());
 * if (text !== "name.rstrip()") throw new Error(text);
 * ```
 */
export const rstrip: StringOp<[chars?: TextArg | null]> = defineStringOp({
  name: "rstrip",
  args: { chars: "string" },
  optional: ["chars"],
  group: "strip",
  summary: "The text without white space, or a set of characters, at the end",
  examples: [{ input: " a b  ", result: " a b" }, { input: "00700", args: ["0"], result: "007" }],
  choose: ({ chars }) => chars === undefined ? "space" : "set",
  overloads: {
    space: {
      kind: "view",
      consts: { isWhiteSpace },
      row(text: View, c: { isWhiteSpace: typeof isWhiteSpace }): View {
        let stop = text.size;
        while (stop > 0) {
          const before = text.prev(stop);
          if (!c.isWhiteSpace(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(0, stop);
      },
    },
    set: {
      kind: "view",
      args: { chars: "string" },
      row(text: View, chars: View): View {
        let stop = text.size;
        while (stop > 0) {
          const before = text.prev(stop);
          if (!chars.has(text.charAt(before))) break;
          stop = before;
        }
        return text.sub(0, stop);
      },
    },
  },
});
