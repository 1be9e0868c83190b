/** Every string operation on a device, against the model. */

import { assertEquals } from "@std/assert";
import { Field, Schema, tableFromArrays } from "apache-arrow";
import * as stringOps from "../../../../ops/string/operations.ts";
import type { StringOp } from "../../../../ops/string/define/define_string_op.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { lenientProgram } from "../../../support/kernels/programs.ts";
import { printExpr } from "../../../../ops/expr/expr.ts";
import type { WebGpuContext } from "../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import {
  col,
  createEngine,
  describeOperations,
  fromBatches,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { contextTest, evaluateToHost } from "../../../support/device/device_kernels.ts";
import {
  plainColumn,
  type PlainColumns,
  plainTypeOf,
} from "../../../support/expressions/evaluate_expr.ts";
import { valuesOf } from "../../../support/values/host_columns.ts";
import {
  columnCall,
  isConversion,
  literalCall,
  type OperationCall,
  takesColumns,
} from "../../../support/expressions/operation_calls.ts";
import { LINE_TEXTS, lineCalls } from "../../../support/values/line_end_calls.ts";
import { randomTexts } from "../../../support/random/random_text.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { checkOverColumns } from "../../../support/expressions/operation_examples.ts";
import { closing } from "../../../support/running/closing.ts";
import { someOf } from "../../../support/random/test_size.ts";

const ops = Object.values<StringOp>(stringOps)
  .filter((op) => !isConversion(op) && op.spec.group !== "choose");

contextTest("string operations with literal arguments agree with the model", async (context) => {
  await forSeeds(1, async (random) => {
    const texts = randomTexts(random, 70);
    await assertCalls(context, texts, someOf(ops, 8).map((op) => literalCall(random, op, texts)));
  });
});

contextTest(
  "string operations with arguments from columns agree with the model",
  async (context) => {
    await forSeeds(1, async (random) => {
      const texts = randomTexts(random, 70);
      const calls = someOf(ops.filter(takesColumns), 5).map((op) => columnCall(random, op, texts));
      await assertCalls(context, texts, calls);
    });
  },
);

/** Computes all calls in one program. */
async function assertCalls(
  context: WebGpuContext,
  texts: readonly (string | null)[],
  calls: readonly OperationCall[],
): Promise<void> {
  const columns: PlainColumns = Object.assign(
    { text: texts },
    ...calls.map(({ columns }) => columns),
  );
  const names = Object.keys(columns);
  const schema = new Schema(
    names.map((name) => new Field(name, plainTypeOf(columns[name]!), true)),
  );
  const exprs = calls.flatMap(({ exprs }) => exprs);
  const expected = calls.flatMap(({ expected }) => expected);
  const compiled = compileExprs(exprs.map((expr) => bindExpr(expr, schema)), { names });
  const program = lenientProgram(compiled);
  const hostColumns = compiled.inputs.map((index) => plainColumn(columns[names[index]!]!));
  const results = await evaluateToHost(context, program, hostColumns, texts.length);
  for (const [index, expr] of exprs.entries()) {
    assertEquals(valuesOf(results[index]!), expected[index], printExpr(expr));
  }
}

contextTest("the ends of lines are those of JavaScript in every operation", async (context) => {
  const texts = LINE_TEXTS.filter((_, index) => index % 3 === 0);
  for (const [pattern, flags] of [["^.*$", "m"], ["a$", "ms"]] as const) {
    const calls = lineCalls(pattern, flags).map(({ expr, wanted }) => ({
      exprs: [expr],
      columns: {},
      expected: [texts.map(wanted)],
    }));
    await assertCalls(context, texts, calls);
  }
});

deviceTest("the examples of operations hold on the device", async () => {
  await using engine = closing(createEngine({ device: "gpu" }));
  for (const { examples } of someOf(describeOperations(), 8)) {
    for (const example of examples) await checkOverColumns(example, engine);
  }
});

deviceTest("patterns that read on behind a match find what JavaScript's find", async () => {
  await using engine = closing(createEngine({ device: "gpu" }));
  const texts = [
    "ab".repeat(700) + ".",
    "",
    "a".repeat(1_000) + "b" + "ab".repeat(300) + "c" + "ab".repeat(100),
    "é".repeat(400) + "ab",
  ];
  const count = col("text").countRe("(?:é{3})*b|[éa]");
  const marked = col("text").replaceRe("(?:ab)*c|a", "[$&]");
  const result = await toTable(
    fromBatches(tableFromArrays({ text: texts }), { engine })
      .pipeThrough(withColumns({ count, marked })),
  );
  assertEquals(
    result.toArray().map(({ count, marked }) => [count, marked]),
    texts.map((text) => [
      text.match(/(?:é{3})*b|[éa]/g)?.length ?? 0,
      text.replaceAll(/(?:ab)*c|a/g, "[$&]"),
    ]),
  );
});
