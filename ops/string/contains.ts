import type { View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * Whether `target` occurs in the text. The empty text occurs in every text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").contains("van"));
 * if (text !== 'name.contains("van")') throw new Error(text);
 * ```
 */
export const contains: StringOp<[target: TextArg]> = defineStringOp({
  name: "contains",
  kind: "measure",
  returns: "bool",
  args: { target: "string" },
  group: "find",
  summary: "Whether the target occurs in the text; the empty target does in every text",
  examples: [{ input: "banana", args: ["nan"], result: true }, {
    input: "banana",
    args: ["Nan"],
    result: false,
  }],
  row(text: View, target: View): boolean {
    return text.find(target, 0) >= 0;
  },
});
