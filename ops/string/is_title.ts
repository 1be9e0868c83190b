import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { caseOf } from "./case_of.ts";

/**
 * Whether every run of letters that have case begins with one in capital or title case and goes on
 * with small ones, and there is such a run, as in Python.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("code").isTitle());
 * if (text !== "code.isTitle()") throw new Error(text);
 * ```
 */
export const isTitle: StringOp<[]> = defineStringOp({
  name: "isTitle",
  kind: "measure",
  returns: "bool",
  group: "case",
  summary: "Whether each run of letters starts with a capital and goes on in small letters",
  examples: [
    { input: "Grace Hopper", result: true },
    { input: "Grace hopper", result: false },
    { input: "GRACE", result: false },
    { input: "52", result: false },
  ],
  consts: { caseOf },
  row(text: View, c: { caseOf(char: i32): i32 }): boolean {
    let isCased = false;
    let isInRun = false;
    for (let at = 0; at < text.size; at = text.next(at)) {
      // 1 is small, 2 capital, 3 title case.
      const kind = c.caseOf(text.charAt(at));
      if (kind === 0) {
        isInRun = false;
      } else {
        if (isInRun !== (kind === 1)) return false;
        isInRun = true;
        isCased = true;
      }
    }
    return isCased;
  },
});
