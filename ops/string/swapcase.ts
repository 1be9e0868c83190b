import type { i32, Sink, Table, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { toLower, toUpper } from "./case_maps.ts";
import { caseOf } from "./case_of.ts";
import { SPECIALS } from "./case_tables.ts";
import { isFinalSigma } from "./final_sigma.ts";

/**
 * The text with capital letters made small and small ones made capital, by the full mappings of
 * Unicode, as in Python: `ß` becomes `SS`, and `Σ` at the end of a word `ς`. Letters in title case,
 * such as `ǅ`, stay.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").swapcase());
 * if (text !== "name.swapcase()") throw new Error(text);
 * ```
 */
export const swapcase: StringOp<[]> = defineStringOp({
  name: "swapcase",
  kind: "map",
  group: "case",
  summary: "Capital letters made small, and small ones made capital",
  details: "Twice is not always the text again: `ß` becomes `SS`, and that `ss`.",
  examples: [
    { input: "Grace Hopper", result: "gRACE hOPPER" },
    { input: "Straße", result: "sTRASSE" },
  ],
  consts: { caseOf, toLower, toUpper, isFinalSigma, specials: SPECIALS },
  looks: true,
  row(out: Sink, char: i32, text: View, at: i32, c: CaseConsts) {
    if (char < 0x80) {
      const isCapital = char >= 0x41 && char <= 0x5a;
      const isSmall = char >= 0x61 && char <= 0x7a;
      return out.put(isCapital ? char | 0x20 : isSmall ? char & 0x5f : char);
    }
    const kind = c.caseOf(char);
    let mapped = char;
    if (kind === 1) mapped = c.toUpper(char);
    if (kind === 2) mapped = c.toLower(char);
    if (char === 0x3a3 && c.isFinalSigma(text, at)) mapped = 0x3c2;
    let first = mapped;
    let second = 0;
    let third = 0;
    if (mapped < 0) {
      first = c.specials.at(~mapped);
      second = c.specials.at(~mapped + 1);
      third = c.specials.at(~mapped + 2);
    }
    out.put(first);
    if (second !== 0) out.put(second);
    if (third !== 0) out.put(third);
  },
});

interface CaseConsts {
  caseOf(char: i32): i32;
  toLower(char: i32): i32;
  toUpper(char: i32): i32;
  isFinalSigma(text: View, at: i32): boolean;
  specials: Table;
}
