import { assertEquals } from "@std/assert";
import { PlainRegex } from "../../support/regex_matcher.ts";

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

Deno.test("a carriage return ends no line", () => {
  assertEquals(new PlainRegex("^a", "m").test("\ra"), false);
  assertEquals(new PlainRegex("a$", "m").test("a\r\n"), false);
  assertEquals(new PlainRegex("a\\r?$", "m").test("a\r\n"), true);
});
