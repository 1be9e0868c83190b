import { assert, assertEquals } from "@std/assert";
import { byteProgram } from "../../../../ops/regex/byte_program.ts";
import { parseRegex } from "../../../../ops/regex/parse_regex.ts";
import { searchProgram, testProgram } from "../../../../ops/regex/regex_program.ts";
import { PlainRegex, runSearch, runTest, work } from "../../../support/models/regex_matcher.ts";
import { judgeable, randomRegex, randomSubject } from "../../../support/random/random_regex.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

/**
 * Patterns that matchers are known to get wrong: from the tests of RE2, of Rust's regex and of
 * test262. What is right, JavaScript's own regular expressions say.
 */
const KNOWN: readonly (readonly [pattern: string, flags: string, ...texts: string[]])[] = [
  ["", "", "", "abc"],
  ["|a", "", "a"],
  ["a||b", "", "a", "b", "c"],
  ["(|a)*", "", "aa", "b"],
  ["(|a)+", "", "aa", "b"],
  ["(a|)*b", "", "aab", "b"],
  ["(a*)*", "", "aa", "b", ""],
  ["(a*)+", "", "aa", "b", ""],
  ["(a*)?", "", "aa", "b"],
  ["(a*){2,3}", "", "aaa", "b"],
  ["((a*)*)*", "", "aab"],
  ["(?:a?b??)*", "", "ab", "aab"],
  ["(a?b??)*", "", "ab", "aab", "abb"],
  ["(a|b)*?c", "", "abc", "abab"],
  ["(a|b)*", "", "abab"],
  ["(?:(a)|b)*", "", "ab", "ba"],
  ["(?:(a)|(b)|c){3}", "", "abc", "cba"],
  ["(a)|b", "", "b", "a"],
  ["(z)((a+)?(b+)?(c))*", "", "zaacbbbcac"],
  ["(a+|b+?)*?$", "", "aabb"],
  ["a*?", "", "aaa"],
  ["a+?", "", "aaa"],
  ["a??b", "", "ab", "b"],
  ["(a{0,2}?)(a*)", "", "aaa"],
  ["a{0}b", "", "ab"],
  ["(a){0}", "", "a"],
  ["(?:a{2}){2,}", "", "aaaaaaa"],
  ["sam|samwise", "", "samwise"],
  ["samwise|sam", "", "samwise", "sam"],
  ["(?:sam|samwise)$", "", "samwise"],
  ["^$", "", "", "\n", "a"],
  ["^", "m", "a\nb\n", "\n\n"],
  ["$", "m", "a\nb\n", "\n\n"],
  ["^$", "m", "a\n\nb", "\n"],
  ["(?:^|a)+", "", "aaa", "ba"],
  ["(?:$|b)+", "", "abb"],
  ["\\b", "", "", "a", "a b", " a"],
  ["\\B", "", "", "a", "ab", " "],
  ["\\b\\w+\\b", "", "one two", "-x-"],
  ["\\Ba\\B", "", "bab", "aa"],
  ["\\b|a", "", "a"],
  ["a\\b", "", "ab a"],
  ["k", "i", "K", "\u212a"],
  ["k", "iu", "K", "\u212a"],
  ["\u212a", "i", "k"],
  ["\u212a", "iu", "k", "K"],
  ["s", "i", "ſ"],
  ["s", "iu", "ſ"],
  ["ſ", "i", "S", "ſ"],
  ["ß", "i", "ẞ", "SS"],
  ["ß", "iu", "ẞ", "SS"],
  ["İ", "i", "i", "İ", "ı"],
  ["İ", "iu", "i", "İ", "ı"],
  ["i", "iu", "İ", "ı", "I"],
  ["Σ", "i", "ς", "σ"],
  ["[^x]", "i", "X", "y"],
  ["[^\u212a]", "iu", "k"],
  ["[a-z]+", "iu", "ſK"],
  ["\\P{Lu}", "iu", "A", "1"],
  ["[^\\P{Lu}]", "iu", "a", "1"],
  ["\\p{Lu}", "iu", "a", "1"],
  ["[\\s\\S]", "", "\n"],
  ["[]", "", "a"],
  ["[^]", "", "\n"],
  [".", "", "\n", "\r", "\u2028", "\u0085"],
  [".", "s", "\n", "\r", "\u2028"],
  [".", "u", "😀"],
  ["^.$", "u", "😀", "é"],
  ["[😀-😂]+", "u", "a😁😂"],
  ["\\u{1f600}|\\ud83d\\ude01", "u", "😀😁"],
  ["\\x41\\u0042\\t\\cJ\\0", "", "AB\t\n\0"],
  ["[\\b\\-\\]]", "", "\b", "-", "]"],
  ["(?<year>\\d{4})-(?<month>\\d\\d)", "", "on 2001-03-14"],
  ["(?i:a)b", "", "Ab", "AB"],
  ["(?-i:a)b", "i", "aB", "AB"],
  ["(?s:.)", "", "\n"],
  ["a{,3}", "", "a{,3}"],
  ["]", "", "]"],
];

