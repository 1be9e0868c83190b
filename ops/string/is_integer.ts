import type { i32, Table, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * Whether the text is an integer of 64 bits: exactly where `toInteger` is not null.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("age").isInteger());
 * if (text !== "age.isInteger()") throw new Error(text);
 * ```
 */
export const isInteger: StringOp<[]> = defineStringOp({
  name: "isInteger",
  group: "convert",
  summary: "Whether the text is a 64-bit integer that toInteger reads",
  examples: [
    { input: "+007", result: true },
    { input: "9223372036854775808", result: false },
    { input: "", result: false },
  ],
  kind: "measure",
  returns: "bool",
  consts: { digits: Int32Array.from("9223372036854775807", Number) },
  row(text: View, c: { digits: Table }): boolean {
    const sign = text.byteAt(0);
    let at: i32 = sign === 0x2d || sign === 0x2b ? 1 : 0;
    if (at === text.size) return false;
    while (at < text.size - 1 && text.byteAt(at) === 0x30) at++;
    const start = at;
    if (text.size - start > 19) return false;
    // What the digits so far are beside those of the greatest integer.
    let order = 0;
    for (; at < text.size; at++) {
      const digit = text.byteAt(at) - 0x30;
      if (digit < 0 || digit > 9) return false;
      let most = c.digits.at(at - start);
      if (at - start === 18 && sign === 0x2d) most++;
      if (order === 0 && digit !== most) order = digit < most ? -1 : 1;
    }
    return text.size - start < 19 || order <= 0;
  },
});
