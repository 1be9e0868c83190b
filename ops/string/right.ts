import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp } from "./define_string_op.ts";

/**
 * The last `count` characters, or all where there are fewer; where `count` is negative, all but the
 * first ones, as in SQL.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").right(3));
 * if (text !== "name.right(3)") throw new Error(text);
 * ```
 */
export const right: StringOp<[count: IntArg]> = defineStringOp({
  name: "right",
  kind: "view",
  args: { count: "i32" },
  group: "slice",
  summary: "The last characters; with a negative count, all but the first ones",
  details: "A text that is shorter comes whole.",
  differs: ["Python: text[-0:] is the whole text, right(0) is empty"],
  examples: [
    { input: "naïve", args: [3], result: "ïve" },
    { input: "naïve", args: [-1], result: "aïve" },
  ],
  row(text: View, count: i32): View {
    // In two steps, since the least integer has no opposite.
    if (count < 0) return text.sub(text.advance(text.advance(0, -(count + 1)), 1), text.size);
    return text.sub(text.advance(text.size, -count), text.size);
  },
});
