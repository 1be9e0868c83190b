import type { i32, Sink, Table, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { toLower, toTitle } from "./case_maps.ts";
import { caseOf } from "./case_of.ts";
import { SPECIALS } from "./case_tables.ts";
import { isFinalSigma } from "./final_sigma.ts";

/**
 * The text with the first letter of each run of letters in title case and the others small, by the
 * full mappings of Unicode, as in Python. Letters are those that have case.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").title());
 * if (text !== "name.title()") throw new Error(text);
 * ```
 */
export const title: StringOp<[]> = defineStringOp({
  name: "title",
  kind: "map",
  group: "case",
  summary: "The first letter of each run of letters in title case, the others small",
  details: "A digit or an apostrophe ends a run: `they're` becomes `They'Re`.",
  examples: [
    { input: "grace HOPPER", result: "Grace Hopper" },
    { input: "they're 2nd", result: "They'Re 2Nd" },
    { input: "ΟΔΟΣ", result: "Οδος" },
  ],
  consts: { caseOf, toLower, toTitle, isFinalSigma, specials: SPECIALS },
  looks: true,
  state: { isInRun: 0 },
  row(out: Sink, char: i32, text: View, at: i32, s: { isInRun: i32 }, c: CaseConsts) {
    const isInRun = s.isInRun === 1;
    if (char < 0x80) {
      const isLetter = (char | 0x20) >= 0x61 && (char | 0x20) <= 0x7a;
      s.isInRun = isLetter ? 1 : 0;
      return out.put(!isLetter ? char : isInRun ? char | 0x20 : char & 0x5f);
    }
    s.isInRun = c.caseOf(char) !== 0 ? 1 : 0;
    let mapped = isInRun ? c.toLower(char) : c.toTitle(char);
    if (char === 0x3a3 && isInRun && c.isFinalSigma(text, at)) mapped = 0x3c2;
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
  toTitle(char: i32): i32;
  isFinalSigma(text: View, at: i32): boolean;
  specials: Table;
}
