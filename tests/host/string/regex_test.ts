import { assertEquals } from "@std/assert";
import { containsRe, countRe, extract, findRe, matches } from "../../../ops/string/operations.ts";
import { col } from "../../../ops/expr/expr.ts";
import type { Expr } from "../../../ops/expr/expr.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";
import { randomRegex, randomSubject } from "../../support/random_regex.ts";
import { forSeeds } from "../../support/seeded_random.ts";

const run = (expr: Expr, name: readonly (string | null)[]) => evaluateExpr(expr, { name });
const lengthOf = (text: string) => [...text].length;

/** Such patterns are refused; that they are few is tested where they are compiled. */
function needsTooMuch(pattern: string, flags: string): boolean {
  try {
    extract(col("name"), pattern, 0, flags);
    extract(col("name"), pattern, 1, flags);
    return false;
  } catch (error) {
    return (error as Error).message.includes("states");
  }
}

Deno.test("random patterns over columns give what JavaScript's give", async () => {
  await forSeeds(150, (random) => {
    const shape = { depth: 2, ascii: random.chance(0.5) };
    const pattern = randomRegex(random, shape);
    const flags = ["i", "m", "s"].filter(() => random.chance(0.3)).join("");
    const texts = Array.from(
      { length: 12 },
      () => random.chance(0.1) ? null : randomSubject(random, shape),
    );
    const name = col("name");
    if (needsTooMuch(pattern, flags)) return;
    const first = new RegExp(pattern, flags);
    const all = new RegExp(pattern, flags + "g");
    const check = (expr: Expr, model: (text: string) => unknown) =>
      assertEquals(
        run(expr, texts),
        texts.map((text) => text === null ? null : model(text)) as never,
        `/${pattern}/${flags} on ${JSON.stringify(texts)}`,
      );
    check(containsRe(name, pattern, flags), (text) => first.test(text));
    check(findRe(name, first), (text) => {
      const at = text.search(first);
      return at < 0 ? -1 : lengthOf(text.slice(0, at));
    });
    check(countRe(name, first), (text) => [...text.matchAll(all)].length);
    check(extract(name, first), (text) => {
      const match = first.exec(text);
      return match === null ? null : (match.length > 1 ? match[1] : match[0]) ?? null;
    });
    check(extract(name, first, 0), (text) => first.exec(text)?.[0] ?? null);
    if (!flags.includes("m")) {
      const atStart = new RegExp(`^(?:${pattern})`, flags);
      check(matches(name, first), (text) => atStart.test(text));
    }
  });
});

Deno.test("a pattern without special characters becomes an operation on plain text", () => {
  const name = ["a.b", "axb", null, ""];
  assertEquals(run(col("name").containsRe("a\\.b"), name), [true, false, null, false]);
  assertEquals(run(col("name").matches("(a)"), name), [true, true, null, false]);
  assertEquals(run(col("name").findRe(/b/), name), [2, 2, null, -1]);
  assertEquals(run(col("name").countRe("."), name), [3, 3, null, 0]);
});
