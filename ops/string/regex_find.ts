/**
 * Defines the operations that find, count, extract and split by matches of a regular expression.
 *
 * @module
 */

import { type CallArgs, defineStringOp, type StringOp } from "./define/define_string_op.ts";
import { type SearchProgram, searchProgram } from "../regex/regex_program.ts";
import { count, find } from "./find.ts";
import {
  compiledOnce,
  forPlainText,
  groupNumber,
  pattern,
  type PatternOp,
  PATTERNS,
  type RegexArg,
  regexOf,
  regexProblem,
} from "./regex_argument.ts";
import { regexSearchConsts, searching } from "./regex_search.ts";
import { split } from "./split.ts";

/** Returns the position of the first match, in characters; -1 without one. */
export const findRe: PatternOp = defineStringOp({
  name: "findRe",
  kind: "measure",
  ...searching("once"),
  summary: "The position, in characters, where a pattern first matches; -1 where it does not",
  details: PATTERNS,
  examples: [
    { input: "é 42", args: [pattern(/\d+/)], result: 2 },
    { input: "none", args: [pattern(/\d+/)], result: -1 },
  ],
  expand: forPlainText(find),
  row(text, { search, registers }) {
    return search(text, 0) ? text.sub(0, registers.at(1)).length : -1;
  },
});

/** Counts the matches that JavaScript's `matchAll` finds. */
export const countRe: PatternOp = defineStringOp({
  name: "countRe",
  kind: "measure",
  ...searching("repeatedly"),
  summary: "The number of matches of a pattern, without overlaps",
  details: `After an empty match, the search moves on by one character. ${PATTERNS}`,
  differs: ["Polars: an empty match right after another one does not count"],
  examples: [
    { input: "one two three", args: [pattern(/\w+/)], result: 3 },
    { input: "né", args: [pattern(/x*/)], result: 3 },
  ],
  expand: forPlainText(count),
  row(text, { search, registers, following }) {
    let count = 0;
    let from = 0;
    while (from <= text.size && search(text, from)) {
      count++;
      from = following(text, registers.at(1), registers.at(0));
    }
    return count;
  },
});

/** Returns the matches that JavaScript's `match` finds with flag `g`. */
export const findAll: PatternOp = defineStringOp({
  name: "findAll",
  kind: "list",
  ...searching("repeatedly"),
  summary: "The matches of a pattern, as a list",
  details: `Without a match the list is empty. ${PATTERNS}`,
  differs: ["Python: findall() returns the groups where the pattern has some"],
  examples: [
    { input: "one 1, two 22", args: [pattern(/\d+/)], result: ["1", "22"] },
    { input: "ab", args: [pattern(/x*/)], result: ["", "", ""] },
    { input: "none", args: [pattern(/\d+/)], result: [] },
  ],
  row(out, text, { search, registers, following }) {
    let from = 0;
    while (from <= text.size && search(text, from)) {
      const start = registers.at(1);
      const stop = registers.at(0);
      out.item(text.sub(start, stop));
      from = following(text, start, stop);
    }
  },
});

/** Returns the text of a group in the first match; null without a match, and for a group without text. */
export const extract: StringOp<
  [pattern: RegexArg, group?: number | string | null, flags?: string | null]
> = defineStringOp({
  name: "extract",
  kind: "view",
  args: { pattern: "literal", group: "literal", flags: "literal" },
  defaults: { group: -1, flags: "" },
  group: "regex",
  accepts: { pattern: "regex", group: "integer", flags: "string" },
  summary: "The text of a group in the first match of a pattern; null without a match",
  details:
    "A group is a number, 0 for the whole match, or a name. The default is group 1, or the " +
    `whole match of a pattern without groups. ${PATTERNS}`,
  differs: ["libcudf: extract() returns a column for each group"],
  examples: [
    { input: "ann@example.org", args: [pattern(/@([^.]+)/)], result: "example" },
    { input: "2001-03-14", args: [pattern(/(\d+)-(\d+)/), 2], result: "03" },
    { input: "2001-03-14", args: [pattern(/(?<year>\d+)-/), "year"], result: "2001" },
    { input: "none", args: [pattern(/\d+/)], result: null },
  ],
  check: (args) => regexProblem(() => extractProgram(args)),
  consts: (args) => regexSearchConsts(extractProgram(args), "once"),
  row(text, { search, registers }) {
    if (!search(text, 0)) return null;
    const start = registers.at(1);
    if (start < 0) return null;
    return text.sub(start, registers.at(2));
  },
});

function extractProgram(args: CallArgs): SearchProgram {
  const regex = regexOf(args);
  const { group = -1 } = args;
  const number = group === -1 ? Math.min(1, regex.groupNames.length) : groupNumber(regex, group);
  return compiledOnce(args, `extract ${number}`, (regex) =>
    searchProgram(
      // The whole match is a group like any other, so that one row function serves all.
      { ...regex, term: { term: "group", group: 0, body: regex.term } },
      { anchored: false, start: false, groups: [number] },
    ));
}

/** Splits as JavaScript's `split` does, except that groups are not parts. */
export const splitRe: PatternOp = defineStringOp({
  name: "splitRe",
  kind: "list",
  ...searching("repeatedly"),
  summary: "The parts of the text between the matches of a pattern, as a list",
  details: `An empty match cuts between two characters, not at the start or the end. ${PATTERNS}`,
  differs: [
    "JavaScript: groups are not parts; an empty text is one empty part, whatever the pattern",
    "Python: re.split() also cuts at an empty match at the start or the end",
  ],
  examples: [
    { input: "a, b;c", args: [pattern(/[,;] */)], result: ["a", "b", "c"] },
    { input: "né", args: [pattern(/x*/)], result: ["n", "é"] },
    { input: "none", args: [pattern(/\d/)], result: ["none"] },
  ],
  expand: forPlainText(split),
  row(out, text, { search, registers }) {
    let done = 0;
    let from = 0;
    while (from < text.size && search(text, from)) {
      const start = registers.at(1);
      const stop = registers.at(0);
      if (start >= text.size) break;
      if (stop === done) {
        // An empty match where the part begins cuts nothing off.
        from = text.next(from);
      } else {
        out.item(text.sub(done, start));
        done = stop;
        from = stop;
      }
    }
    out.item(text.sub(done, text.size));
  },
});
