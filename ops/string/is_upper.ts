import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { caseOf } from "./case_of.ts";

/**
 * Whether the text has capital letters and no others that have case, as in Python. Characters
 * without case do not count; without any capital letter it is false.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("code").isUpper());
 * if (text !== "code.isUpper()") throw new Error(text);
 * ```
 */
export const isUpper: StringOp<[]> = defineStringOp({
  name: "isUpper",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether there are capital letters, and no small ones",
  examples: [
    { input: "B-52", result: true },
    { input: "Ab", result: false },
    { input: "52", result: false },
  ],
  consts: { caseOf },
  row(text: View, c: { caseOf(char: i32): i32 }): boolean {
    let isCased = false;
    for (let at = 0; at < text.size; at = text.next(at)) {
      // 1 is small, 2 capital, 3 title case.
      const kind = c.caseOf(text.charAt(at));
      if (kind === 1 || kind === 3) return false;
      if (kind === 2) isCased = true;
    }
    return isCased;
  },
});
