/**
 * Upper and lower case, by the full mappings of Unicode: one character may become up to three.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, Sink, Table, View } from "../../gpu/kernel/language/row_function.ts";
import { LOWER, SPECIALS, TITLE, UPPER } from "./case_tables.ts";
import { caseOf, isCaseIgnorable, rankIn } from "./character_kinds.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * Whether the `Σ` at a position is the last letter of a word, so that it becomes `ς` and not `σ`:
 * the condition Final_Sigma of SpecialCasing. A letter with case stands before it and none after it,
 * over what case ignores. The characters between two `Σ` are looked at twice at most.
 */
const isFinalSigma: Helper<(text: View, at: i32) => boolean> = defineHelper({
  args: { text: "string", at: "i32" },
  returns: "bool",
  consts: { caseOf, isCaseIgnorable },
  row(
    text: View,
    at: i32,
    c: { caseOf(char: i32): i32; isCaseIgnorable(char: i32): boolean },
  ): boolean {
    let before = text.prev(at);
    while (before > 0 && c.isCaseIgnorable(text.charAt(before))) before = text.prev(before);
    const first = text.charAt(before);
    if (at === 0 || c.isCaseIgnorable(first) || c.caseOf(first) === 0) return false;
    let after = text.next(at);
    while (after < text.size && c.isCaseIgnorable(text.charAt(after))) after = text.next(after);
    return after === text.size || c.caseOf(text.charAt(after)) === 0;
  },
});

/** A mapping of characters. */
type CaseMap = Helper<(char: i32) => i32>;

/** What a character becomes in capitals. */
const toUpper: CaseMap = defineHelper({
  args: { char: "i32" },
  returns: "i32",
  consts: { mapped: mapOf(UPPER) },
  row(char: i32, c: { mapped(char: i32): i32 }): i32 {
    if (char < 0x80) return char >= 0x61 && char <= 0x7a ? char - 0x20 : char;
    return c.mapped(char);
  },
});

/** What a character becomes in small letters, wherever it stands. */
const toLower: CaseMap = defineHelper({
  args: { char: "i32" },
  returns: "i32",
  consts: { mapped: mapOf(LOWER) },
  row(char: i32, c: { mapped(char: i32): i32 }): i32 {
    if (char < 0x80) return char >= 0x41 && char <= 0x5a ? char + 0x20 : char;
    return c.mapped(char);
  },
});

/** What a character becomes at the start of a word in title case. */
const toTitle: CaseMap = defineHelper({
  args: { char: "i32" },
  returns: "i32",
  consts: { runs: TITLE, findRun: findRun(TITLE), toUpper },
  row(char: i32, c: { runs: Table; findRun(char: i32): i32; toUpper(char: i32): i32 }): i32 {
    if (char < 0x80) return c.toUpper(char);
    const run = c.findRun(char);
    const delta = c.runs.at(run + 3);
    // After the last run the table reads as zeros, which is no step and not this character. Runs of
    // the differences from capitals have no gaps.
    if (char < c.runs.at(run) || run === c.runs.size) return c.toUpper(char);
    return c.runs.at(run + 2) === 0 ? ~delta : char + delta;
  },
});

/** What the runs make of a character above ASCII. */
function mapOf(runs: Int32Array): CaseMap {
  return defineHelper({
    args: { char: "i32" },
    returns: "i32",
    consts: { runs, findRun: findRun(runs) },
    row(char: i32, c: { runs: Table; findRun(char: i32): i32 }): i32 {
      const run = c.findRun(char);
      // A run: first, last, step, delta. After the last one the table reads as zeros.
      const offset = char - c.runs.at(run);
      const step = c.runs.at(run + 2);
      if (offset === 0 && step === 0) return ~c.runs.at(run + 3);
      // A step is 1 or 2; with 0 the mask is all bits, which only the offset 0 passes.
      return offset >= 0 && (offset & (step - 1)) === 0 ? char + c.runs.at(run + 3) : char;
    },
  });
}

/**
 * A helper that finds where in a table of runs the first run stands that ends at a character or
 * after it; the size of the table where there is none. A run is four numbers that begin with its
 * first and its last character; runs are sorted.
 */
function findRun(runs: Int32Array): Helper<(char: i32) => i32> {
  return defineHelper({
    args: { char: "i32" },
    returns: "i32",
    consts: { rank: rankIn(runs.filter((_, index) => index % 4 === 1)) },
    row: (char: i32, c: { rank(char: i32): i32 }) => c.rank(char - 1) * 4,
  });
}

/** What the mappings of a case read. */
interface CaseConsts {
  caseOf(char: i32): i32;
  toLower(char: i32): i32;
  toUpper(char: i32): i32;
  toTitle(char: i32): i32;
  isFinalSigma(text: View, at: i32): boolean;
  specials: Table;
}

/** The text in capital letters; `ß` becomes `SS`, and what has no capital stays. */
export const upper: StringOp<[]> = defineStringOp({
  name: "upper",
  kind: "map",
  group: "case",
  summary: "Capital letters, by the full mappings of Unicode",
  differs: ["DuckDB: maps one character to one, ß to ẞ"],
  examples: [{ input: "straße", result: "STRASSE" }, { input: "naïve", result: "NAÏVE" }],
  consts: { toUpper, specials: SPECIALS },
  row(out: Sink, char: i32, c: { toUpper(char: i32): i32; specials: Table }) {
    const mapped = c.toUpper(char);
    let first = mapped;
    let second = 0;
    let third = 0;
    if (mapped < 0) {
      first = c.specials.at(~mapped);
      second = c.specials.at(~mapped + 1);
      third = c.specials.at(~mapped + 2);
    }
    out.put(first);
    if (second !== 0) out.put(second);
    if (third !== 0) out.put(third);
  },
});

