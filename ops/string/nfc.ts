import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * The text in normal form C of Unicode: a letter and its accents are one character where there is one
 * for them. Texts that are canonically equivalent become equal.
 * ASCII text is what it was. It runs on the host, by the Unicode data of the JavaScript engine.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").nfc());
 * if (text !== "name.nfc()") throw new Error(text);
 * ```
 */
export const nfc: StringOp<[]> = defineStringOp({
  name: "nfc",
  kind: "emit",
  group: "normalise",
  summary: "The text in normal form C of Unicode, letters and accents composed",
  details: "It runs on the host, by the Unicode data of the JavaScript engine.",
  examples: [
    { input: "e\u0301", result: "é" },
    { input: "ﬁ", result: "ﬁ" },
  ],
  consts: { form: 0 },
  row(out: Sink, text: View, c: { form: i32 }) {
    out.copyNormal(text, c.form);
  },
});
