import { assertEquals, assertThrows } from "@std/assert";
import { col } from "../../../../ops/expr/expr.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { randomText } from "../../../support/random/random_text.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const SHAPES = [
  "",
  "%",
  "%%",
  "a",
  "a%",
  "%a",
  "%a%",
  "a%b",
  "_",
  "_a%",
  "%a_",
  "é%🙂",
  "%%a%%",
  "%a".repeat(20),
];

Deno.test("like() agrees with DuckDB, with and without an escape character", () =>
  forSeeds(fewOr(1, 4), async (random) => {
    const texts = Array.from({ length: 40 }, () => withWildcards(random, 6));
    const patterns = [...SHAPES, ...texts.slice(0, 30).map(() => withWildcards(random, 5))];
    for (const escape of [null, "-", "a", "%", "_"]) {
      // DuckDB refuses a pattern that ends in the escape character in a row that it looks at.
      const accepted = patterns.filter((pattern) => escape === null || !pattern.endsWith(escape));
      const answers = await queryDuckDb(
        `SELECT text, ${
          accepted.map((pattern, i) =>
            `text LIKE ${quoted(pattern)}${escape === null ? "" : ` ESCAPE '${escape}'`} AS p${i}`
          ).join(", ")
        } FROM (VALUES ${texts.map((text) => `(${quoted(text)})`).join(", ")}) AS t(text)`,
      );
      for (const [index, pattern] of accepted.entries()) {
        const literal = evaluateExpr(col("text").like(pattern, escape), { text: texts });
        const what = `${pattern} escape ${escape}`;
        const expected = answers.map((row) => row[`p${index}`] as boolean);
        assertEquals(literal, expected, what);
        const column = { text: texts, pattern: texts.map(() => pattern) };
        assertEquals(
          evaluateExpr(col("text").like(col("pattern"), escape), column),
          expected,
          what,
        );
      }
    }
  }));

Deno.test("like() with many % and no match does not try every place of each", () => {
  const text = ["a".repeat(2_000) + "b"];
  const pattern = ["%a%a%a%a%a%a%a%a%a%c%"];
  // Every way to place them would take days.
  for (const given of [pattern[0]!, "%a_%a%a%a%a%a%a%a%c%", col("pattern")]) {
    assertEquals(evaluateExpr(col("text").like(given), { text, pattern }), [false]);
  }
});

Deno.test("like() refuses a pattern that ends in the escape character", () => {
  assertThrows(() => col("text").like("a!", "!"), RangeError, "ends with the escape character");
  assertEquals(evaluateExpr(col("text").like("a!!", "!"), { text: ["a!", "a!!"] }), [true, false]);
  for (const escape of ["", "ab"]) {
    assertThrows(() => col("text").like("a", escape), RangeError, "must be one character");
  }
});

Deno.test("like() of a column with a pattern that ends in the escape character is false", () => {
  const columns = { text: ["a", "a!", "a"], pattern: ["a!", "%!", "%!"] };
  assertEquals(evaluateExpr(col("text").like(col("pattern"), "!"), columns), [false, false, false]);
});

function withWildcards(random: SeededRandom, most: number): string {
  return [...randomText(random, most)]
    .map((char) => random.chance(0.3) ? random.pick(["%", "_", "a", "-"]) : char).join("");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
