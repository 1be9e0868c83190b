import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { isDecimalDigit } from "./character_kinds.ts";

/**
 * Whether the text has characters and all are decimal digits: those of the category Nd, of every
 * script, as in Python. False for the empty text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("code").isDecimal());
 * if (text !== "code.isDecimal()") throw new Error(text);
 * ```
 */
export const isDecimal: StringOp<[]> = defineStringOp({
  name: "isDecimal",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether all characters are decimal digits of some script, and there are some",
  examples: [
    { input: "2001", result: true },
    { input: "٣", result: true },
    { input: "x²", result: false },
    { input: "", result: false },
  ],
  consts: { isDecimalDigit },
  row(text: View, c: { isDecimalDigit(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isDecimalDigit(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});
