/**
 * The row functions that tell whether a text holds a match: `matches` and `containsRe` differ in
 * their tables only.
 *
 * @module
 */

import type { Table, View } from "../../gpu/kernel/language/row_function.ts";
import { type CallArgs, defineStringOp, type Overload, type StringOp } from "./define_string_op.ts";
import { type ByteProgram, byteProgram } from "../regex/byte_program.ts";
import { type TestProgram, testProgram } from "../regex/regex_program.ts";
import {
  compiledOnce,
  forPlainText,
  PATTERNS,
  type RegexArg,
  regexProblem,
} from "./regex_argument.ts";
import { classHelper, type ClassOf } from "./regex_search.ts";
import { contains } from "./find.ts";
import { startsWith } from "./affixes.ts";

/** A pattern as tables over bytes, or over characters where those would be too large. */
interface RegexTest {
  /** Over bytes, if there is room. */
  readonly bytes: ByteProgram | null;
  /** Over characters. */
  readonly characters: TestProgram;
}

/** What a call of an operation asks of a text: a match that begins at its start, or anywhere. */
function regexTest(args: CallArgs, anchored: boolean): RegexTest {
  return compiledOnce(args, anchored ? "matches" : "containsRe", (regex) => {
    const characters = testProgram(regex, anchored);
    return { bytes: byteProgram(characters), characters };
  });
}

/** The row functions over bytes and over characters; `choose` takes the first where it can. */
function regexTestOverloads(anchored: boolean): Record<"bytes" | "characters", Overload> {
  return {
    bytes: {
      kind: "measure",
      returns: "bool",
      consts: (args) => ({ ...regexTest(args, anchored).bytes }),
      row(text: View, c: { next: Table; start: number; found: Table }): boolean {
        return c.found.at((c.next.follow(text, c.start) >> 8) & 1023) === 1;
      },
    },
    characters: {
      kind: "measure",
      returns: "bool",
      consts: (args) => {
        const { characters } = regexTest(args, anchored);
        const { next, start, end } = characters;
        return { next, start, end, classOf: classHelper(characters) };
      },
      row(text: View, c: { next: Table; start: number; end: number; classOf: ClassOf }): boolean {
        // A negative state is an outcome: -1 that there is no match, -2 that there is one.
        if (c.start < 0) return c.start === -2;
        let state = c.start;
        for (let at = 0; at < text.size; at = text.next(at)) {
          state = c.next.at(state + c.classOf(text.charAt(at)));
          if (state < 0) return state === -2;
        }
        return c.next.at(state + c.end) === -2;
      },
    },
  };
}

/** Whether a pattern matches anywhere. */
export const containsRe: StringOp<[pattern: RegexArg, flags?: string | null]> = defineStringOp({
  name: "containsRe",
  args: { pattern: "literal", flags: "literal" },
  optional: ["flags"],
  group: "regex",
  accepts: { pattern: "regex", flags: "string" },
  summary: "Whether a pattern matches anywhere in the text",
  details:
    "Patterns are JavaScript's, and the leftmost match is taken, as there; flags are i, m, s and u. " +
    "Each search takes time in proportion to the text. Backreferences and lookaround are errors, " +
    "and so is a pattern that needs more than 2,000 states.",
  differs: [
    "JavaScript: characters are code points without flag u too; \\d \\w \\s \\b are ASCII without it, " +
    "Unicode's with it; under flag m only a line feed ends a line",
  ],
  examples: [
    { input: "Ludwig van Beethoven", args: ["\\bvan\\b"], result: true },
    { input: "Vanessa", args: [{ regex: "^van\\b", flags: "i" }], result: false },
  ],
  check: (args) => regexProblem(() => regexTest(args, false)),
  expand: forPlainText(contains),
  choose: (args) => regexTest(args, false).bytes === null ? "characters" : "bytes",
  overloads: regexTestOverloads(false),
});

/**
 * As libcudf's `matches_re`: the match begins at the start of the text, and need not be all of it.
 */
export const matches: StringOp<[pattern: RegexArg, flags?: string | null]> = defineStringOp({
  name: "matches",
  args: { pattern: "literal", flags: "literal" },
  optional: ["flags"],
  group: "regex",
  accepts: { pattern: "regex", flags: "string" },
  summary: "Whether the text begins with a match of a pattern",
  details: `The whole text is matched by a pattern that ends with $. ${PATTERNS}`,
  examples: [
    { input: "2001-03-14", args: ["\\d{4}-"], result: true },
    { input: "on 2001-03-14", args: ["\\d{4}-"], result: false },
    { input: "anna", args: ["[an]+$"], result: true },
  ],
  check: (args) => regexProblem(() => regexTest(args, true)),
  expand: forPlainText(startsWith),
  choose: (args) => regexTest(args, true).bytes === null ? "characters" : "bytes",
  overloads: regexTestOverloads(true),
});
