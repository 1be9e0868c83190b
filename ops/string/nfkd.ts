import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * The text in normal form KD of Unicode: what looks or stands alike becomes one, such as ligatures,
 * full width letters and superscripts, and accents are apart. It loses distinctions.
 * ASCII text is what it was. It runs on the host, by the Unicode data of the JavaScript engine.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").nfkd());
 * if (text !== "name.nfkd()") throw new Error(text);
 * ```
 */
export const nfkd: StringOp<[]> = defineStringOp({
  name: "nfkd",
  kind: "emit",
  group: "normalise",
  summary: "The text in normal form KD of Unicode, lookalikes made one, accents apart",
  details: "It runs on the host, by the Unicode data of the JavaScript engine.",
  examples: [
    { input: "é²", result: "e\u03012" },
    { input: "①", result: "1" },
  ],
  consts: { form: 3 },
  row(out: Sink, text: View, c: { form: i32 }) {
    out.copyNormal(text, c.form);
  },
});
