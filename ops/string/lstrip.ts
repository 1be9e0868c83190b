import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";
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
      written: {
        state: { inside: 0 },
        row(out: Sink, char: i32, s: { inside: i32 }) {
          if (s.inside === 0) {
            const isSpace =
              (char <= 0x20 && (char === 0x20 || (char >= 0x09 && char <= 0x0d) || char >= 0x1c)) ||
              (char >= 0x85 &&
                (char === 0x85 || char === 0xa0 || char === 0x1680 ||
                  (char >= 0x2000 && char <= 0x200a) || char === 0x2028 || char === 0x2029 ||
                  char === 0x202f || char === 0x205f || char === 0x3000));
            if (isSpace) return;
            s.inside = 1;
          }
          out.put(char);
        },
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
      written: {
        state: { inside: 0 },
        row(out: Sink, char: i32, chars: View, s: { inside: i32 }) {
          if (s.inside === 0) {
            if (chars.has(char)) return;
            s.inside = 1;
          }
          out.put(char);
        },
      },
    },
  },
});
