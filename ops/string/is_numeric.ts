import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { isNumberCharacter } from "./character_kinds.ts";

/**
 * Whether the text has characters and all have a numeric value, as in Python: digits, fractions,
 * Roman numerals and Han numbers among them. False for the empty text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("code").isNumeric());
 * if (text !== "code.isNumeric()") throw new Error(text);
 * ```
 */
export const isNumeric: StringOp<[]> = defineStringOp({
  name: "isNumeric",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary:
    "Whether all characters have a numeric value, fractions and Han numbers too, and there are some",
  examples: [
    { input: "2001", result: true },
    { input: "½", result: true },
    { input: "三", result: true },
    { input: "1.5", result: false },
  ],
  consts: { isNumberCharacter },
  row(text: View, c: { isNumberCharacter(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isNumberCharacter(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});
