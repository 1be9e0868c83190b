import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * How often `target` occurs, without overlaps, from left to right. The empty text occurs before
 * every character and at the end, as in Python.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("path").count("/"));
 * if (text !== 'path.count("/")') throw new Error(text);
 * ```
 */
export const count: StringOp<[target: TextArg]> = defineStringOp({
  name: "count",
  kind: "measure",
  args: { target: "string" },
  group: "find",
  summary: "How often the target occurs, without overlaps",
  details: "The empty text occurs before every character and at the end.",
  examples: [
    { input: "banana", args: ["an"], result: 2 },
    { input: "aaaa", args: ["aa"], result: 2 },
    { input: "né", args: [""], result: 3 },
  ],
  row(text: View, target: View): i32 {
    if (target.size === 0) return text.length + 1;
    let count = 0;
    let at = text.find(target, 0);
    while (at >= 0) {
      count++;
      at = text.find(target, at + target.size);
    }
    return count;
  },
});
