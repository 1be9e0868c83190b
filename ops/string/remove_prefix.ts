import type { View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * The text without `prefix`, once, where it starts with it.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").removePrefix("Dr. "));
 * if (text !== 'name.removePrefix("Dr. ")') throw new Error(text);
 * ```
 */
export const removePrefix: StringOp<[prefix: TextArg]> = defineStringOp({
  name: "removePrefix",
  kind: "view",
  args: { prefix: "string" },
  group: "strip",
  summary: "The text without a prefix, where it starts with it",
  details: "The prefix goes away once.",
  examples: [
    { input: "Dr. Hopper", args: ["Dr. "], result: "Hopper" },
    { input: "aab", args: ["a"], result: "ab" },
    { input: "Hopper", args: ["Dr. "], result: "Hopper" },
  ],
  row(text: View, prefix: View): View {
    const hasPrefix = text.sub(0, prefix.size).equals(prefix);
    return text.sub(hasPrefix ? prefix.size : 0, text.size);
  },
});
