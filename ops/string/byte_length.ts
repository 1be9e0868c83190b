import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * The number of bytes that the text takes as UTF-8.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").byteLength());
 * if (text !== "name.byteLength()") throw new Error(text);
 * ```
 */
export const byteLength: StringOp<[]> = defineStringOp({
  name: "byteLength",
  kind: "measure",
  group: "size",
  summary: "The number of bytes that the text takes as UTF-8",
  examples: [{ input: "naïve 🙂", result: 11 }, { input: "", result: 0 }],
  row(text: View): i32 {
    return text.size;
  },
});
