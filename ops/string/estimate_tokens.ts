import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";
import { isDecimalDigit, isLetter } from "./character_kinds.ts";
import { isEastAsian } from "./is_east_asian.ts";
import { isWhiteSpace } from "./white_space.ts";

/**
 * About how many tokens a language model makes of the text, without its vocabulary: one for every
 * four letters of a run of letters and one for every three digits of a run of digits, both rounded
 * up, one for each Han character, kana or Hangul syllable, none for white space, and one for each
 * other character.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("document").estimateTokens());
 * if (text !== "document.estimateTokens()") throw new Error(text);
 * ```
 */
export const estimateTokens: StringOp<[]> = defineStringOp({
  name: "estimateTokens",
  kind: "measure",
  group: "text size",
  summary: "About how many tokens a language model makes of the text",
  details:
    "One for every four letters of a run of letters and one for every three digits of a run of " +
    "digits, both rounded up, one for each Han character, kana or Hangul syllable, none for " +
    "white space, and one for each other character.",
  examples: [
    { input: "The letters, 1234567!", result: 8 },
    { input: "東京 Tokyo", result: 4 },
    { input: " \n", result: 0 },
  ],
  consts: { isDecimalDigit, isEastAsian, isLetter, isWhiteSpace },
  row(
    text: View,
    c: {
      isDecimalDigit(char: i32): boolean;
      isEastAsian(char: i32): boolean;
      isLetter(char: i32): boolean;
      isWhiteSpace(char: i32): boolean;
    },
  ): i32 {
    let tokens = 0;
    let letters = 0;
    let digits = 0;
    for (let at = 0; at < text.size; at = text.next(at)) {
      const char = text.charAt(at);
      if (c.isLetter(char) && !c.isEastAsian(char)) {
        // The first of every four begins a token.
        if ((letters & 3) === 0) tokens++;
        letters++;
        digits = 0;
      } else if (c.isDecimalDigit(char)) {
        if (digits % 3 === 0) tokens++;
        digits++;
        letters = 0;
      } else {
        if (!c.isWhiteSpace(char)) tokens++;
        letters = 0;
        digits = 0;
      }
    }
    return tokens;
  },
});
