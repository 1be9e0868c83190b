import { assert, assertEquals } from "@std/assert";
import { parseRegex } from "../../../ops/regex/parse_regex.ts";
import { searchProgram, testProgram } from "../../../ops/regex/regex_program.ts";
import { runSearch, runTest, work } from "../../support/regex_matcher.ts";

/** Patterns for which a matcher that goes back takes exponential or quadratic time. */
const HARD = [
  "(a+)+$",
  "(a|a)*b",
  "(a*)*b",
  "(?:a?){20}a{20}b",
  "^(?:(?:a|aa)+)+$",
  "(.*)*,(.*)*,x",
  "a*a*a*a*b",
  "(\\w+\\s?)+!",
  "(x+x+)+y",
];

for (const pattern of HARD) {
  Deno.test(`/${pattern}/ reads each character once`, () => {
    const regex = parseRegex(pattern);
    const groups = regex.groupNames.map((_, index) => index + 1);
    const test = testProgram(regex, false);
    const search = searchProgram(regex, { anchored: false, start: true, groups });
    for (const char of ["a", "x", ","]) {
      const text = new Array<number>(10_000).fill(char.codePointAt(0)!);
      work.characters = work.moves = 0;
      runTest(test, [...text, 0x23]);
      assert(work.characters <= 10_002, `${work.characters} characters`);
      work.characters = work.moves = 0;
      runSearch(search, [...text, 0x23], 0);
      assert(work.characters <= 10_002, `${work.characters} characters`);
      // The registers that move for a character do not depend on the text.
      assert(work.moves <= 10_002 * search.numRegisters, `${work.moves} moves`);
    }
  });
}

Deno.test("a search stops where nothing can be found any more", () => {
  const work1 = (pattern: string) => {
    work.characters = 0;
    runTest(testProgram(parseRegex(pattern), false), new Array<number>(1000).fill(0x61));
    return work.characters;
  };
  assertEquals(work1("^b"), 1);
  assertEquals(work1("a"), 1);
  assertEquals(work1("(?:)"), 0);
  assertEquals(work1("a{3}"), 3);
  assertEquals(work1("b"), 1000);
});
