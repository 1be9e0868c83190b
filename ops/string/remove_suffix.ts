import type { View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * The text without `suffix`, once, where it ends with it.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("file").removeSuffix(".csv"));
 * if (text !== 'file.removeSuffix(".csv")') throw new Error(text);
 * ```
 */
export const removeSuffix: StringOp<[suffix: TextArg]> = defineStringOp({
  name: "removeSuffix",
  kind: "view",
  args: { suffix: "string" },
  group: "strip",
  summary: "The text without a suffix, where it ends with it",
  details: "The suffix goes away once.",
  examples: [
    { input: "flights.csv", args: [".csv"], result: "flights" },
    { input: "baa", args: ["a"], result: "ba" },
    { input: "flights", args: [".csv"], result: "flights" },
  ],
  row(text: View, suffix: View): View {
    const stop = text.size - suffix.size;
    return text.sub(0, text.sub(stop, text.size).equals(suffix) ? stop : text.size);
  },
});
