/**
 * Every string operation on a device, against the model.
 */

import { assertEquals } from "@std/assert";
import { Field, Int32, Schema, Utf8 } from "apache-arrow";
import type { StringOp } from "../../ops/define_string_op.ts";
import { bindExpr } from "../../ops/expr/bind.ts";
import { compileExprs } from "../../ops/expr/fuse.ts";
import { printExpr } from "../../ops/expr/print.ts";
import * as stringOps from "../../ops/string/operations.ts";
import { deviceTest } from "../support/adapter.ts";
import { evaluateToHost, withDevice } from "../support/device_kernels.ts";
import { columnOf, stringColumn, valuesOf } from "../support/host_columns.ts";
import {
  columnCall,
  isConversion,
  literalCall,
  type OperationCall,
} from "../support/operation_calls.ts";
import { randomTexts } from "../support/random_text.ts";
import { forSeeds } from "../support/seeded_random.ts";
import type { WebGpuContext } from "../../gpu/webgpu/context.ts";

const ops = Object.values<StringOp>(stringOps).filter((op) => !isConversion(op));

deviceTest("string operations with literal arguments agree with the model", async () => {
  await withDevice(async (context) => {
    await forSeeds(1, async (random) => {
      const texts = randomTexts(random, 70);
      await assertCalls(context, texts, ops.map((op) => literalCall(random, op, texts)));
    });
  });
});

deviceTest("string operations with arguments from columns agree with the model", async () => {
  await withDevice(async (context) => {
    await forSeeds(1, async (random) => {
      const texts = randomTexts(random, 70);
      await assertCalls(context, texts, ops.map((op) => columnCall(random, op, texts)));
    });
  });
});

/** Computes all calls in one program. */
async function assertCalls(
  context: WebGpuContext,
  texts: readonly (string | null)[],
  drawn: readonly (OperationCall | undefined)[],
): Promise<void> {
  const calls = drawn.filter((call) => call !== undefined);
  const columns = Object.assign({ text: texts }, ...calls.map(({ columns }) => columns));
  const names = Object.keys(columns);
  const isNumber = (name: string) => typeof columns[name].find(Boolean) === "number";
  const schema = new Schema(
    names.map((name) => new Field(name, isNumber(name) ? new Int32() : new Utf8(), true)),
  );
  const bound = calls.map(({ expr }) => bindExpr(expr, schema));
  const { program, inputs } = compileExprs(bound, { names });
  const columnNamed = (name: string) =>
    isNumber(name)
      ? columnOf({ kind: "int", bits: 32, signed: true }, columns[name])
      : stringColumn(columns[name]);
  const hostColumns = inputs.map((index) => columnNamed(names[index]!));
  const results = await evaluateToHost(context, program, hostColumns, texts.length);
  for (const [index, { expr, expected }] of calls.entries()) {
    assertEquals(valuesOf(results[index]!), expected, printExpr(expr));
  }
}
