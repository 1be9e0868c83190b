import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { isLetter, isNumberCharacter } from "./character_kinds.ts";

/**
 * Whether the text has characters and all are letters or have a numeric value, as in Python. False
 * for the empty text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("code").isAlnum());
 * if (text !== "code.isAlnum()") throw new Error(text);
 * ```
 */
export const isAlnum: StringOp<[]> = defineStringOp({
  name: "isAlnum",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether all characters are letters or have a numeric value, and there are some",
  examples: [
    { input: "B52", result: true },
    { input: "x²", result: true },
    { input: "B-52", result: false },
  ],
  consts: { isLetter, isNumberCharacter },
  row(
    text: View,
    c: { isLetter(char: i32): boolean; isNumberCharacter(char: i32): boolean },
  ): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      const char = text.charAt(at);
      if (!c.isLetter(char) && !c.isNumberCharacter(char)) return false;
    }
    return text.size > 0;
  },
});
