import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { isLetter } from "./character_kinds.ts";

/**
 * Whether the text has characters and all are letters: those of the categories Lu, Ll, Lt, Lm and
 * Lo, as in Python. False for the empty text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("code").isAlpha());
 * if (text !== "code.isAlpha()") throw new Error(text);
 * ```
 */
export const isAlpha: StringOp<[]> = defineStringOp({
  name: "isAlpha",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether all characters are letters, and there are some",
  examples: [
    { input: "naïve", result: true },
    { input: "a b", result: false },
    { input: "", result: false },
  ],
  consts: { isLetter },
  row(text: View, c: { isLetter(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isLetter(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});
