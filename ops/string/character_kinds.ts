/**
 * Kinds of characters for row functions. What is ASCII is told from comparisons, so that a batch of
 * ASCII text looks at no table.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32 } from "../../gpu/kernel/language/row_function.ts";
import { ALPHA, CASE_IGNORABLE, DECIMAL, DIGIT, NUMERIC } from "./kind_tables.ts";
import { rankIn } from "./rank_in.ts";

/** A helper that tells whether a character has a property. */
export type CharacterTest = Helper<(char: i32) => boolean>;

/** Whether a character is a letter: of the category Lu, Ll, Lt, Lm or Lo. */
export const isLetter: CharacterTest = defineHelper({
  args: { char: "i32" },
  returns: "bool",
  consts: { isInSet: setTest(ALPHA) },
  row(char: i32, c: { isInSet(char: i32): boolean }): boolean {
    if (char >= 0x80) return c.isInSet(char);
    return (char >= 0x61 && char <= 0x7a) || (char >= 0x41 && char <= 0x5a);
  },
});

/** Whether a character is a decimal digit: of the category Nd. */
export const isDecimalDigit: CharacterTest = numberTest(DECIMAL);

/** Whether a character stands for a digit: a decimal one, or one such as a superscript. */
export const isAnyDigit: CharacterTest = numberTest(DIGIT);

/** Whether a character has a numeric value. */
export const isNumberCharacter: CharacterTest = numberTest(NUMERIC);

/** Whether case ignores a character: an apostrophe, an accent and the like stand inside of words. */
export const isCaseIgnorable: CharacterTest = defineHelper({
  args: { char: "i32" },
  returns: "bool",
  consts: { isInSet: setTest(CASE_IGNORABLE) },
  row(char: i32, c: { isInSet(char: i32): boolean }): boolean {
    if (char >= 0x80) return c.isInSet(char);
    return char === 0x27 || char === 0x2e || char === 0x3a || char === 0x5e || char === 0x60;
  },
});

/** A test on characters of which those in ASCII are the digits. */
function numberTest(boundaries: Int32Array): CharacterTest {
  return defineHelper({
    args: { char: "i32" },
    returns: "bool",
    consts: { isInSet: setTest(boundaries) },
    row(char: i32, c: { isInSet(char: i32): boolean }): boolean {
      if (char >= 0x80) return c.isInSet(char);
      return char >= 0x30 && char <= 0x39;
    },
  });
}

/** Whether a character lies in a set that is given by its boundaries. */
function setTest(boundaries: Int32Array): CharacterTest {
  return defineHelper({
    args: { char: "i32" },
    returns: "bool",
    consts: { rank: rankIn(boundaries) },
    row: (char: i32, c: { rank(char: i32): i32 }) => (c.rank(char) & 1) === 1,
  });
}
