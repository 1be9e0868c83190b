import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type IntArg, type StringOp } from "./define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { literalNode } from "../expr/node.ts";
import { slice } from "./slice.ts";

/**
 * The first `count` characters, or all where there are fewer; where `count` is negative, all but
 * the last ones, as in SQL.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").left(3));
 * if (text !== "name.left(3)") throw new Error(text);
 * ```
 */
export const left: StringOp<[count: IntArg]> = defineStringOp({
  name: "left",
  kind: "view",
  args: { count: "i32" },
  group: "slice",
  summary: "The first characters; with a negative count, all but the last ones",
  details: "A text that is shorter comes whole.",
  examples: [
    { input: "naïve", args: [3], result: "naï" },
    { input: "naïve", args: [-1], result: "naïv" },
  ],
  expand(text, { count }) {
    // A slice with such bounds can also be taken of text while it is written.
    if (typeof count !== "number" || count < 0) return undefined;
    return callNode(slice, text, [literalNode(0), literalNode(count)]);
  },
  row(text: View, count: i32): View {
    return text.sub(0, text.advance(count < 0 ? text.size : 0, count));
  },
});
