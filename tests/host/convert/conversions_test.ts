import { assertEquals, assertThrows } from "@std/assert";
import { Field, Schema, Utf8 } from "apache-arrow";
import { createEngine, expr } from "../../../mod.ts";
import { explainKernels } from "../../../ops/expr/explain.ts";
import { bindExpr } from "../../../ops/expr/bind.ts";
import { compileExprs } from "../../../ops/expr/compile_exprs.ts";
import { assertStrictCases } from "../../support/strict_cases.ts";
import { compileTyped, evaluateTyped } from "../../support/typed_exprs.ts";
import { printExpr } from "../../../ops/expr/print.ts";
import {
  CONVERSION_KINDS,
  randomConversion,
  randomConversionColumns,
} from "../../support/random_conversions.ts";
import { forSeeds } from "../../support/seeded_random.ts";

Deno.test("a strict conversion is an error that names the call, the text and the row", async () => {
  const engine = createEngine({ device: "cpu" });
  await assertStrictCases(engine);
  await engine.close();
});

Deno.test("without strict nothing is looked at", () => {
  const { program } = compileTyped(expr("x.toInteger()"), { x: [new Utf8(), []] });
  assertEquals(program.outputs.length, 1);
});

Deno.test("explain says which kernels are looked at for errors", () => {
  const schema = new Schema([new Field("age", new Utf8(), true)]);
  const bound = bindExpr(expr("age.toInteger({strict: true})"), schema);
  const lines = explainKernels(compileExprs([bound], { names: ["age"] })).split("\n");
  assertEquals(lines.at(-1), "looked at for errors: kernel 2");
  assertEquals(lines.includes("kernel 2: whether toInteger(age) refuses"), true);
});

Deno.test("strict must be true or false", () => {
  assertThrows(
    () => expr("x.toInteger({strict: 1})"),
    Error,
    "toInteger(): strict must be true or false",
  );
});

Deno.test("trees of conversions give fused what they give operation by operation", () =>
  forSeeds(60, (random) => {
    const columns = randomConversionColumns(random, random.pick([0, 1, 9, 40]));
    const expr = randomConversion(random, random.pick(CONVERSION_KINDS), 1 + random.below(4));
    assertEquals(
      evaluateTyped(expr, columns, true),
      evaluateTyped(expr, columns, false),
      printExpr(expr),
    );
  }));
