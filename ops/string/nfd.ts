import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * The text in normal form D of Unicode: accents are characters of their own, in a fixed order. Texts
 * that are canonically equivalent become equal.
 * ASCII text is what it was. It runs on the host, by the Unicode data of the JavaScript engine.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").nfd());
 * if (text !== "name.nfd()") throw new Error(text);
 * ```
 */
export const nfd: StringOp<[]> = defineStringOp({
  name: "nfd",
  kind: "emit",
  group: "normalise",
  summary: "The text in normal form D of Unicode, letters and accents apart",
  details: "It runs on the host, by the Unicode data of the JavaScript engine.",
  examples: [
    { input: "é", result: "e\u0301" },
    { input: "한", result: "\u1112\u1161\u11ab" },
  ],
  consts: { form: 1 },
  row(out: Sink, text: View, c: { form: i32 }) {
    out.copyNormal(text, c.form);
  },
});
