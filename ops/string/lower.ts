import type { i32, Sink, Table } from "../../gpu/kernel/row_function.ts";
import { defineStringOp, type StringOp } from "../define_string_op.ts";
import { LOWER } from "./case_tables.ts";
import { findRun } from "./find_run.ts";

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
  consts: { ...LOWER, findRun: findRun(LOWER.runs) },
  row(out: Sink, char: i32, c: { runs: Table; specials: Table; findRun(char: i32): i32 }) {
    let first = char;
    let second = 0;
    let third = 0;
    if (char < 0x80) {
      if (char >= 0x41 && char <= 0x5a) first = char + 0x20;
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
