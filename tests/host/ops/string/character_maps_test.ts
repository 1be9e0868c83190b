import { assertEquals, assertThrows } from "@std/assert";
import { characterSet } from "../../../../ops/string/filter_characters.ts";
import { col, printExpr } from "../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { compileProgram } from "../../../support/kernels/programs.ts";
import { Utf8 } from "apache-arrow";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

const text = ["banana", "", null, "é-中-🙂-a", "\u0000a\u{10ffff}"];

Deno.test("translate() agrees with DuckDB's, which takes two lists of characters", async () => {
  const cases = [["an", "xy"], ["é中🙂", "e-z"], ["abn-", "é"], ["", ""]] as const;
  const texts = ["banana", "", "é-中-🙂-a"];
  for (const [from, to] of cases) {
    const target = [...to];
    const map = Object.fromEntries([...from].map((char, i) => [char, target[i] ?? null]));
    const rows = await queryDuckDb(
      `SELECT translate(t, '${from}', '${to}') AS r
       FROM (VALUES ${texts.map((value) => `('${value}')`).join(", ")}) AS v(t)`,
    );
    assertEquals(
      evaluateExpr(col("text").translate(map), { text: texts }),
      rows.map(({ r }) => r as string),
    );
  }
});

Deno.test("translate() takes every character for a key", () =>
  forSeeds(5, (random) => {
    const codes = Array.from({ length: 500 }, () => random.below(0x10ffff))
      .filter((code) => code < 0xd800 || code > 0xdfff);
    const keys = [...codes, 0, 0x7f, 0x80, 0x10ffff].map((code) => String.fromCodePoint(code));
    const map = Object.fromEntries(keys.map((key, i) => [key, keys[keys.length - 1 - i]!]));
    const rows = [keys.join(""), keys.join("a"), "a"];
    assertEquals(
      evaluateExpr(col("text").translate(map), { text: rows }),
      rows.map((row) => [...row].map((char) => map[char] ?? char).join("")),
    );
  }));

Deno.test("maps with different tables are kept apart, in one expression and in two", () => {
  const both = parseExpr('text.translate({a: "1"}) + text.translate({a: "2"})');
  assertEquals(evaluateExpr(both, { text: ["ab"] }), ["1b2b"]);
  const kept = parseExpr('text.filterCharacters("a") + text.filterCharacters("b")');
  assertEquals(evaluateExpr(kept, { text: ["abab"] }), ["aabb"]);
});

Deno.test("character maps fuse with what stands around them", () => {
  const { program } = compileProgram(
    ['t.strip().translate({a: "e"}).upper().filterCharacters("A-Z").replaceMany(["AB"], "c")'],
    { t: new Utf8() },
  );
  assertEquals(program.kernels.map(({ cut }) => cut), [
    "replace reads text that filterCharacters writes",
    undefined,
  ]);
});

Deno.test("collapseSpace() fuses with what writes its text, and so do left() and get()", () => {
  for (const call of ["collapseSpace()", "left(3)", "get(1)"]) {
    const { program } = compileProgram([`(t.upper() + u).${call}`], {
      t: new Utf8(),
      u: new Utf8(),
    });
    assertEquals(program.kernels.length, 1, call);
  }
  const columns = { t: [" a ", "é", ""], u: [" \tb  c", "", " "] };
  const expr = parseExpr("(t.upper() + u).collapseSpace()");
  assertEquals(evaluateExpr(expr, columns), ["A b c", "É", ""]);
});

Deno.test("a set of characters is its ranges, joined", () => {
  const sets: [string, number[]][] = [
    ["", []],
    ["a", [0x61, 0x62]],
    ["-", [0x2d, 0x2e]],
    ["a-", [0x2d, 0x2e, 0x61, 0x62]],
    ["-a", [0x2d, 0x2e, 0x61, 0x62]],
    ["a-cb-d", [0x61, 0x65]],
    ["a-cd", [0x61, 0x65]],
    ["c-da-a", [0x61, 0x62, 0x63, 0x65]],
    ["a-zb", [0x61, 0x7b]],
    ["a-c-e", [0x2d, 0x2e, 0x61, 0x64, 0x65, 0x66]],
    ["+--", [0x2b, 0x2e]],
    ["🙂-🙄", [0x1f642, 0x1f645]],
  ];
  for (const [set, bounds] of sets) assertEquals(characterSet(set), bounds, set);
});

