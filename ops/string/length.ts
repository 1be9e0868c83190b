import type { i32, View } from "../../gpu/kernel/row_function.ts";
import { defineStringOp, type StringOp } from "../define_string_op.ts";

/**
 * The number of characters (code points).
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").length());
 * if (text !== "name.length()") throw new Error(text);
 * ```
 */
export const length: StringOp<[]> = defineStringOp({
  name: "length",
  kind: "measure",
  group: "size",
  summary: "The number of characters (code points)",
  examples: [{ input: "naïve 🙂", result: 7 }, { input: null, result: null }],
  row(text: View): i32 {
    return text.length;
  },
});
