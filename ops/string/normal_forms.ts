/**
 * The normal forms of Unicode, by the data of the JavaScript engine on the host. ASCII text stays
 * what it is. Texts that are canonically equivalent have the same form C, and the same form D.
 *
 * @module
 */

import { defineStringOp, type StringOp, type StringOpSpecBase } from "./define/define_string_op.ts";

/** A letter and its accents are one character, where there is one for them. */
export const nfc: StringOp<[]> = normalForm(0, {
  name: "nfc",
  summary: "The text in normal form C of Unicode, letters and accents composed",
  examples: [{ input: "e\u0301", result: "é" }, { input: "ﬁ", result: "ﬁ" }],
});

/** Accents are characters of their own, in a fixed order. */
export const nfd: StringOp<[]> = normalForm(1, {
  name: "nfd",
  summary: "The text in normal form D of Unicode, letters and accents apart",
  examples: [{ input: "é", result: "e\u0301" }, { input: "한", result: "\u1112\u1161\u11ab" }],
});

/** As form C, and without distinctions such as those of ligatures, full width and superscripts. */
export const nfkc: StringOp<[]> = normalForm(2, {
  name: "nfkc",
  summary: "The text in normal form KC of Unicode, lookalikes made one, accents composed",
  examples: [{ input: "ﬁ e\u0301", result: "fi é" }, { input: "Ａ²", result: "A2" }],
});

/** As form D, and without the distinctions that form KC loses. */
export const nfkd: StringOp<[]> = normalForm(3, {
  name: "nfkd",
  summary: "The text in normal form KD of Unicode, lookalikes made one, accents apart",
  examples: [{ input: "é²", result: "e\u03012" }, { input: "①", result: "1" }],
});

function normalForm(form: number, description: StringOpSpecBase): StringOp<[]> {
  return defineStringOp({
    ...description,
    kind: "emit",
    group: "normalise",
    details: "It runs on the host, by the Unicode data of the JavaScript engine.",
    consts: { form },
    row(out, text, { form }) {
      out.copyNormal(text, form);
    },
  });
}
