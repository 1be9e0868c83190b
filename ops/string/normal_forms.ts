/**
 * The normal forms of Unicode, on the host, by the Unicode data of the JavaScript engine. ASCII text
 * stays what it is.
 *
 * @module
 */

import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * The text in normal form C of Unicode: a letter and its accents are one character where there is one
 * for them. Texts that are canonically equivalent become equal.
 * ASCII text is what it was. It runs on the host, by the Unicode data of the JavaScript engine.
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

/**
 * The text in normal form D of Unicode: accents are characters of their own, in a fixed order. Texts
 * that are canonically equivalent become equal.
 * ASCII text is what it was. It runs on the host, by the Unicode data of the JavaScript engine.
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

/**
 * The text in normal form KC of Unicode: what looks or stands alike becomes one, such as ligatures,
 * full width letters and superscripts, and accents are composed. It loses distinctions.
 * ASCII text is what it was. It runs on the host, by the Unicode data of the JavaScript engine.
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

/**
 * The text in normal form KD of Unicode: what looks or stands alike becomes one, such as ligatures,
 * full width letters and superscripts, and accents are apart. It loses distinctions.
 * ASCII text is what it was. It runs on the host, by the Unicode data of the JavaScript engine.
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
