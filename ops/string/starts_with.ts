import type { View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * Whether the text starts with `target`. Every text starts with the empty text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").startsWith("Dr. "));
 * if (text !== 'name.startsWith("Dr. ")') throw new Error(text);
 * ```
 */
export const startsWith: StringOp<[target: TextArg]> = defineStringOp({
  name: "startsWith",
  kind: "measure",
  returns: "bool",
  args: { target: "string" },
  group: "find",
  summary: "Whether the text starts with the target",
  examples: [{ input: "banana", args: ["ba"], result: true }, {
    input: "banana",
    args: [""],
    result: true,
  }],
  row(text: View, target: View): boolean {
    return text.sub(0, target.size).equals(target);
  },
});