/** The text in small letters; `Σ` becomes `ς` at the end of a word, `İ` two characters. */
export const lower: StringOp<[]> = defineStringOp({
  name: "lower",
  kind: "map",
  group: "case",
  summary: "Small letters, by the full mappings of Unicode",
  details: "`Σ` becomes `ς` at the end of a word.",
  examples: [
    { input: "ÀÉ", result: "àé" },
    { input: "ΣΟΦΟΣ", result: "σοφος" },
    { input: "İ", result: "i\u0307" },
  ],
  consts: { toLower, isFinalSigma, specials: SPECIALS },
  looks: true,
  row(out: Sink, char: i32, text: View, at: i32, c: CaseConsts) {
    let mapped = c.toLower(char);
    if (char === 0x3a3 && c.isFinalSigma(text, at)) mapped = 0x3c2;
    let first = mapped;
    let second = 0;
    let third = 0;
    if (mapped < 0) {
      first = c.specials.at(~mapped);
      second = c.specials.at(~mapped + 1);
      third = c.specials.at(~mapped + 2);
    }
    out.put(first);
    if (second !== 0) out.put(second);
    if (third !== 0) out.put(third);
  },
});

/** The text with its first character in title case and the others in small letters. */
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
  consts: { toLower, toTitle, isFinalSigma, specials: SPECIALS },
  looks: true,
  state: { isFirst: 1 },
  row(out: Sink, char: i32, text: View, at: i32, s: { isFirst: i32 }, c: CaseConsts) {
    const isFirst = s.isFirst === 1;
    s.isFirst = 0;
    if (char < 0x80) {
      const isLetter = (char | 0x20) >= 0x61 && (char | 0x20) <= 0x7a;
      return out.put(!isLetter ? char : isFirst ? char & 0x5f : char | 0x20);
    }
    let mapped = isFirst ? c.toTitle(char) : c.toLower(char);
    if (char === 0x3a3 && c.isFinalSigma(text, at)) mapped = 0x3c2;
    let first = mapped;
    let second = 0;
    let third = 0;
    if (mapped < 0) {
      first = c.specials.at(~mapped);
      second = c.specials.at(~mapped + 1);
      third = c.specials.at(~mapped + 2);
    }
    out.put(first);
    if (second !== 0) out.put(second);
    if (third !== 0) out.put(third);
  },
});

/** The text with the first of each run of letters with case in title case, the others small. */
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
  consts: { caseOf, toLower, toTitle, isFinalSigma, specials: SPECIALS },
  looks: true,
  state: { isInRun: 0 },
  row(out: Sink, char: i32, text: View, at: i32, s: { isInRun: i32 }, c: CaseConsts) {
    const isInRun = s.isInRun === 1;
    if (char < 0x80) {
      const isLetter = (char | 0x20) >= 0x61 && (char | 0x20) <= 0x7a;
      s.isInRun = isLetter ? 1 : 0;
      return out.put(!isLetter ? char : isInRun ? char | 0x20 : char & 0x5f);
    }
    s.isInRun = c.caseOf(char) !== 0 ? 1 : 0;
    let mapped = isInRun ? c.toLower(char) : c.toTitle(char);
    if (char === 0x3a3 && isInRun && c.isFinalSigma(text, at)) mapped = 0x3c2;
    let first = mapped;
    let second = 0;
    let third = 0;
    if (mapped < 0) {
      first = c.specials.at(~mapped);
      second = c.specials.at(~mapped + 1);
      third = c.specials.at(~mapped + 2);
    }
    out.put(first);
    if (second !== 0) out.put(second);
    if (third !== 0) out.put(third);
  },
});

/** The text with capital letters made small and small ones capital; `ǅ` and the like stay. */
export const swapcase: StringOp<[]> = defineStringOp({
  name: "swapcase",
  kind: "map",
  group: "case",
  summary: "Capital letters made small, and small ones made capital",
  details: "Twice is not always the text again: `ß` becomes `SS`, and that `ss`.",
  examples: [
    { input: "Grace Hopper", result: "gRACE hOPPER" },
    { input: "Straße", result: "sTRASSE" },
  ],
  consts: { caseOf, toLower, toUpper, isFinalSigma, specials: SPECIALS },
  looks: true,
  row(out: Sink, char: i32, text: View, at: i32, c: CaseConsts) {
    if (char < 0x80) {
      const isCapital = char >= 0x41 && char <= 0x5a;
      const isSmall = char >= 0x61 && char <= 0x7a;
      return out.put(isCapital ? char | 0x20 : isSmall ? char & 0x5f : char);
    }
    const kind = c.caseOf(char);
    let mapped = char;
    if (kind === 1) mapped = c.toUpper(char);
    if (kind === 2) mapped = c.toLower(char);
    if (char === 0x3a3 && c.isFinalSigma(text, at)) mapped = 0x3c2;
    let first = mapped;
    let second = 0;
    let third = 0;
    if (mapped < 0) {
      first = c.specials.at(~mapped);
      second = c.specials.at(~mapped + 1);
      third = c.specials.at(~mapped + 2);
    }
    out.put(first);
    if (second !== 0) out.put(second);
    if (third !== 0) out.put(third);
  },
});
