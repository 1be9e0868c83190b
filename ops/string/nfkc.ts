import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * The text in normal form KC of Unicode: what looks or stands alike becomes one, such as ligatures,
 * full width letters and superscripts, and accents are composed. It loses distinctions.
 * ASCII text is what it was. It runs on the host, by the Unicode data of the JavaScript engine.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").nfkc());
 * if (text !== "name.nfkc()") throw new Error(text);
 * ```
 */
export const nfkc: StringOp<[]> = defineStringOp({
  name: "nfkc",
  kind: "emit",
  group: "normalise",
  summary: "The text in normal form KC of Unicode, lookalikes made one, accents composed",
  details: "It runs on the host, by the Unicode data of the JavaScript engine.",
  examples: [
    { input: "ﬁ e\u0301", result: "fi é" },
    { input: "Ａ²", result: "A2" },
  ],
  consts: { form: 2 },
  row(out: Sink, text: View, c: { form: i32 }) {
    out.copyNormal(text, c.form);
  },
});