for (const [pattern, flags, ...texts] of KNOWN) {
  Deno.test(`/${pattern}/${flags} matches as in JavaScript`, () => {
    const regex = new PlainRegex(pattern, flags);
    for (const text of texts) {
      const expected = [...text.matchAll(new RegExp(pattern, flags + "g"))].map((match) => ({
        start: [...text.slice(0, match.index)].length,
        stop: [...text.slice(0, match.index + match[0].length)].length,
        groups: match.slice(1),
      }));
      assertEquals(regex.matchAll(text), expected, JSON.stringify(text));
    }
  });
}

Deno.test("characters are code points without flag u too", () => {
  assertEquals(new PlainRegex("^.$").test("😀"), true);
  assertEquals(new PlainRegex("😀+").exec("a😀😀")?.stop, 3);
  assertEquals(new PlainRegex("[😀-😂]").exec("a😁")?.start, 1);
  assertEquals(new PlainRegex("[^a]").matchAll("😀b").length, 2);
});

Deno.test("a carriage return ends a line, as in JavaScript", () => {
  assertEquals(new PlainRegex("^a", "m").test("\ra"), true);
  assertEquals(new PlainRegex("a$", "m").test("a\r\n"), true);
  assertEquals(new PlainRegex("a.", "").test("a\r"), false);
  assertEquals(new PlainRegex("a\\r?$", "m").test("a\r\n"), true);
});

/** `u` is not drawn with words beyond ASCII: there we differ from JavaScript on purpose. */
function compare(random: SeededRandom, refused: string[]): void {
  const ascii = random.chance(0.5);
  const shape = { depth: 3, ascii };
  const pattern = randomRegex(random, shape);
  const flags = ["i", "m", "s", ...(ascii && !random.chance(0.5) ? ["u"] : [])]
    .filter(() => random.chance(0.4)).join("");
  const oracle = new RegExp(pattern, flags + "g");
  let regex: PlainRegex;
  try {
    regex = new PlainRegex(pattern, flags);
  } catch (error) {
    if (!/states|more than/.test((error as Error).message)) throw error;
    return void refused.push(pattern);
  }
  const at = new RegExp(`^(?:${pattern})`, flags.replace("m", ""));
  for (let i = 0; i < 8; i++) {
    const text = judgeable(pattern, randomSubject(random, shape));
    const what = `/${pattern}/${flags} on ${JSON.stringify(text)}`;
    const expected = [...text.matchAll(oracle)].map((match) => ({
      start: match.index,
      stop: match.index + match[0].length,
      groups: match.slice(1),
    }));
    assertEquals(regex.matchAll(text), expected, what);
    assertEquals(regex.test(text), expected.length > 0, what);
    if (!flags.includes("m")) assertEquals(regex.testStart(text), at.test(text), what);
  }
}

Deno.test("random patterns match the same parts and groups of random texts as JavaScript's", async () => {
  const refused: string[] = [];
  await forSeeds(fewOr(400, 1_000), (random) => compare(random, refused));
  assert(refused.length < 30, `${refused.length} need too many states: ${refused[0]}`);
});

/** Characters of 1 to 4 bytes: all below U+3000, and the first and last of each block of 64 from there on. */
function* charactersOfAllBlocks(): Generator<string, void, void> {
  for (let code = 0; code <= 0x10ffff; code++) {
    const isLone = code >= 0xd800 && code < 0xe000;
    const isEdge = (code & 63) === 0 || (code & 63) === 63;
    if (!isLone && (code < 0x3000 || isEdge)) yield String.fromCodePoint(code);
  }
}

// A block of 64 characters of one class shares its rows; a mixed one has its own.
for (
  const pattern of [
    "^a.c$",
    "^a[^x]c",
    "^a[α-ω\uffc0-\u{1003f}]+c",
    "^a\\p{L}c",
    "^.b",
    "^a.\u{1f63f}?c",
  ]
) {
  Deno.test(`/${pattern}/ over bytes matches every character as JavaScript does`, () => {
    const flags = "u";
    const tables = byteProgram(testProgram(parseRegex(pattern, flags), false));
    const { next, start, found } = tables!;
    const oracle = new RegExp(pattern, flags);
    const [encoder, bytes] = [new TextEncoder(), new Uint8Array(16)];
    for (const char of charactersOfAllBlocks()) {
      for (const text of [`a${char}c`, `${char}b`]) {
        const { written } = encoder.encodeInto(text, bytes);
        let state = start;
        for (let at = 0; at < written; at++) state = next[state + bytes[at]!]!;
        const matches = found[state / 256] === 1;
        assert(matches === oracle.test(text), `${JSON.stringify(text)} gives ${matches}`);
      }
    }
  });
}

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