Deno.test("filterCharacters() divides a text into what is kept and what is not", () => {
  for (
    const set of ["", "a", "a-z", "\u0000", "\u0000-\u{10ffff}", "\u0080-\u{10ffff}", "\u{10ffff}"]
  ) {
    const kept = evaluateExpr(col("text").filterCharacters(set), { text });
    const rest = evaluateExpr(col("text").filterCharacters(set, { keep: false }), { text });
    for (const [row, value] of text.entries()) {
      const sizes = [kept[row], rest[row]].map((part) => part === null ? 0 : String(part).length);
      assertEquals(sizes[0]! + sizes[1]!, value?.length ?? 0, `${set}, row ${row}`);
      assertEquals(rest[row] === null, value === null);
    }
  }
  assertEquals(evaluateExpr(col("text").filterCharacters(""), { text }), ["", "", null, "", ""]);
});

Deno.test("filterCharacters() takes no kind that is misspelt for a set of letters", () => {
  const misspelt = [["lettr", "letter"], ["Digits", "digit"], ["spcae", "space"]] as const;
  for (const [wrong, right] of misspelt) {
    assertThrows(
      () => evaluateExpr(col("text").filterCharacters(["_", wrong]), { text }),
      RangeError,
      `"${wrong}" is no kind of characters; did you mean ${right}?`,
    );
  }
  const texts = ["letter"];
  for (const set of ["lettr", ["l-lettr"], ["rel", "t"]]) {
    assertEquals(evaluateExpr(col("text").filterCharacters(set), { text: texts }), texts);
  }
});

Deno.test("replaceMany() takes the first target of the list, wherever several start", () => {
  const cases: [string[], string | string[], string, string][] = [
    [["a", "ab", "abc"], ["1", "2", "3"], "abcab", "1bc1b"],
    [["abc", "ab", "a"], ["3", "2", "1"], "abcaba", "321"],
    [["bc", "abcd"], ["1", "2"], "abce abcd", "a1e 2"],
    [["ab", "ab", "x"], ["1", "2", ""], "abxab", "11"],
    [["é", "éé"], "e", "ééé", "eee"],
    [["中", "\u4e2e"], ["a", "b"], "中\u4e2e\u4e2f", "ab\u4e2f"],
    [["b", "a"], ["a", "b"], "ab", "ba"],
    [[], [], "ab", "ab"],
    [["\u0000b", "q"], "-", "a\u0000bq\u0000", "a--\u0000"],
  ];
  for (const [targets, replacements, given, expected] of cases) {
    const expr = col("text").replaceMany(targets, replacements);
    assertEquals(evaluateExpr(expr, { text: [given, null] }), [expected, null], printExpr(expr));
  }
});

Deno.test("wrong maps, sets and lists are errors", () => {
  const wrong: [string, string][] = [
    ['t.translate({ab: "c"})', 'translate(): the key "ab" is not one character'],
    ['t.translate({"": "c"})', 'the key "" is not one character'],
    ["t.translate({a: 5})", '"a" must become text or null'],
    ['t.translate(["a"])', "the map must be named values"],
    ['t.translate("a")', "the map must be named values"],
    ["t.translate({a: other})", "a must be a literal"],
    ['t.filterCharacters("z-a")', "filterCharacters(): the range z-a ends before it starts"],
    ["t.filterCharacters(5)", "the set must be text"],
    ['t.filterCharacters("a", 1)', "keep must be true or false"],
    ['t.replaceMany("a", "b")', "replaceMany(): the targets must be a list of texts"],
    ['t.replaceMany(["a", ""], "b")', "a target is empty"],
    ['t.replaceMany(["a"], ["b", "c"])', "there are 1 targets and 2 replacements"],
    ['t.replaceMany(["a"], 5)', "the replacements must be a text or a list of texts"],
  ];
  for (const [expr, message] of wrong) assertThrows(() => parseExpr(expr), Error, message, expr);
});

Deno.test("the kinds of filterCharacters() are those of Unicode, over all characters", () => {
  const chars = allCharacters();
  const kinds: Readonly<Record<string, (char: string) => boolean>> = {
    letter: (char) => /\p{L}/u.test(char),
    mark: (char) => /\p{M}/u.test(char),
    digit: (char) => /\p{Nd}/u.test(char),
    punctuation: (char) => /\p{P}/u.test(char),
    symbol: (char) => /\p{S}/u.test(char),
    space: (char) => /\p{White_Space}/u.test(char) || (char >= "\x1c" && char <= "\x1f"),
  };
  for (const [kind, isIn] of someOf(Object.entries(kinds), 1)) {
    const [kept] = evaluateExpr(col("text").filterCharacters([kind]), { text: [chars.join("")] });
    assertEquals(kept === chars.filter(isIn).join(""), true, kind);
  }
});

/** All characters; beyond the planes that have some, every day only some. */
function allCharacters(): string[] {
  return Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0x33480 || code % fewOr(61, 1) === 0 || code >> 16 === 0xe)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
}
