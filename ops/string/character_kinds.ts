/**
 * Kinds of characters, for row functions. ASCII is decided by comparisons, so that a batch of ASCII
 * text reads no table.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import type { Helper, i32 } from "../../gpu/kernel/language/row_function.ts";
import { ALPHA, CASE, CASE_IGNORABLE, DECIMAL, DIGIT, NUMERIC } from "./generated/kind_tables.ts";

/** A helper that tests whether a character is of a kind. */
export type CharacterTest = Helper<(char: i32) => boolean>;

/** Tests for a letter: category Lu, Ll, Lt, Lm or Lo. */
export const isLetter: CharacterTest = defineHelper({
  args: ["i32"],
  returns: "bool",
  consts: { isInSet: setTest(ALPHA) },
  row(char, { isInSet }) {
    if (char >= 0x80) return isInSet(char);
    return (char >= 0x61 && char <= 0x7a) || (char >= 0x41 && char <= 0x5a);
  },
});

/** Tests for a decimal digit: category Nd. */
export const isDecimalDigit: CharacterTest = numberTest(DECIMAL);

/** Tests for a digit, decimal or not, such as a superscript. */
export const isAnyDigit: CharacterTest = numberTest(DIGIT);

/** Tests for a character with a numeric value. */
export const isNumberCharacter: CharacterTest = numberTest(NUMERIC);

/** Tests for a letter or a character with a numeric value. */
export const isLetterOrNumber: CharacterTest = defineHelper({
  args: ["i32"],
  returns: "bool",
  consts: { isLetter, isNumberCharacter },
  row: (char, { isLetter, isNumberCharacter }) => isLetter(char) || isNumberCharacter(char),
});

/** Tests for Case_Ignorable characters, such as an apostrophe or an accent inside a word. */
export const isCaseIgnorable: CharacterTest = defineHelper({
  args: ["i32"],
  returns: "bool",
  consts: { isInSet: setTest(CASE_IGNORABLE) },
  row(char, { isInSet }) {
    if (char >= 0x80) return isInSet(char);
    return char === 0x27 || char === 0x2e || char === 0x3a || char === 0x5e || char === 0x60;
  },
});

/**
 * Returns the case of a character: 0 none, 1 small, 2 capital, 3 title case, by Unicode's Lowercase
 * and Uppercase and the category Lt. A character is Cased where the result is not 0.
 */
export const caseOf: Helper<(char: i32) => i32> = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { rank: rankIn(CASE.map((run) => run >> 3)), kinds: CASE.map((run) => run & 7) },
  row(char, { rank, kinds }) {
    if (char < 0x80) {
      if (char >= 0x61 && char <= 0x7a) return 1;
      return char >= 0x41 && char <= 0x5a ? 2 : 0;
    }
    const kind = kinds.at(rank(char) - 1);
    // 4: capitals at even places, small letters at odd ones. 5: the other way round.
    return kind < 4 ? kind : ((char ^ kind) & 1) === 0 ? 2 : 1;
  },
});

/**
 * Tests for white space: Unicode's White_Space, and the four separators U+001C to U+001F, as in
 * Python.
 */
export const isWhiteSpace: CharacterTest = defineHelper({
  args: ["i32"],
  returns: "bool",
  row: (char) =>
    // Letters fail the first test.
    (char <= 0x20 && (char === 0x20 || (char >= 0x09 && char <= 0x0d) || char >= 0x1c)) ||
    (char >= 0x85 &&
      (char === 0x85 || char === 0xa0 || char === 0x1680 ||
        (char >= 0x2000 && char <= 0x200a) || char === 0x2028 || char === 0x2029 ||
        char === 0x202f || char === 0x205f || char === 0x3000)),
});

/**
 * Tests whether a character is in one of Unicode's blocks for Chinese, Japanese and Korean, where a
 * word is one character or a few, with or without blanks between them.
 */
export const isEastAsian: CharacterTest = defineHelper({
  args: ["i32"],
  returns: "bool",
  row: (char) =>
    char >= 0x1100 &&
    (char <= 0x11ff || (char >= 0x2e80 && char <= 0x9fff) || (char >= 0xa960 && char <= 0xa97f) ||
      (char >= 0xac00 && char <= 0xd7ff) || (char >= 0xf900 && char <= 0xfaff) ||
      (char >= 0xff66 && char <= 0xffdc) || char === 0x16fe3 ||
      (char >= 0x1aff0 && char <= 0x1b16f) ||
      (char >= 0x20000 && char <= 0x3ffff)),
});

/** Creates a test whose only ASCII characters are the digits. */
function numberTest(boundaries: Int32Array): CharacterTest {
  return defineHelper({
    args: ["i32"],
    returns: "bool",
    consts: { isInSet: setTest(boundaries) },
    row(char, { isInSet }) {
      if (char >= 0x80) return isInSet(char);
      return char >= 0x30 && char <= 0x39;
    },
  });
}

/** Creates the test whether a character is in a set, which its boundaries define. */
export function setTest(boundaries: Int32Array): CharacterTest {
  return defineHelper({
    args: ["i32"],
    returns: "bool",
    consts: { rank: rankIn(boundaries) },
    row: (char, { rank }) => (rank(char) & 1) === 1,
  });
}

/** Creates the same test with a table for ASCII, since most characters are ASCII. */
export function tableTest(boundaries: Int32Array): CharacterTest {
  const isIn = (char: number) => boundaries.filter((boundary) => boundary <= char).length & 1;
  return defineHelper({
    args: ["i32"],
    returns: "bool",
    consts: {
      ascii: Int32Array.from({ length: 128 }, (_, char) => isIn(char)),
      isInSet: setTest(boundaries),
    },
    row: (char, { ascii, isInSet }) => char < 0x80 ? ascii.at(char) === 1 : isInSet(char),
  });
}

/**
 * Creates the helper that counts the numbers, which are sorted code points, that are at most equal
 * to a character. An index with an entry for every 256 characters narrows the binary search: a few
 * steps remain of the ten that the whole table takes.
 */
export function rankIn(numbers: Int32Array): Helper<(char: i32) => i32> {
  return defineHelper({
    args: ["i32"],
    returns: "i32",
    consts: { numbers, blocks: blocksOf(numbers) },
    row(char, { numbers, blocks }) {
      const block = char < 0x10000 ? char >> 8 : 0x100;
      let low = blocks.at(block);
      let high = blocks.at(block + 1);
      while (low < high) {
        const middle = (low + high) >> 1;
        if (numbers.at(middle) <= char) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  });
}

/** Returns the number of code points below each block; the last block covers all other planes. */
function blocksOf(numbers: Int32Array): Int32Array {
  const blocks = new Int32Array(0x102).fill(numbers.length);
  let below = 0;
  for (let block = 0; block < blocks.length - 1; block++) {
    while (below < numbers.length && numbers[below]! < block << 8) below++;
    blocks[block] = below;
  }
  return blocks;
}
