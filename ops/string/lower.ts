import type { i32, Sink, Table } from "../../gpu/kernel/row_function.ts";
import { defineStringOp, type StringOp } from "../define_string_op.ts";
import { toLower } from "./case_maps.ts";
import { SPECIALS } from "./case_tables.ts";

/**
 * The text in small letters, by the mappings of Unicode, character by character: `Σ` becomes `σ`
 * at the end of a word too. `İ` becomes two characters, as it does everywhere.
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
  summary: "Small letters, by the mappings of Unicode; Σ becomes σ wherever it stands",
  examples: [{ input: "ÀÉ Σ", result: "àé σ" }, { input: "İ", result: "i\u0307" }],
  consts: { toLower, specials: SPECIALS },
  row(out: Sink, char: i32, c: { toLower(char: i32): i32; specials: Table }) {
    const mapped = c.toLower(char);
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
