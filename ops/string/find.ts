import type { i32, View } from "../../gpu/kernel/row_function.ts";
import { defineStringOp, type StringOp, type TextArg } from "../define_string_op.ts";

/**
 * The position, in characters, where `target` first starts; -1 where it does not occur.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("mail").find("@"));
 * if (text !== 'mail.find("@")') throw new Error(text);
 * ```
 */
export const find: StringOp<[target: TextArg]> = defineStringOp({
  name: "find",
  kind: "measure",
  args: { target: "string" },
  summary: "The position, in characters, where the target first starts; -1 where it does not",
  examples: [{ input: "é-mail", args: ["mail"], result: 2 }],
  row(text: View, target: View): i32 {
    const at = text.find(target, 0);
    return at < 0 ? -1 : text.sub(0, at).length;
  },
});
