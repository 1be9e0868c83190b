import { assert, assertEquals, assertThrows } from "@std/assert";
import { Field, Schema, Utf8 } from "apache-arrow";
import { createEngine, expr } from "../../../../../mod.ts";
import { explainKernels } from "../../../../../ops/expr/explain.ts";
import { bindExpr } from "../../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../../ops/expr/compile_exprs.ts";
import { col, printExpr } from "../../../../../ops/expr/expr.ts";
import { assertStrictCases } from "../../../../support/values/strict_cases.ts";
import { compileTyped, evaluateTyped } from "../../../../support/kernels/programs.ts";
import {
  CONVERSION_KINDS,
  randomConversion,
  randomConversionColumns,
} from "../../../../support/random/random_conversions.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import {
  floatOf,
  INTEGER_EDGES,
  ODD_FLOATS,
  ODD_INTEGERS,
  randomFloat,
  randomInteger,
  spelled,
} from "../../../../support/values/number_texts.ts";
import { loadPeer } from "../../../../support/judges/peers.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

Deno.test("a strict conversion is an error that names the call, the text and the row", async () => {
  const engine = createEngine({ device: "cpu" });
  await assertStrictCases(engine);
  await engine.close();
});

Deno.test("without strict nothing is looked at", () => {
  const { program } = compileTyped(expr("x.toInteger()"), { x: [new Utf8(), []] });
  assertEquals(program.outputs.length, 1);
});

Deno.test("explain says which calls of a kernel may fail", () => {
  const schema = new Schema([new Field("age", new Utf8(), true)]);
  const bound = bindExpr(expr("age.toInteger({strict: true}).isNull()"), schema);
  const lines = explainKernels(compileExprs([bound], { names: ["age"] })).split("\n");
  assertEquals(lines.includes("  may fail: toInteger(age)"), true);
  assertEquals(lines.some((line) => line.startsWith("kernel 2")), false);
});

Deno.test("strict must be true or false", () => {
  assertThrows(
    () => expr("x.toInteger({strict: 1})"),
    Error,
    "toInteger(): strict must be true or false",
  );
});

Deno.test("trees of conversions give fused what they give operation by operation", () =>
  forSeeds(fewOr(20, 60), (random) => {
    const columns = randomConversionColumns(random, random.pick([0, 1, 9, 40]));
    const expr = randomConversion(random, random.pick(CONVERSION_KINDS), 1 + random.below(4));
    assertEquals(
      evaluateTyped(expr, columns, true),
      evaluateTyped(expr, columns, false),
      printExpr(expr),
    );
  }));

const x = col("x");

/** The casts of Polars as text, null where they fail. */
async function castByPolars(texts: readonly string[], to: "Int64" | "Float64"): Promise<string[]> {
  const { default: pl } = await loadPeer("polars");
  return pl.Series("x", texts, pl.Utf8).cast(pl[to], false).toArray().map(String);
}

Deno.test("toInteger() agrees with the cast of Polars wherever both take a text", () =>
  forSeeds(fewOr(1, 2), async (random) => {
    const texts = [
      ...INTEGER_EDGES.map(String),
      ...ODD_INTEGERS,
      ...Array.from({ length: 300 }, () => randomInteger(random)),
    ];
    const theirs = await castByPolars(texts, "Int64");
    const ours = evaluateTyped(x.toInteger(), { x: [new Utf8(), texts] });
    let numBoth = 0;
    ours.forEach((value, row) => {
      if (value === null || theirs[row] === "null") return;
      // Its JavaScript side gives numbers, exact up to 2^53.
      assertEquals(Number(value), Number(theirs[row]), texts[row]);
      numBoth++;
    });
    assert(numBoth > 100, String(numBoth));
  }));

Deno.test("toFloat() agrees with the cast of Polars wherever both take a text", () =>
  forSeeds(fewOr(1, 2), async (random) => {
    const texts = [
      ...ODD_FLOATS,
      ...Array.from({ length: 500 }, () => spelled(random, randomFloat(random))),
    ];
    const theirs = await castByPolars(texts, "Float64");
    let numBoth = 0;
    texts.forEach((text, row) => {
      const value = floatOf(text);
      if (value === null || theirs[row] === "null") return;
      assert(Object.is(value + 0, Number(theirs[row]) + 0), `${text}: ${theirs[row]}`);
      numBoth++;
    });
    assertEquals(evaluateTyped(x.toFloat(), { x: [new Utf8(), texts] }), texts.map(floatOf));
    assert(numBoth > 300, String(numBoth));
  }));
