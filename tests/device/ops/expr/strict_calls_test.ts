import { assertEquals, assertRejects } from "@std/assert";
import { Int64, makeVector, Table, Utf8, vectorFromArray } from "apache-arrow";
import { releaseColumn } from "../../../../gpu/column/column.ts";
import type { WebGpuContext } from "../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { evaluateOnDevice } from "../../../../gpu/webgpu/evaluate/evaluate.ts";
import { downloadColumns } from "../../../../gpu/webgpu/transfer/download.ts";
import { columnTypeOf } from "../../../../ops/batch/arrow_types.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { expr } from "../../../../ops/expr/parse.ts";
import {
  createEngine,
  filter,
  fromBatches,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { contextTest, withDevice } from "../../../support/device/device_kernels.ts";
import { takeForHardware } from "../../../support/device/hardware.ts";
import { refusedRows } from "../../../support/kernels/refused_rows.ts";
import {
  randomStrict,
  STRICT_SCHEMA,
  strictColumns,
} from "../../../support/random/random_strict.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";
import { closing } from "../../../support/running/closing.ts";
import { columnOf, valuesOf } from "../../../support/values/host_columns.ts";

const LARGE = 2n ** 62n;

/** Runs random expressions on a device, which must give up exactly where a strict call refuses a row. */
function tryStrictCalls(context: WebGpuContext): Promise<void> {
  const draws = new Draws(["refused", "not refused"]);
  return forSeeds(fewOr(5, 100), async (random) => {
    const numRows = random.pick([1, 1, 2, 70, 300]);
    const columns = strictColumns(random, numRows);
    const texts = Array.from({ length: 2 }, () => randomStrict(random, 1 + random.below(3)));
    const what = texts.join(", ");
    const bound = texts.map((text) => bindExpr(expr(text), STRICT_SCHEMA));
    const names = STRICT_SCHEMA.fields.map(({ name }) => name);
    const compiled = compileExprs(bound, { fuse: random.chance(0.7), names });
    const { program } = compiled;
    const operands = compiled.inputs.map((index) => columns[index]!);
    const { columns: wanted, refused } = refusedRows(compiled, operands, numRows, what);
    draws.add(refused.length > 0 ? "refused" : "not refused");
    const run = () => evaluateOnDevice(context, program, operands, numRows);
    if (refused.length > 0) {
      assertEquals((await assertRejects(run, Error)).name, "RefusedError", what);
      return;
    }
    const { columns: results } = await run();
    const found = await downloadColumns(context, results);
    assertEquals(found.map(valuesOf), wanted.map(valuesOf), what);
    // It gives up nothing else.
    const isForHost = program.kernels.some(({ hostOnly }) => hostOnly !== undefined);
    for (const [k, { place }] of results.entries()) {
      const isComputed = program.outputs[k]! >= operands.length;
      if (isComputed && !isForHost) assertEquals(place, "device", what);
    }
    results.forEach(releaseColumn);
  }, draws);
}

contextTest("a device gives up exactly where a strict call refuses a row", tryStrictCalls);

deviceTest("hardware does, which is trusted with loops and with short texts", async () => {
  const giveBack = takeForHardware("hardware");
  try {
    await withDevice(async (context) => {
      await tryStrictCalls(context);
      const names = STRICT_SCHEMA.fields.map(({ name }) => name);
      const rows = [[1n, LARGE], [3n, 4n], [true, false], ["yes", "no"]];
      const columns = rows.map((values, index) =>
        columnOf(columnTypeOf(STRICT_SCHEMA.fields[index]!.type), values)
      );
      const texts = { 'a + 1 > 5 ? s : "none"': false, 'a * a > 5 ? s : "none"': true };
      for (const [text, isRefused] of Object.entries(texts)) {
        const compiled = compileExprs([bindExpr(expr(text), STRICT_SCHEMA)], { names });
        const operands = compiled.inputs.map((index) => columns[index]!);
        const run = () => evaluateOnDevice(context, compiled.program, operands, 2);
        if (isRefused) {
          assertEquals((await assertRejects(run, Error)).name, "RefusedError");
        } else {
          const { columns: [result] } = await run();
          assertEquals(valuesOf((await downloadColumns(context, [result!]))[0]!), ["none", "no"]);
          releaseColumn(result!);
        }
      }
    });
  } finally {
    giveBack();
  }
});

deviceTest(
  "a call on a device fails with the row and the operands that the host names",
  async () => {
    await using engine = closing(createEngine({ device: "gpu" }));
    const values = BigInt64Array.from({ length: 3000 }, (_, row) => BigInt(row % 1000));
    for (const row of [0, 255, 256, 2999]) {
      const own = values.slice();
      own[row] = LARGE;
      own[2999] = LARGE;
      // Texts of many bytes have a workgroup each.
      const texts = Array.from(
        own,
        (value, index) => index === 7 ? "7".padStart(9000) : `${value}`,
      );
      const table = new Table({ a: makeVector(own), s: vectorFromArray(texts, new Utf8()) });
      const wanted = `a * a does not fit in int64: ${LARGE} * ${LARGE} (row ${row})`;
      const start = fromBatches(table, { engine });
      for (
        const stream of [
          start.pipeThrough(withColumns({ b: expr("a * a") })),
          fromBatches(table, { engine }).pipeThrough(
            withColumns({ b: expr("(a * a).toString() + s") }),
          ),
          fromBatches(table, { engine }).pipeThrough(
            withColumns({ b: expr('s.strip().startsWith("x") ? 0 : a * a') }),
          ),
          fromBatches(table, { engine }).pipeThrough(filter(expr("a > 5000 && a * a > 5"))),
        ]
      ) {
        await assertRejects(() => toTable(stream), StepError, wanted);
      }
    }
  },
);

deviceTest("a call that no row refuses stays on the device", async () => {
  await using engine = closing(createEngine({ device: "gpu" }));
  const table = new Table({
    a: vectorFromArray([1n, 2n, null, 4n], new Int64()),
    s: vectorFromArray(["5", "6", "7", null], new Utf8()),
  });
  const result = await toTable(
    fromBatches(table, { engine }).pipeThrough(
      withColumns({
        b: expr("a * a"),
        c: expr('s.cast("int64") + 1'),
        d: expr("(a * 2).toString()"),
      }),
    ),
  );
  assertEquals(result.toArray().map(({ b, c, d }) => [b, c, d]), [
    [1n, 6n, "2"],
    [4n, 7n, "4"],
    [null, 8n, null],
    [16n, null, "8"],
  ]);
});
