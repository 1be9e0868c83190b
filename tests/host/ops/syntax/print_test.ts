import { assertEquals } from "@std/assert";
import { col, concat, type Expr, lit, printExpr, right, when } from "../../../../ops/expr/expr.ts";
import type { Value } from "../../../../ops/syntax/expr_base.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

const PRINTED: readonly (readonly [built: Expr, text: string])[] = [
  [col("name"), "name"],
  [col("first name"), 'col("first name")'],
  [col(""), 'col("")'],
  [col("class"), 'col("class")'],
  [col("null"), 'col("null")'],
  [col("NaN"), 'col("NaN")'],
  [col('a"b\\'), 'col("a\\"b\\\\")'],
  [lit("a\n\u2028"), '"a\\n\u2028"'],
  [lit(-0), "-0"],
  [lit(12n), "12n"],
  [lit(5).add(lit(-5)), "5 + -5"],
  [lit(5).isNull(), "(5).isNull()"],
  [lit(-5).isNull(), "(-5).isNull()"],
  [col("a").add("b").add("c"), 'a + "b" + "c"'],
  [col("a").add(col("b").add("c")), 'a + (b + "c")'],
  [col("a").add("b").upper(), '(a + "b").upper()'],
  [col("a").or(col("b")).and(col("c")), "(a || b) && c"],
  [col("a").and(col("b")).not(), "!(a && b)"],
  [col("a").not().not(), "!!a"],
  [col("a").not().isNull(), "(!a).isNull()"],
  [col("a").lt(1).eq(col("b")), "a < 1 == b"],
  [col("a").eq(col("b").eq("c")), 'a == (b == "c")'],
  [when(when(col("a"), true, false), 1, 2), "(a ? true : false) ? 1 : 2"],
  [when(col("a"), 1, when(col("b"), 2, 3)), "a ? 1 : b ? 2 : 3"],
  [when(col("a"), 1, 2).add(3), "(a ? 1 : 2) + 3"],
  [col("a").strip(), "a.strip()"],
  [col("a").strip(null), "a.strip()"],
  [col("a").slice(null, 3), "a.slice(null, 3)"],
  [concat("a", col("b")), 'concat("a", b)'],
  [right("größe").le(right("class")), "right.größe <= right.class"],
  [right("first name").upper(), 'right["first name"].upper()'],
];

Deno.test("printExpr() writes what a person would write", async (t) => {
  for (const [built, text] of PRINTED) {
    await t.step(text, () => {
      assertEquals(printExpr(built), text);
      assertEquals(parseExpr(text).node, built.node);
    });
  }
});

Deno.test("every expression is the same after it was printed and parsed", () =>
  forSeeds(2000, (random) => {
    const built = randomExpr(random, 4);
    assertEquals(parseExpr(printExpr(built)).node, built.node);
  }));

function randomExpr(random: SeededRandom, depth: number): Expr {
  const leaf = () =>
    random.pick<() => Expr>([
      () => col(random.pick(["a", "name", "first name", "größe", "if", "π", "x.y", "$1"])),
      () => right(random.pick(["a", "first name", "if", "π", "x.y", "", "NaN"])),
      () => lit(random.pick(["", "text", '"', "\\", "🙂", "\u0000"])),
      () => lit(random.pick([0, -1, 2.5, 1e300, -0, 4294967296, NaN, -Infinity])),
      () => lit(random.pick([0n, -1n, 2n ** 63n])),
      () => lit(random.pick([true, false, null])),
    ])();
  if (depth === 0) return leaf();
  const part = () => randomExpr(random, depth - 1);
  const value = (): Value => part();
  return random.pick<() => Expr>([
    leaf,
    () => part().add(value()),
    () => part().eq(value()),
    () => part().ne(value()),
    () => part().le(value()),
    () => part().gt(value()),
    () => part().and(value()),
    () => part().or(value()),
    () => part().not(),
    () => part().isNull(),
    () => part().fillNull(value()),
    () => part().isIn(["a", -1, null], 2n),
    () => when(value(), value(), value()),
    () => concat(value(), value(), value()),
    () => part().upper(),
    () => part().slice(null, 2, -1),
    () => part().splitPart(" ", -1),
    () => part().replace(" ", col("b")),
    () => part().contains(col("name").lower()),
    () => part().strip(),
  ])();
}
