/**
 * Whether all characters of a text are of one kind, and there are some, as in Python.
 *
 * @module
 */

import type { i32, View } from "../../gpu/kernel/language/row_function.ts";
import {
  caseOf,
  isAnyDigit,
  isDecimalDigit,
  isLetter,
  isNumberCharacter,
  isWhiteSpace,
} from "./character_kinds.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * Whether the text has characters and all are letters: those of the categories Lu, Ll, Lt, Lm and
 * Lo, as in Python. False for the empty text.
 */
export const isAlpha: StringOp<[]> = defineStringOp({
  name: "isAlpha",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether all characters are letters, and there are some",
  examples: [
    { input: "naïve", result: true },
    { input: "a b", result: false },
    { input: "", result: false },
  ],
  consts: { isLetter },
  row(text: View, c: { isLetter(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isLetter(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});

/**
 * Whether the text has characters and all are letters or have a numeric value, as in Python. False
 * for the empty text.
 */
export const isAlnum: StringOp<[]> = defineStringOp({
  name: "isAlnum",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether all characters are letters or have a numeric value, and there are some",
  examples: [
    { input: "B52", result: true },
    { input: "x²", result: true },
    { input: "B-52", result: false },
  ],
  consts: { isLetter, isNumberCharacter },
  row(
    text: View,
    c: { isLetter(char: i32): boolean; isNumberCharacter(char: i32): boolean },
  ): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      const char = text.charAt(at);
      if (!c.isLetter(char) && !c.isNumberCharacter(char)) return false;
    }
    return text.size > 0;
  },
});

/**
 * Whether the text has characters and all are decimal digits: those of the category Nd, of every
 * script, as in Python. False for the empty text.
 */
export const isDecimal: StringOp<[]> = defineStringOp({
  name: "isDecimal",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether all characters are decimal digits of some script, and there are some",
  examples: [
    { input: "2001", result: true },
    { input: "٣", result: true },
    { input: "x²", result: false },
    { input: "", result: false },
  ],
  consts: { isDecimalDigit },
  row(text: View, c: { isDecimalDigit(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isDecimalDigit(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});

/**
 * Whether the text has characters and all stand for digits, as in Python: decimal digits of every
 * script, and digits such as superscripts. False for the empty text.
 */
export const isDigit: StringOp<[]> = defineStringOp({
  name: "isDigit",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary:
    "Whether all characters are digits, superscript and circled ones too, and there are some",
  examples: [
    { input: "2001", result: true },
    { input: "x²", result: false },
    { input: "²", result: true },
    { input: "½", result: false },
  ],
  consts: { isAnyDigit },
  row(text: View, c: { isAnyDigit(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isAnyDigit(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});

/**
 * Whether the text has characters and all have a numeric value, as in Python: digits, fractions,
 * Roman numerals and Han numbers among them. False for the empty text.
 */
export const isNumeric: StringOp<[]> = defineStringOp({
  name: "isNumeric",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary:
    "Whether all characters have a numeric value, fractions and Han numbers too, and there are some",
  examples: [
    { input: "2001", result: true },
    { input: "½", result: true },
    { input: "三", result: true },
    { input: "1.5", result: false },
  ],
  consts: { isNumberCharacter },
  row(text: View, c: { isNumberCharacter(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isNumberCharacter(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});

/**
 * Whether the text has characters and all are white space, as in Python: what Unicode calls so,
 * and the four separators U+001C to U+001F. False for the empty text.
 */
export const isSpace: StringOp<[]> = defineStringOp({
  name: "isSpace",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether all characters are white space, and there are some",
  examples: [
    { input: " \t\n", result: true },
    { input: " a ", result: false },
    { input: "", result: false },
  ],
  consts: { isWhiteSpace },
  row(text: View, c: { isWhiteSpace(char: i32): boolean }): boolean {
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (!c.isWhiteSpace(text.charAt(at))) return false;
    }
    return text.size > 0;
  },
});

/**
 * Whether the text has capital letters and no others that have case, as in Python. Characters
 * without case do not count; without any capital letter it is false.
 */
export const isUpper: StringOp<[]> = defineStringOp({
  name: "isUpper",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether there are capital letters, and no small ones",
  examples: [
    { input: "B-52", result: true },
    { input: "Ab", result: false },
    { input: "52", result: false },
  ],
  consts: { caseOf },
  row(text: View, c: { caseOf(char: i32): i32 }): boolean {
    let isCased = false;
    for (let at = 0; at < text.size; at = text.next(at)) {
      // 1 is small, 2 capital, 3 title case.
      const kind = c.caseOf(text.charAt(at));
      if (kind === 1 || kind === 3) return false;
      if (kind === 2) isCased = true;
    }
    return isCased;
  },
});

/**
 * Whether the text has small letters and no others that have case, as in Python. Characters
 * without case do not count; without any small letter it is false.
 */
export const isLower: StringOp<[]> = defineStringOp({
  name: "isLower",
  kind: "measure",
  returns: "bool",
  group: "kinds",
  summary: "Whether there are small letters, and no capital ones",
  examples: [
    { input: "b-52", result: true },
    { input: "Ab", result: false },
    { input: "52", result: false },
  ],
  consts: { caseOf },
  row(text: View, c: { caseOf(char: i32): i32 }): boolean {
    let isCased = false;
    for (let at = 0; at < text.size; at = text.next(at)) {
      // 1 is small, 2 capital, 3 title case.
      const kind = c.caseOf(text.charAt(at));
      if (kind >= 2) return false;
      if (kind === 1) isCased = true;
    }
    return isCased;
  },
});

/**
 * Whether every run of letters that have case begins with one in capital or title case and goes on
 * with small ones, and there is such a run, as in Python.
 */
export const isTitle: StringOp<[]> = defineStringOp({
  name: "isTitle",
  kind: "measure",
  returns: "bool",
  group: "case",
  summary: "Whether each run of letters starts with a capital and goes on in small letters",
  examples: [
    { input: "Grace Hopper", result: true },
    { input: "Grace hopper", result: false },
    { input: "GRACE", result: false },
    { input: "52", result: false },
  ],
  consts: { caseOf },
  row(text: View, c: { caseOf(char: i32): i32 }): boolean {
    let isCased = false;
    let isInRun = false;
    for (let at = 0; at < text.size; at = text.next(at)) {
      // 1 is small, 2 capital, 3 title case.
      const kind = c.caseOf(text.charAt(at));
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
