import { assertEquals } from "@std/assert";
import type { StringOp } from "../../../ops/define_string_op.ts";
import { col, type Expr, lit } from "../../../ops/expr/expr.ts";
import * as stringOps from "../../../ops/string/operations.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";
import { type Argument, ARGUMENTS, randomTexts } from "../../support/random_text.ts";
import { forSeeds } from "../../support/seeded_random.ts";
import { textModel } from "../../support/text_model.ts";

for (const op of Object.values<StringOp>(stringOps)) {
  const { name } = op.spec;
  const argumentsOf = ARGUMENTS[name] ?? (() => []);
  const isRefused = (args: readonly Argument[]) =>
    (name === "splitPart" || name === "replace") && args[0] === "";

  Deno.test(`${name}() with literal arguments agrees with the model, row by row`, async () => {
    await forSeeds(30, (random) => {
      const texts = randomTexts(random, 50);
      const args = argumentsOf(random);
      if (isRefused(args)) return;
      const expr = op(col("text"), ...args);
      assertEquals(evaluateExpr(expr, { text: texts }), modelled(name, texts, () => args));
    });
  });

  if (op.parameters.length > 0) {
    Deno.test(`${name}() with arguments from columns agrees with the model`, async () => {
      await forSeeds(10, (random) => {
        const texts = randomTexts(random, 200);
        const shape = argumentsOf(random);
        const rows = texts.map(() => argumentsOf(random));
        const columns: Record<string, readonly Argument[]> = { text: texts };
        const args = shape.map((first, index): Expr | number | null => {
          // What decides on the row function is a literal: left out, or a step.
          const isLiteral = first === null || (name === "slice" && index === 2);
          if (isLiteral) return first as number | null;
          const column = rows.map((row) => row[index] ?? (typeof first === "string" ? "-" : 1));
          columns[`arg${index}`] = column;
          return col(`arg${index}`);
        });
        const valueOf = (row: number) =>
          args.map((arg, index) =>
            typeof arg === "object" && arg !== null ? columns[`arg${index}`]![row]! : arg
          );
        const actual = evaluateExpr(op(col("text"), ...args), columns);
        assertEquals(actual, modelled(name, texts, valueOf));
      });
    });
  }

  Deno.test(`${name}() of literals is computed before a row is seen`, () => {
    for (const { input, args = [], result } of op.spec.examples ?? []) {
      assertEquals(evaluateExpr(op(lit(input), ...args), {}), [result]);
    }
  });

  Deno.test(`the examples of ${name}() hold`, () => {
    assertEquals((op.spec.examples ?? []).length > 0, true);
    for (const { input, args = [], result } of op.spec.examples ?? []) {
      assertEquals(evaluateExpr(op(col("text"), ...args), { text: [input] }), [result]);
    }
  });
}

function modelled(
  name: string,
  texts: readonly (string | null)[],
  argsOf: (row: number) => readonly Argument[],
) {
  return texts.map((text, row) => text === null ? null : textModel[name]!(text, ...argsOf(row)));
}
