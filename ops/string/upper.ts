import type { i32, Sink, Table } from "../../gpu/kernel/row_function.ts";
import { defineStringOp, type StringOp } from "../define_string_op.ts";
import { UPPER } from "./case_tables.ts";
import { findRun } from "./find_run.ts";

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
  consts: { ...UPPER, findRun: findRun(UPPER.runs) },
  row(out: Sink, char: i32, c: { runs: Table; specials: Table; findRun(char: i32): i32 }) {
    let first = char;
    let second = 0;
    let third = 0;
    if (char < 0x80) {
      if (char >= 0x61 && char <= 0x7a) first = char - 0x20;
    } else {
      const run = c.findRun(char);
      // A run: first, last, step, delta. After the last one the table reads as zeros.
      const offset = char - c.runs.at(run);
      const step = c.runs.at(run + 2);
      const delta = c.runs.at(run + 3);
      if (offset >= 0 && step !== 0 && offset % step === 0) first = char + delta;
      if (offset === 0 && step === 0) {
        first = c.specials.at(delta);
        second = c.specials.at(delta + 1);
        third = c.specials.at(delta + 2);
      }
    }
    out.put(first);
    if (second !== 0) out.put(second);
    if (third !== 0) out.put(third);
  },
});
