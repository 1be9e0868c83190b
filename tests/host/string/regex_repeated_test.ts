import { assert, assertEquals } from "@std/assert";
import { col } from "../../../ops/expr/expr.ts";
import { parseRegex } from "../../../ops/regex/parse_regex.ts";
import { searchProgram } from "../../../ops/regex/regex_program.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";
import { forSeeds } from "../../support/seeded_random.ts";

/** Patterns that read on behind a match; what they read again and again; and how it ends. */
const READING_ON: readonly (readonly [pattern: string, unit: string, end: string])[] = [
  ["(?:ab)*c|a", "ab", "."],
  ["(?:ab)*c|a", "ab", "c"],
  ["(?:ab|ba)*c|a|b", "ab", "."],
  ["<[^>]*>|<", "<", "."],
  ["<[^>]*>x|<", "<", ">y"],
  ["a[^b]*b[^c]*c|a", "a", "b."],
  ["(?:abc)*d|a|b", "abc", "."],
  ["(?:a{16})*b|a", "a", "."],
  ["(?:é{3})*b|é", "é", "."],
  ["(?:ab)*(c)|(a)", "ab", "."],
  ["(?:ab)+$|a", "ab", "."],
];

const program = (pattern: string) =>
  searchProgram(parseRegex(pattern), { anchored: false, start: true, groups: [] });

Deno.test("only patterns that may read on behind a match are known to do so", () => {
  for (const [pattern] of READING_ON) assert(program(pattern).readsOn, pattern);
  for (const pattern of ["a+", "\\w+@\\w+", "a.*?b", "[ab]+c|d", "a(?:bc)?", "a|ab|abc", "x*"]) {
    assertEquals(program(pattern).readsOn, false, pattern);
  }
});

for (const [pattern, unit, end] of READING_ON) {
  Deno.test(`/${pattern}/g reads "${unit}${unit}...${end}" in little more than its length`, () => {
    // JavaScript goes back at each match too, so the text that it judges is short.
    for (const size of [300, 3_000]) check(pattern, unit.repeat(size / unit.length) + end);
    const t = [unit.repeat(200_000) + end];
    const start = performance.now();
    const [count] = evaluateExpr(col("t").countRe(pattern), { t });
    // A second at most; a hundred and more where each match reads to the end.
    assert(performance.now() - start < 20_000, `${performance.now() - start} ms`);
    assert(Number(count) >= 1);
  });
}

function check(pattern: string, text: string): void {
  const t = [text, "", text.slice(1)];
  const all = new RegExp(pattern, "g");
  const where = `/${pattern}/ on ${text.length} of ${text.slice(0, 40)}`;
  const matches = t.map((text) => text.match(all) ?? []);
  assertEquals(evaluateExpr(col("t").findAll(pattern), { t }), matches as never, where);
  const replaced = t.map((text) => text.replaceAll(all, "[$&]"));
  assertEquals(evaluateExpr(col("t").replaceRe(pattern, "[$&]"), { t }), replaced, where);
}

Deno.test("random texts of some thousand characters are searched as JavaScript searches them", async () => {
  const patterns = [
    ...READING_ON.map(([pattern]) => pattern),
    "(?:a{20})*b|a",
    "(?:aab|aba|baa)*c|[ab]",
    "(?:(?:ab){5})*c|a|b",
    "a[^b]*b[^c]*c[^d]*d|[ab]",
    "(?:a.)*c|a",
    "^(?:ab)*c|a|b$",
    "(?:ab)*\\b\\.|a",
  ];
  await forSeeds(60, (random) => {
    const pattern = random.pick(patterns);
    const unit = random.pick(["a", "ab", "abc", "aab", "<", "é", "abé"]);
    const parts = Array.from({ length: 1 + random.below(12) }, () => {
      const run = unit.repeat(random.below(150));
      return run +
        (random.chance(0.5) ? random.pick(["", "a", "b", "c", "d", ">", ".", "\n"]) : "");
    });
    check(pattern, parts.join(""));
  });
});
