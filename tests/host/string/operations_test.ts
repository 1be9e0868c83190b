import { assertEquals } from "@std/assert";
import type { StringOp } from "../../../ops/string/define_string_op.ts";
import { col } from "../../../ops/expr/expr.ts";
import { printExpr } from "../../../ops/expr/print.ts";
import { substituteColumns } from "../../../ops/expr/rewrite.ts";
import * as stringOps from "../../../ops/string/operations.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";
import {
  columnCall,
  isConversion,
  literalCall,
  type OperationCall,
  takesColumns,
} from "../../support/operation_calls.ts";
import { randomTexts } from "../../support/random_text.ts";
import { forSeeds } from "../../support/seeded_random.ts";

for (const op of Object.values<StringOp>(stringOps)) {
  const { name } = op.spec;
  if (isConversion(op)) continue;

  Deno.test(`${name}() with literal arguments agrees with the model, row by row`, async () => {
    await forSeeds(30, (random) => {
      const texts = randomTexts(random, 50);
      assertCall(texts, literalCall(random, op, texts));
    });
  });

  Deno.test(`${name}() of text that is still being written agrees with the model`, async () => {
    await forSeeds(30, (random) => {
      const texts = randomTexts(random, 50);
      const call = literalCall(random, op, texts);
      const parts = texts.map((text) => {
        const characters = [...text ?? ""];
        const at = random.below(characters.length + 1);
        return [characters.slice(0, at).join(""), characters.slice(at).join("")] as const;
      });
      const head = texts.map((text, row) => text === null ? null : parts[row]![0]);
      const columns = { head, tail: parts.map(([, tail]) => tail), ...call.columns };
      const written = col("head").add(col("tail"));
      for (const [index, read] of call.exprs.entries()) {
        const expr = substituteColumns(read, new Map([["text", written]]));
        assertEquals(evaluateExpr(expr, columns), call.expected[index], printExpr(expr));
      }
    });
  });

  if (takesColumns(op)) {
    Deno.test(`${name}() with arguments from columns agrees with the model`, async () => {
      await forSeeds(10, (random) => {
        const texts = randomTexts(random, 200);
        assertCall(texts, columnCall(random, op, texts));
      });
    });
  }
}

function assertCall(texts: readonly (string | null)[], call: OperationCall): void {
  const columns = { text: texts, ...call.columns };
  for (const [index, expr] of call.exprs.entries()) {
    assertEquals(evaluateExpr(expr, columns), call.expected[index], printExpr(expr));
  }
}
