import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { isAnyDigit } from "./character_kinds.ts";

/**
 * Whether the text has characters and all stand for digits, as in Python: decimal digits of every
 * script, and digits such as superscripts. False for the empty text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("code").isDigit());
 * if (text !== "code.isDigit()") throw new Error(text);
 * ```
 */
export const isDigit: StringOp<[]> = defineStringOp({
  name: "isDigit",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary:
    "Whether all characters are digits, superscript and circled ones too, and there are some",
  examples: [
    { input: "2001", result: true },
    { input: "x²", result: false },
    { input: "²", result: true },
    { input: "½", result: false },
  ],
  consts: { isAnyDigit },
  row(text: View, c: { isAnyDigit(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isAnyDigit(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});
