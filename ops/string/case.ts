/**
 * Upper and lower case, by Unicode's full mappings: one character may become up to three.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { mappingOf } from "./case_pages.ts";
import { LOWER, SPECIALS, TITLE, UPPER } from "./generated/case_tables.ts";
import { caseOf, isCaseIgnorable, rankIn } from "./character_kinds.ts";
import { defineStringOp, type StringOp } from "./define/define_string_op.ts";

/**
 * Returns the small letter of the `Σ` at a position: `ς` where it is the last letter of a word, by
 * the condition Final_Sigma of SpecialCasing. A cased letter stands before it and none after it,
 * where case-ignorable characters do not count. The helper reads the characters between two `Σ` at
 * most twice.
 */
const smallSigma = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  consts: { caseOf, isCaseIgnorable },
  row(text, at, { caseOf, isCaseIgnorable }) {
    let before = text.prev(at);
    while (before > 0 && isCaseIgnorable(text.charAt(before))) before = text.prev(before);
    const first = text.charAt(before);
    if (at === 0 || isCaseIgnorable(first) || caseOf(first) === 0) return 0x3c3;
    let after = text.next(at);
    while (after < text.size && isCaseIgnorable(text.charAt(after))) after = text.next(after);
    return after === text.size || caseOf(text.charAt(after)) === 0 ? 0x3c2 : 0x3c3;
  },
});

// A mapping returns the character that another becomes. Where that is several characters, it returns
// the complement of their index in SPECIALS, where they take three numbers, padded with zeros.

/** Maps a character to capitals. */
const toUpper = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { mapped: mappingOf(UPPER) },
  row(char, { mapped }) {
    if (char < 0x80) return char >= 0x61 && char <= 0x7a ? char - 0x20 : char;
    return mapped(char);
  },
});

/** Maps a character to small letters, without regard to its context. */
const toLower = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { mapped: mappingOf(LOWER) },
  row(char, { mapped }) {
    if (char < 0x80) return char >= 0x41 && char <= 0x5a ? char + 0x20 : char;
    return mapped(char);
  },
});

/** Maps the character at the start of a word to title case. */
const toTitle = defineHelper({
  args: ["i32"],
  returns: "i32",
  consts: { runs: TITLE, findRun: findRun(TITLE), toUpper },
  row(char, { runs, findRun, toUpper }) {
    if (char < 0x80) return toUpper(char);
    const run = findRun(char);
    const delta = runs.at(run + 3);
    // After the last run the table reads as zeros, which is no step and not this character. Runs of
    // the differences from capitals have no gaps.
    if (char < runs.at(run) || run === runs.size) return toUpper(char);
    return runs.at(run + 2) === 0 ? ~delta : char + delta;
  },
});

/**
 * Creates the helper that returns the index, in a table of runs, of the first run that ends at a
 * character or after it; the size of the table without one. A run is four numbers that begin with
 * its first and its last character; runs are sorted.
 */
function findRun(runs: Int32Array) {
  return defineHelper({
    args: ["i32"],
    returns: "i32",
    consts: { rank: rankIn(runs.filter((_, index) => index % 4 === 1)) },
    row: (char, { rank }) => rank(char - 1) * 4,
  });
}

/** Writes the result of a mapping. */
const putMapped = defineHelper({
  args: ["sink", "i32"],
  consts: { specials: SPECIALS },
  row(out, mapped, { specials }) {
    let first = mapped;
    let second = 0;
    let third = 0;
    if (mapped < 0) {
      first = specials.at(~mapped);
      second = specials.at(~mapped + 1);
      third = specials.at(~mapped + 2);
    }
    out.put(first);
    if (second !== 0) out.put(second);
    if (third !== 0) out.put(third);
  },
});

/** Maps text to capital letters; `ß` becomes `SS`, and characters without a capital stay. */
export const upper: StringOp<[]> = defineStringOp({
  name: "upper",
  kind: "map",
  group: "case",
  summary: "Capital letters, by Unicode's full mappings",
  differs: ["DuckDB: maps one character to one, ß to ẞ"],
  examples: [{ input: "straße", result: "STRASSE" }, { input: "naïve", result: "NAÏVE" }],
  consts: { putMapped, toUpper },
  row(out, char, { putMapped, toUpper }) {
    putMapped(out, toUpper(char));
  },
});

