import { assertEquals, assertThrows } from "@std/assert";
import { parseRegex } from "../../../../ops/regex/parse_regex.ts";
import { searchProgram, testProgram } from "../../../../ops/regex/regex_program.ts";
import { foldedSet, platformSet } from "../../../../ops/regex/regex_sets.ts";
import { complementOf, rangesOf } from "../../../../ops/regex/char_set.ts";

/** Pattern, flags, position, reason. */
const REFUSED: readonly (readonly [string, string, number, RegExp])[] = [
  ["(", "", 1, /unterminated group/],
  ["a)", "", 1, /unmatched '\)'/],
  ["[a", "", 2, /unterminated character class/],
  ["[z-a]", "", 4, /range out of order/],
  ["*", "", 1, /nothing to repeat/],
  ["a**", "", 3, /nothing to repeat/],
  ["a{3,2}", "", 6, /numbers out of order/],
  ["(?<n>a)(?<n>b)", "", 12, /duplicate capture group name/],
  ["(a)\\1", "", 3, /backreference/],
  ["(?<n>a)\\k<n>", "u", 7, /backreference/],
  ["a(?=b)", "", 1, /lookahead/],
  ["a(?!b)", "", 1, /lookahead/],
  ["(?<=b)a", "", 0, /lookbehind/],
  ["a{1000}", "", 1, /up to 999/],
  ["ab{0,1000}", "", 2, /up to 999/],
  ["\\p{L}", "", 0, /needs flag u/],
  ["\\\\\\P{L}", "", 2, /needs flag u/],
  ["\\p{Nonsense}", "u", 11, /invalid property name/],
  ["\\-", "u", 1, /invalid escape/],
  ["é😀(", "", 3, /unterminated group/],
];

for (const [pattern, flags, at, reason] of REFUSED) {
  Deno.test(`/${pattern}/${flags} is refused at position ${at}`, () => {
    const error = assertThrows(() => parseRegex(pattern, flags), RangeError);
    assertEquals(error.message.includes(`at position ${at}: `), true, error.message);
    assertEquals(reason.test(error.message), true, error.message);
    assertEquals(error.message.includes("\n"), false);
  });
}

Deno.test("other flags than i, m, s and u are refused with the reason", () => {
  for (
    const [flags, reason] of [
      ["g", /one match or all/],
      ["y", /matches\(\)/],
      ["v", /not supported/],
      ["x", /the flags that there are/],
      ["ii", /twice/],
    ] as const
  ) {
    assertThrows(() => parseRegex("a", flags), RangeError);
    const error = assertThrows(() => parseRegex("a", flags), RangeError);
    assertEquals(reason.test(error.message), true, error.message);
  }
});

Deno.test("a pattern that needs too much is refused with the number", () => {
  const whether = (pattern: string, flags = "") => testProgram(parseRegex(pattern, flags), false);
  assertThrows(() => whether("a.{15}b"), RangeError, "more than 2000 states");
  assertThrows(() => whether("(?:a{0,999}){0,999}"), RangeError, "more than 20000 steps");
  assertThrows(
    () =>
      searchProgram(parseRegex("(?:a|b)*a(?:a|b){12}c"), {
        anchored: false,
        start: true,
        groups: [],
      }),
    RangeError,
    "more than 2000 states",
  );
});

Deno.test("groups in long repetitions that need too many registers are refused", () => {
  const search = (pattern: string, groups: number[]) =>
    searchProgram(parseRegex(pattern), { anchored: false, start: true, groups });
  assertThrows(() => search("(((((a))))){0,450}x", [1, 2, 3, 4, 5]), RangeError, "registers");
  assertThrows(() => search("(?:a?){999}", []), RangeError, "more than 1 MB");
});

Deno.test("a repetition of 999 rounds compiles", () => {
  const program = testProgram(parseRegex("x{999}"), true);
  assertEquals(program.next.length, 1000 * 3);
});

const cased = rangesOf(platformSet("[\\p{CWCM}\\p{CWCF}]"))
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
const text = String.fromCodePoint(...cased);

for (const flags of ["i", "iu"]) {
  Deno.test(`a folded character is what /./${flags} matches, for all that have case`, () => {
    const isUnicode = flags === "iu";
    for (const char of cased.filter((char) => isUnicode || char < 0x10000)) {
      const hex = char.toString(16);
      const source = isUnicode ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
      const matched = [...text.matchAll(new RegExp(source, flags + "g"))]
        .map(([found]) => found.codePointAt(0)!);
      const folded = rangesOf(foldedSet([char, char + 1], isUnicode))
        .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
      assertEquals(folded, matched.sort((a, b) => a - b), `U+${hex}`);
    }
  });
}

Deno.test("no character without case is equal to another", () => {
  const uncased = complementOf(platformSet("[\\p{CWCM}\\p{CWCF}]"));
  assertEquals(foldedSet(uncased, true), uncased);
});
