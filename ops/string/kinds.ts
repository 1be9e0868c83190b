/**
 * Defines the operations that test the kinds of the characters of a text, as in Python. The result
 * for the empty text is false.
 *
 * @module
 */

import {
  caseOf,
  type CharacterTest,
  isAnyDigit,
  isDecimalDigit,
  isLetter,
  isLetterOrNumber,
  isNumberCharacter,
  isWhiteSpace,
} from "./character_kinds.ts";
import { defineStringOp, type StringOp, type StringOpSpecBase } from "./define/define_string_op.ts";

/** Tests whether the text has characters and all are letters: category Lu, Ll, Lt, Lm or Lo. */
export const isAlpha: StringOp<[]> = allAre(isLetter, {
  name: "isAlpha",
  summary: "Whether all characters are letters, and there are some",
  examples: [
    { input: "naïve", result: true },
    { input: "a b", result: false },
    { input: "", result: false },
  ],
});

/** Tests whether the text has characters and each is a letter or has a numeric value. */
export const isAlnum: StringOp<[]> = allAre(isLetterOrNumber, {
  name: "isAlnum",
  summary: "Whether all characters are letters or have a numeric value, and there are some",
  examples: [
    { input: "B52", result: true },
    { input: "x²", result: true },
    { input: "B-52", result: false },
  ],
});

/** Tests whether the text has characters and all are decimal digits: category Nd. */
export const isDecimal: StringOp<[]> = allAre(isDecimalDigit, {
  name: "isDecimal",
  summary: "Whether all characters are decimal digits of some script, and there are some",
  examples: [
    { input: "2001", result: true },
    { input: "٣", result: true },
    { input: "x²", result: false },
    { input: "", result: false },
  ],
});

/** Tests whether the text has characters and all are digits, decimal or not. */
export const isDigit: StringOp<[]> = allAre(isAnyDigit, {
  name: "isDigit",
  summary:
    "Whether all characters are digits, superscript and circled ones too, and there are some",
  examples: [
    { input: "2001", result: true },
    { input: "x²", result: false },
    { input: "²", result: true },
    { input: "½", result: false },
  ],
});

/** Tests whether the text has characters and all have a numeric value. */
export const isNumeric: StringOp<[]> = allAre(isNumberCharacter, {
  name: "isNumeric",
  summary:
    "Whether all characters have a numeric value, fractions and Han numbers too, and there are some",
  examples: [
    { input: "2001", result: true },
    { input: "½", result: true },
    { input: "三", result: true },
    { input: "1.5", result: false },
  ],
});

/** Tests whether the text has characters and all are white space. */
export const isSpace: StringOp<[]> = allAre(isWhiteSpace, {
  name: "isSpace",
  summary: "Whether all characters are white space, and there are some",
  examples: [
    { input: " \t\n", result: true },
    { input: " a ", result: false },
    { input: "", result: false },
  ],
});

/** Tests whether the text has capital letters, and no letters of another case. */
export const isUpper: StringOp<[]> = allCasedAre(2, {
  name: "isUpper",
  summary: "Whether there are capital letters, and no small ones",
  examples: [
    { input: "B-52", result: true },
    { input: "Ab", result: false },
    { input: "52", result: false },
  ],
});

/** Tests whether the text has small letters, and no letters of another case. */
export const isLower: StringOp<[]> = allCasedAre(1, {
  name: "isLower",
  summary: "Whether there are small letters, and no capital ones",
  examples: [
    { input: "b-52", result: true },
    { input: "Ab", result: false },
    { input: "52", result: false },
  ],
});

/** Tests whether each run of cased letters is a capital or title-case letter, then small ones. */
export const isTitle: StringOp<[]> = defineStringOp({
  name: "isTitle",
  kind: "measure",
  returns: "bool",
  group: "case",
  summary: "Whether each run of letters starts with a capital and continues in small letters",
  examples: [
    { input: "Grace Hopper", result: true },
    { input: "Grace hopper", result: false },
    { input: "GRACE", result: false },
    { input: "52", result: false },
  ],
  consts: { caseOf },
  row(text, { caseOf }) {
    let isCased = false;
    let isInRun = false;
    for (let at = 0; at < text.size; at = text.next(at)) {
      // 1 is small, 2 capital, 3 title case.
      const kind = caseOf(text.charAt(at));
      if (kind === 0) {
        isInRun = false;
      } else {
        if (isInRun !== (kind === 1)) return false;
        isInRun = true;
        isCased = true;
      }
    }
    return isCased;
  },
});

/** Defines an operation that tests whether all characters pass a test, and there are some. */
function allAre(isOfKind: CharacterTest, description: StringOpSpecBase): StringOp<[]> {
  return defineStringOp({
    ...description,
    kind: "measure",
    returns: "bool",
    group: "kinds",
    consts: { isOfKind },
    row(text, { isOfKind }) {
      let at = 0;
      while (at < text.size && isOfKind(text.charAt(at))) at = text.next(at);
      return at > 0 && at === text.size;
    },
  });
}

/** Defines an operation that tests whether all cased letters have this case, and there are some. */
function allCasedAre(wanted: number, description: StringOpSpecBase): StringOp<[]> {
  return defineStringOp({
    ...description,
    kind: "measure",
    returns: "bool",
    group: "kinds",
    consts: { caseOf, wanted },
    row(text, { caseOf, wanted }) {
      let isCased = false;
      for (let at = 0; at < text.size; at = text.next(at)) {
        const kind = caseOf(text.charAt(at));
        if (kind !== 0) {
          if (kind !== wanted) return false;
          isCased = true;
        }
      }
      return isCased;
    },
  });
}
