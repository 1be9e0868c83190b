import type { View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * Whether the text ends with `target`. Every text ends with the empty text.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("file").endsWith(".csv"));
 * if (text !== 'file.endsWith(".csv")') throw new Error(text);
 * ```
 */
export const endsWith: StringOp<[target: TextArg]> = defineStringOp({
  name: "endsWith",
  kind: "measure",
  returns: "bool",
  args: { target: "string" },
  group: "find",
  summary: "Whether the text ends with the target",
  examples: [{ input: "banana", args: ["nan"], result: false }, {
    input: "banana",
    args: ["na"],
    result: true,
  }],
  row(text: View, target: View): boolean {
    return text.sub(text.size - target.size, text.size).equals(target);
  },
});
