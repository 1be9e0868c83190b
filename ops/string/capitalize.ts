import type { i32, Sink, Table, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { toLower, toTitle } from "./case_maps.ts";
import { SPECIALS } from "./case_tables.ts";
import { isFinalSigma } from "./final_sigma.ts";

/**
 * The text with its first character in title case and the others in small letters, by the full
 * mappings of Unicode, as in Python. A first character that is no letter stays.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").capitalize());
 * if (text !== "name.capitalize()") throw new Error(text);
 * ```
 */
export const capitalize: StringOp<[]> = defineStringOp({
  name: "capitalize",
  kind: "map",
  group: "case",
  summary: "The first character in title case, the others in small letters",
  examples: [
    { input: "grace HOPPER", result: "Grace hopper" },
    { input: "ǆ and ﬁ", result: "ǅ and ﬁ" },
    { input: "(ok)", result: "(ok)" },
  ],
  consts: { toLower, toTitle, isFinalSigma, specials: SPECIALS },
  looks: true,
  state: { isFirst: 1 },
  row(out: Sink, char: i32, text: View, at: i32, s: { isFirst: i32 }, c: CaseConsts) {
    const isFirst = s.isFirst === 1;
    s.isFirst = 0;
    if (char < 0x80) {
      const isLetter = (char | 0x20) >= 0x61 && (char | 0x20) <= 0x7a;
      return out.put(!isLetter ? char : isFirst ? char & 0x5f : char | 0x20);
    }
    let mapped = isFirst ? c.toTitle(char) : c.toLower(char);
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
  toTitle(char: i32): i32;
  isFinalSigma(text: View, at: i32): boolean;
  specials: Table;
}
