import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * Whether the text has characters and all are white space, as in Python: what Unicode calls so,
 * and the four separators U+001C to U+001F. False for the empty text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("code").isSpace());
 * if (text !== "code.isSpace()") throw new Error(text);
 * ```
 */
export const isSpace: StringOp<[]> = defineStringOp({
  name: "isSpace",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether all characters are white space, and there are some",
  examples: [
    { input: " \t\n", result: true },
    { input: " a ", result: false },
    { input: "", result: false },
  ],
  consts: { isWhiteSpace },
  row(text: View, c: { isWhiteSpace(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isWhiteSpace(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});
