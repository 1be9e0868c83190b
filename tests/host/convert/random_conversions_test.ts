import { assertEquals } from "@std/assert";
import { printExpr } from "../../../ops/expr/print.ts";
import {
  CONVERSION_KINDS,
  randomConversion,
  randomConversionColumns,
} from "../../support/random_conversions.ts";
import { forSeeds } from "../../support/seeded_random.ts";
import { evaluateTyped } from "../../support/typed_exprs.ts";

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
