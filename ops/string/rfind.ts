import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "./define_string_op.ts";

/**
 * The position, in characters, where `target` last starts; -1 where it does not. The empty text is
 * found at the end.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("path").rfind("/"));
 * if (text !== 'path.rfind("/")') throw new Error(text);
 * ```
 */
export const rfind: StringOp<[target: TextArg]> = defineStringOp({
  name: "rfind",
  kind: "measure",
  args: { target: "string" },
  group: "find",
  summary: "The position, in characters, where the target last starts; -1 where it does not",
  details: "The empty text is found at the end.",
  examples: [
    { input: "é/a/b", args: ["/"], result: 3 },
    { input: "é/a/b", args: [":"], result: -1 },
    { input: "abc", args: [""], result: 3 },
  ],
  row(text: View, target: View): i32 {
    const at = text.rfind(target);
    return at < 0 ? -1 : text.sub(0, at).length;
  },
});
