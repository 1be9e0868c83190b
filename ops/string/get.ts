import type { i32, View } from "../../gpu/kernel/row_function.ts";
import { defineStringOp, type IntArg, type StringOp } from "../define_string_op.ts";
import { callNode } from "../expr/call_node.ts";
import { literalNode } from "../expr/node.ts";
import { slice } from "./slice.ts";

const MAX_I32 = 0x7fffffff;

/**
 * The character at `index`, counted from 0, or from the end where it is negative. Where there is
 * none it gives the empty text, as libcudf and Polars do.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").get(-1));
 * if (text !== "name.get(-1)") throw new Error(text);
 * ```
 */
export const get: StringOp<[index: IntArg]> = defineStringOp({
  name: "get",
  kind: "view",
  args: { index: "i32" },
  group: "slice",
  summary: "The character at an index; a negative index counts from the end",
  details: "Where there is no such character it gives the empty text.",
  differs: ["Python: an index out of range is an error"],
  examples: [
    { input: "naïve", args: [2], result: "ï" },
    { input: "naïve", args: [-1], result: "e" },
    { input: "naïve", args: [5], result: "" },
  ],
  expand(text, { index }) {
    // A slice with such bounds can also be taken of text while it is written.
    if (typeof index !== "number" || index < 0 || index === MAX_I32) return undefined;
    return callNode(slice, text, [literalNode(index), literalNode(index + 1)]);
  },
  row(text: View, index: i32): View {
    if (index < 0) {
      const stop = text.advance(text.size, index + 1);
      return text.sub(text.prev(stop), stop);
    }
    const start = text.advance(0, index);
    return text.sub(start, text.next(start));
  },
});