/** Maps text to small letters; `Σ` becomes `ς` at the end of a word, and `İ` two characters. */
export const lower: StringOp<[]> = defineStringOp({
  name: "lower",
  kind: "map",
  group: "case",
  summary: "Small letters, by Unicode's full mappings",
  details: "`Σ` becomes `ς` at the end of a word.",
  examples: [
    { input: "ÀÉ", result: "àé" },
    { input: "ΣΟΦΟΣ", result: "σοφος" },
    { input: "İ", result: "i\u0307" },
  ],
  consts: { putMapped, smallSigma, toLower },
  looks: true,
  row(out, char, { text, at, putMapped, smallSigma, toLower }) {
    putMapped(out, char === 0x3a3 ? smallSigma(text, at) : toLower(char));
  },
});

/** Maps the first character to title case and the others to small letters. */
export const capitalize: StringOp<[]> = defineStringOp({
  name: "capitalize",
  kind: "map",
  group: "case",
  summary: "The first character in title case, the others in small letters",
  examples: [
    { input: "grace HOPPER", result: "Grace hopper" },
    { input: "ǆ and ﬁ", result: "ǅ and ﬁ" },
    { input: "(ok)", result: "(ok)" },
  ],
  consts: { putMapped, smallSigma, toLower, toTitle },
  looks: true,
  state: { isFirst: 1 },
  row(out, char, { text, at, state, putMapped, smallSigma, toLower, toTitle }) {
    const isFirst = state.isFirst === 1;
    state.isFirst = 0;
    if (char < 0x80) {
      const isLetter = (char | 0x20) >= 0x61 && (char | 0x20) <= 0x7a;
      return out.put(!isLetter ? char : isFirst ? char & 0x5f : char | 0x20);
    }
    const isSigma = char === 0x3a3 && !isFirst;
    putMapped(out, isSigma ? smallSigma(text, at) : isFirst ? toTitle(char) : toLower(char));
  },
});

/** Maps the first of each run of cased letters to title case and the others to small letters. */
export const title: StringOp<[]> = defineStringOp({
  name: "title",
  kind: "map",
  group: "case",
  summary: "The first letter of each run of letters in title case, the others small",
  details: "A digit or an apostrophe ends a run: `they're` becomes `They'Re`.",
  examples: [
    { input: "grace HOPPER", result: "Grace Hopper" },
    { input: "they're 2nd", result: "They'Re 2Nd" },
    { input: "ΟΔΟΣ", result: "Οδος" },
  ],
  consts: { caseOf, putMapped, smallSigma, toLower, toTitle },
  looks: true,
  state: { isInRun: 0 },
  row(out, char, { text, at, state, caseOf, putMapped, smallSigma, toLower, toTitle }) {
    const isInRun = state.isInRun === 1;
    if (char < 0x80) {
      const isLetter = (char | 0x20) >= 0x61 && (char | 0x20) <= 0x7a;
      state.isInRun = isLetter ? 1 : 0;
      return out.put(!isLetter ? char : isInRun ? char | 0x20 : char & 0x5f);
    }
    state.isInRun = caseOf(char) !== 0 ? 1 : 0;
    const isSigma = char === 0x3a3 && isInRun;
    putMapped(out, isSigma ? smallSigma(text, at) : isInRun ? toLower(char) : toTitle(char));
  },
});

/** Swaps capital and small letters; letters in title case, such as `ǅ`, stay. */
export const swapcase: StringOp<[]> = defineStringOp({
  name: "swapcase",
  kind: "map",
  group: "case",
  summary: "Capital letters made small, and small ones made capital",
  details: "Applied twice, it may not restore the text: `ß` becomes `SS`, and that `ss`.",
  examples: [
    { input: "Grace Hopper", result: "gRACE hOPPER" },
    { input: "Straße", result: "sTRASSE" },
  ],
  consts: { caseOf, putMapped, smallSigma, toLower, toUpper },
  looks: true,
  row(out, char, { text, at, caseOf, putMapped, smallSigma, toLower, toUpper }) {
    if (char < 0x80) {
      const isCapital = char >= 0x41 && char <= 0x5a;
      const isSmall = char >= 0x61 && char <= 0x7a;
      return out.put(isCapital ? char | 0x20 : isSmall ? char & 0x5f : char);
    }
    const kind = caseOf(char);
    let mapped = char;
    if (kind === 1) mapped = toUpper(char);
    if (kind === 2) mapped = char === 0x3a3 ? smallSigma(text, at) : toLower(char);
    putMapped(out, mapped);
  },
});
