/**
 * Defines the operations that measure text.
 *
 * @module
 */

import { callNode } from "../syntax/call_node.ts";
import { isDecimalDigit, isEastAsian, isLetter, isWhiteSpace } from "./character_kinds.ts";
import { defineStringOp, overload, type StringOp } from "./define/define_string_op.ts";
import { knownSplit } from "./split.ts";
import { partCount } from "./split_part.ts";

/** Counts the bytes of the text in UTF-8. */
export const byteLength: StringOp<[]> = defineStringOp({
  name: "byteLength",
  kind: "measure",
  group: "size",
  summary: "The number of bytes of the text in UTF-8",
  examples: [{ input: "naïve 🙂", result: 11 }, { input: "", result: 0 }],
  row(text) {
    return text.size;
  },
});

/** Counts characters (code points), or the items of a list, null ones included. */
export const length: StringOp<[]> = defineStringOp({
  name: "length",
  group: "size",
  args: {},
  optional: [],
  summary: "The number of characters (code points), or of the items of a list",
  details: "Null items count.",
  examples: [
    { input: "naïve 🙂", result: 7 },
    { input: null, result: null },
    { input: ["a", null, "c"], result: 3 },
  ],
  expand(text) {
    const cut = knownSplit(text);
    if (cut === undefined || cut.limit !== undefined) return undefined;
    return callNode(partCount, cut.text, cut.delimiter === undefined ? [] : [cut.delimiter]);
  },
  choose: (_, on) => on === "list" ? "list" : "text",
  overloads: {
    text: overload({ kind: "measure", row: (text) => text.length }),
    list: overload({ kind: "measure", subject: "list", row: (list) => list.size }),
  },
});

/** Estimates the number of tokens that a language model makes of the text, without its vocabulary. */
export const estimateTokens: StringOp<[]> = defineStringOp({
  name: "estimateTokens",
  kind: "measure",
  group: "text size",
  summary: "An estimate of the number of tokens that a language model makes of the text",
  details:
    "It counts one for every four letters of a run of letters and one for every three digits of a " +
    "run of digits, both rounded up. It counts one for each Han character, kana or Hangul syllable, " +
    "none for white space, and one for each other character.",
  examples: [
    { input: "The letters, 1234567!", result: 8 },
    { input: "東京 Tokyo", result: 4 },
    { input: " \n", result: 0 },
  ],
  consts: { isDecimalDigit, isEastAsian, isLetter, isWhiteSpace },
  row(text, { isDecimalDigit, isEastAsian, isLetter, isWhiteSpace }) {
    let tokens = 0;
    let letters = 0;
    let digits = 0;
    for (let at = 0; at < text.size; at = text.next(at)) {
      const char = text.charAt(at);
      if (isLetter(char) && !isEastAsian(char)) {
        // The first of every four begins a token.
        if ((letters & 3) === 0) tokens++;
        letters++;
        digits = 0;
      } else if (isDecimalDigit(char)) {
        if (digits % 3 === 0) tokens++;
        digits++;
        letters = 0;
      } else {
        if (!isWhiteSpace(char)) tokens++;
        letters = 0;
        digits = 0;
      }
    }
    return tokens;
  },
});
