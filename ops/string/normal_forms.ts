/**
 * Defines Unicode's normal forms, which the host computes from the data of its JavaScript engine.
 * ASCII text stays the same. Canonically equivalent texts have the same form C, and the same form D.
 *
 * @module
 */

import { defineStringOp, type StringOp, type StringOpSpecBase } from "./define/define_string_op.ts";

/** Composes a letter and its accents to one character, where Unicode has one. */
export const nfc: StringOp<[]> = normalForm(0, {
  name: "nfc",
  summary: "The text in Unicode's normal form C, letters and accents composed",
  examples: [{ input: "e\u0301", result: "é" }, { input: "ﬁ", result: "ﬁ" }],
});

/** Decomposes accents to characters of their own, in a fixed order. */
export const nfd: StringOp<[]> = normalForm(1, {
  name: "nfd",
  summary: "The text in Unicode's normal form D, letters and accents apart",
  examples: [{ input: "é", result: "e\u0301" }, { input: "한", result: "\u1112\u1161\u11ab" }],
});

/** Like form C, but without distinctions such as ligatures, full width and superscripts. */
export const nfkc: StringOp<[]> = normalForm(2, {
  name: "nfkc",
  summary: "The text in Unicode's normal form KC, lookalikes unified, accents composed",
  examples: [{ input: "ﬁ e\u0301", result: "fi é" }, { input: "Ａ²", result: "A2" }],
});

/** Like form D, but without the distinctions that form KC drops. */
export const nfkd: StringOp<[]> = normalForm(3, {
  name: "nfkd",
  summary: "The text in Unicode's normal form KD, lookalikes unified, accents apart",
  examples: [{ input: "é²", result: "e\u03012" }, { input: "①", result: "1" }],
});

function normalForm(form: number, description: StringOpSpecBase): StringOp<[]> {
  return defineStringOp({
    ...description,
    kind: "emit",
    group: "normalise",
    details: "The host computes it, from the Unicode data of the JavaScript engine.",
    consts: { form },
    row(out, text, { form }) {
      out.copyNormal(text, form);
    },
  });
}
