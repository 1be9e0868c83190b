import type { i32, Sink, Table, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { toLower } from "./case_maps.ts";
import { SPECIALS } from "./case_tables.ts";
import { isFinalSigma } from "./final_sigma.ts";

/**
 * The text in small letters, by the full mappings of Unicode, as in Python and JavaScript: `Σ`
 * becomes `ς` at the end of a word and `σ` elsewhere, `İ` two characters.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").lower());
 * if (text !== "name.lower()") throw new Error(text);
 * ```
 */
export const lower: StringOp<[]> = defineStringOp({
  name: "lower",
  kind: "map",
  group: "case",
  summary: "Small letters, by the full mappings of Unicode",
  details: "`Σ` becomes `ς` at the end of a word.",
  examples: [
    { input: "ÀÉ", result: "àé" },
    { input: "ΣΟΦΟΣ", result: "σοφος" },
    { input: "İ", result: "i\u0307" },
  ],
  consts: { toLower, isFinalSigma, specials: SPECIALS },
  looks: true,
  row(out: Sink, char: i32, text: View, at: i32, c: CaseConsts) {
    let mapped = c.toLower(char);
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
  toLower(char: i32): i32;
  isFinalSigma(text: View, at: i32): boolean;
  specials: Table;
}
