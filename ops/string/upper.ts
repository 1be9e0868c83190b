import type { i32, Sink, Table } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { toUpper } from "./case_maps.ts";
import { SPECIALS } from "./case_tables.ts";

/**
 * The text in capital letters, by the full mappings of Unicode: one character may become several
 * (`ß` becomes `SS`). What has no capital stays.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").upper());
 * if (text !== "name.upper()") throw new Error(text);
 * ```
 */
export const upper: StringOp<[]> = defineStringOp({
  name: "upper",
  kind: "map",
  group: "case",
  summary: "Capital letters, by the full mappings of Unicode",
  differs: ["DuckDB: maps one character to one, ß to ẞ"],
  examples: [{ input: "straße", result: "STRASSE" }, { input: "naïve", result: "NAÏVE" }],
  consts: { toUpper, specials: SPECIALS },
  row(out: Sink, char: i32, c: { toUpper(char: i32): i32; specials: Table }) {
    const mapped = c.toUpper(char);
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
