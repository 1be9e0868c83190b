import { assert, assertEquals } from "@std/assert";
import { col, type Expr } from "../../../ops/expr/expr.ts";
import { findAll, splitRe } from "../../../ops/string/operations.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";
import { judgeable, randomRegex, randomSubject } from "../../support/random_regex.ts";
import { forSeeds } from "../../support/seeded_random.ts";

Deno.test("random patterns find and split what JavaScript's do", async () => {
  const refused: string[] = [];
  await forSeeds(150, (random) => {
    const shape = { depth: 2, ascii: random.chance(0.5) };
    // JavaScript's split() gives what groups took as parts.
    const pattern = randomRegex(random, shape).replaceAll(/\((?!\?)/g, "(?:");
    const flags = ["i", "m", "s"].filter(() => random.chance(0.3)).join("");
    const texts = Array.from(
      { length: 12 },
      () => random.chance(0.1) ? null : judgeable(pattern, randomSubject(random, shape)),
    );
    const check = (make: () => Expr, model: (text: string) => string[]) => {
      let expr: Expr;
      try {
        expr = make();
      } catch (error) {
        if ((error as Error).message.includes("states")) return void refused.push(pattern);
        throw error;
      }
      const expected = texts.map((text) => text === null ? null : model(text));
      assertEquals(
        evaluateExpr(expr, { name: texts }),
        expected as never,
        `/${pattern}/${flags} on ${JSON.stringify(texts)}`,
      );
    };
    const all = new RegExp(pattern, flags + "g");
    check(() => findAll(col("name"), pattern, flags), (text) => text.match(all) ?? []);
    check(
      () => splitRe(col("name"), pattern, flags),
      (text) => text === "" ? [""] : text.split(new RegExp(pattern, flags)),
    );
  });
  assert(refused.length < 30, `${refused.length} patterns need too many states: ${refused[0]}`);
});

Deno.test("splitRe() of a plain text is split(), and leaves groups out", () => {
  const name = ["a.b", "", ".", null];
  assertEquals(evaluateExpr(col("name").splitRe("\\."), { name }), [
    ["a", "b"],
    [""],
    ["", ""],
    null,
  ] as never);
  assertEquals(evaluateExpr(col("name").splitRe("([.]|x)"), { name }), [
    ["a", "b"],
    [""],
    ["", ""],
    null,
  ] as never);
});
