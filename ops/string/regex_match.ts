/**
 * Defines `matches` and `containsRe`, which test a text for a match. They share their row functions
 * and differ only in their tables.
 *
 * @module
 */

import { type CallArgs, defineStringOp, overload } from "./define/define_string_op.ts";
import { byteProgram } from "../regex/byte_program.ts";
import { neededText } from "../regex/needed_text.ts";
import { testProgram } from "../regex/regex_program.ts";
import {
  compiledOnce,
  forPlainText,
  PATTERN,
  pattern,
  type PatternOp,
  PATTERNS,
  regexProblem,
} from "./regex_argument.ts";
import { classHelper } from "./regex_search.ts";
import { contains } from "./find.ts";
import { startsWith } from "./affixes.ts";

/**
 * Returns the definition of an operation that looks for a match at the start of the text, or
 * anywhere.
 */
function testing(name: string, anchored: boolean) {
  /** Returns the tables over bytes, or null where they are too large, and over characters. */
  const tablesOf = (args: CallArgs) =>
    compiledOnce(args, name, (regex) => {
      const characters = testProgram(regex, anchored);
      const needed = anchored ? "" : neededText(regex.term);
      return { bytes: byteProgram(characters), characters, needed };
    });
  return {
    ...PATTERN,
    name,
    optional: ["flags"],
    check: (args: CallArgs) => regexProblem(() => tablesOf(args)),
    choose: (args: CallArgs) => tablesOf(args).bytes === null ? "characters" : "bytes",
    overloads: {
      bytes: overload({
        kind: "measure",
        returns: "bool",
        consts: (args) => ({ ...tablesOf(args).bytes!, needed: tablesOf(args).needed }),
        row(text, { next, start, found, needed }) {
          if (needed.size > 0 && text.find(needed, 0) < 0) return false;
          return found.at((next.follow(text, start) >> 8) & 1023) === 1;
        },
      }),
      characters: overload({
        kind: "measure",
        returns: "bool",
        consts: (args) => {
          const { characters, needed } = tablesOf(args);
          const { next, start, end } = characters;
          return { next, start, end, classOf: classHelper(characters), needed };
        },
        row(text, { next, start, end, classOf, needed }) {
          if (needed.size > 0 && text.find(needed, 0) < 0) return false;
          // A negative state is an outcome: -1 that there is no match, -2 that there is one.
          if (start < 0) return start === -2;
          let state = start;
          for (let at = 0; at < text.size; at = text.next(at)) {
            state = next.at(state + classOf(text.charAt(at)));
            if (state < 0) return state === -2;
          }
          return next.at(state + end) === -2;
        },
      }),
    },
  };
}

/** Tests whether a pattern matches anywhere. */
export const containsRe: PatternOp = defineStringOp({
  ...testing("containsRe", false),
  summary: "Whether a pattern matches anywhere in the text",
  details:
    "Patterns are JavaScript's, and the leftmost match wins, as there; flags are i, m, s and u. " +
    'They are written /\\d+/i, or as quoted text with double backslashes: "\\\\d+". Lines end ' +
    "as in JavaScript, at \\n, \\r, U+2028 and U+2029: `.` matches none of them, and under flag m `^` " +
    "and `$` match after and before each, also between \\r and \\n. " +
    "Each search takes time in proportion to the text. Backreferences and lookaround are errors, " +
    "and so is a pattern that needs more than 2,000 states.",
  differs: [
    "JavaScript: characters are code points without flag u too; \\d \\w \\s \\b are ASCII without it, " +
    "Unicode's with it",
    "Python, RE2 and Polars: only \\n ends a line, so that `.` matches \\r",
  ],
  examples: [
    { input: "Ludwig van Beethoven", args: [pattern(/\bvan\b/)], result: true },
    { input: "Vanessa", args: [pattern(/^van\b/i)], result: false },
  ],
  expand: forPlainText(contains),
});

/** Tests for a match at the start of the text, like libcudf's `matches_re`; it may end anywhere. */
export const matches: PatternOp = defineStringOp({
  ...testing("matches", true),
  summary: "Whether the text begins with a match of a pattern",
  details:
    `A pattern that ends with $ matches the whole text; containsRe looks anywhere. ${PATTERNS}`,
  examples: [
    { input: "2001-03-14", args: [pattern(/\d{4}-/)], result: true },
    { input: "on 2001-03-14", args: [pattern(/\d{4}-/)], result: false },
    { input: "anna", args: [pattern(/[an]+$/)], result: true },
  ],
  expand: forPlainText(startsWith),
});
