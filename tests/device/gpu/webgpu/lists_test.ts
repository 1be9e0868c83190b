/** Lists on a device: made and read there, in one window and in many, filtered and joined. */

import { assertEquals } from "@std/assert";
import {
  type Column,
  type ColumnType,
  type HostColumn,
  releaseColumn,
} from "../../../../gpu/column/column.ts";
import { evaluateOnHost } from "../../../../gpu/host/evaluate.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import type { Program } from "../../../../gpu/kernel/tree/tree.ts";
import type { WebGpuContext } from "../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { WebGpuColumn } from "../../../../gpu/webgpu/memory/device_column.ts";
import { downloadColumns } from "../../../../gpu/webgpu/transfer/download.ts";
import { evaluateOnDevice } from "../../../../gpu/webgpu/evaluate/evaluate.ts";
import { col, type Expr } from "../../../../ops/expr/expr.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { plainOf, randomColumn } from "../../../support/models/column_model.ts";
import { contextTest, evaluateToHost, withDevice } from "../../../support/device/device_kernels.ts";
import { columnOf, stringColumn, valuesOf } from "../../../support/values/host_columns.ts";
import { listModel } from "../../../support/models/list_model.ts";
import {
  backward,
  before,
  callOfSpec,
  copyTwice,
  found,
  LIST,
  positions,
  size,
  spread,
} from "../../../support/kernels/list_functions.ts";
import { randomTexts } from "../../../support/random/random_text.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { column, INT32, isNull, literal } from "../../../support/kernels/trees.ts";
import { testKernels } from "../../../support/kernels/test_kernels.ts";
import { fewOr } from "../../../support/random/test_size.ts";
import { compileOver, listCases, programOf, randomLists } from "../../../support/cases/lists.ts";
import { onDevice } from "../../../support/cases/on_device.ts";

/** Runs a program on the device, all of it, and checks that the host gives the same. */
async function compareWithHost(
  context: WebGpuContext,
  program: Program,
  inputs: readonly HostColumn[],
): Promise<HostColumn[]> {
  const { length } = inputs[0]!;
  const { columns } = await evaluateOnDevice(context, program, inputs, length);
  // What a kernel of the host made would lie there.
  assertEquals(columns.map(({ place }) => place), columns.map(() => "device"));
  const results = await downloadColumns(context, columns);
  columns.forEach(releaseColumn);
  const { columns: expected } = evaluateOnHost(program, inputs, length, testKernels());
  results.forEach((result, k) => assertSameBytes(result, expected[k]!));
  return results;
}

/** Compares values, and what lies below the nulls. */
function assertSameBytes(actual: HostColumn, expected: HostColumn): void {
  assertEquals(actual.type, expected.type);
  assertEquals(valuesOf(actual), valuesOf(expected));
  assertEquals(actual.offsets, expected.offsets);
  assertEquals(actual.data, expected.data);
  actual.children.forEach((child, k) => assertSameBytes(child, expected.children[k]!));
}

listCases(onDevice());

for (const windowBytes of [undefined, 16_384]) {
  const place = windowBytes === undefined ? "one window" : "many windows";
  const options = windowBytes === undefined ? {} : { windowBytes };

  contextTest(
    `row functions make lists on the device as on the host, in ${place}`,
    async (context) => {
      await forSeeds(fewOr(1, 4), async (random) => {
        const texts = randomTexts(random, random.pick([1, 255, 256, 257, 700])).map((text) =>
          text !== null && random.chance(0.1) ? `${text}${random.pick(["!", "?"])}` : text
        );
        const targets = texts.map(() => random.pick(["a", "b", "aa", "-", ""]));
        const inputs = [stringColumn(texts), stringColumn(targets)];
        const made = callOfSpec(spread, column(0));
        const numbers = callOfSpec(positions, column(0), column(1));
        const trees = [
          made,
          callOfSpec(backward, column(0)),
          numbers,
          isNull(made),
          callOfSpec(size, numbers),
          callOfSpec(size, callOfSpec(backward, column(1))),
          callOfSpec(found, callOfSpec(backward, column(0)), column(1)),
        ];
        await compareWithHost(context, programOf(trees, inputs), inputs);
      });
    },
    options,
  );

  contextTest(
    `row functions read lists on the device as on the host, in ${place}`,
    async (context) => {
      await forSeeds(fewOr(1, 4), async (random) => {
        const length = random.pick([1, 255, 256, 257, 700]);
        const start = random.below(9);
        const lists = columnOf(LIST, randomLists(random, length + start));
        const inputs = [
          sliceColumn(lists, start, start + length),
          columnOf(INT32, Array.from({ length }, () => random.below(8) - 2)),
        ];
        const list = column(0, LIST);
        const trees = [
          callOfSpec(size, list),
          callOfSpec(before, list, column(1, INT32)),
          callOfSpec(found, list, literal(random.pick(["a", "-", "é"]))),
          isNull(list),
        ];
        await compareWithHost(context, programOf(trees, inputs), inputs);
      });
    },
    options,
  );

  contextTest(`the operations make and read lists on the device, in ${place}`, async (context) => {
    await forSeeds(fewOr(1, 2), async (random) => {
      const text = randomTexts(random, 300);
      const list = randomLists(random, 300);
      const columns = {
        text: stringColumn(text),
        delimiter: stringColumn(text.map(() => random.pick(["a", "-", "é", ""]))),
        list: columnOf(LIST, list),
        at: columnOf(INT32, text.map(() => random.pick([0, 1, 2, -1, -2, -9, 0x7fffffff]))),
      };
      const { program, inputs } = compileOver(columns, [
        col("text").split("-"),
        col("text").rsplit(col("delimiter"), 2),
        col("text").rsplit(),
        col("text").findAll(/[a-c]+|é/),
        col("text").splitRe(/ *-|a/),
        col("text").ngrams(2),
        col("text").minhash(3, 2),
        col("list").get(col("at")),
        col("list").length(),
        col("list").join(col("delimiter")),
        col("list").join("+", "null"),
        col("text").split(col("delimiter")).get(-1).upper(),
      ]);
      const results = await compareWithHost(context, program, inputs);
      const expected = text.map((text) => text === null ? null : listModel.rsplit(text));
      assertEquals(valuesOf(results[2]!), expected);
    });
  }, options);

  deviceTest(`lists come back from the device as they went, in ${place}`, async () => {
    const items: ColumnType[] = [
      { kind: "string" },
      { kind: "int", bits: 32, signed: false },
      { kind: "int", bits: 8, signed: true },
      { kind: "float", bits: 64 },
      { kind: "fixed", byteWidth: 3 },
    ];
    await withDevice(async (context) => {
      await forSeeds(fewOr(1, 3), async (random) => {
        const length = random.pick([0, 1, 33, 257]);
        const columns = items.map((item) => randomColumn(random, { kind: "list", item }, length));
        // An input that a kernel reads comes back as its column on the device.
        const lists = columns.map(({ type }, k) => column(k, type));
        const program = programOf(lists.map((list) => callOfSpec(size, list)), columns);
        const outputs = [...program.outputs, ...columns.keys()];
        const { columns: made } = await evaluateOnDevice(
          context,
          { ...program, outputs },
          columns,
          length,
        );
        const there = made.slice(columns.length).map(withoutHost);
        const results = await downloadColumns(context, there);
        made.forEach(releaseColumn);
        results.forEach((result, k) => assertEquals(plainOf(result), plainOf(columns[k]!)));
      });
    }, options);
  });
}

/** The same column, which does not remember where it came from. */
function withoutHost(column: Column): Column {
  if (!(column instanceof WebGpuColumn)) return column;
  const { host: _, ...parts } = column;
  return new WebGpuColumn({ ...parts, ascii: column.ascii, isUtf8: column.isUtf8 });
}

contextTest(
  "a list of texts takes 4 dispatches, one of numbers 3, and all wait once",
  async (context) => {
    const texts = Array.from({ length: 2000 }, (_, row) => "a-b".repeat(row % 9));
    const { counters } = context.device;
    const columns = { text: stringColumn(texts) };
    const run = (...exprs: Expr[]) => {
      const { program, inputs } = compileOver(columns, exprs);
      return evaluateToHost(context, program, inputs, texts.length);
    };
    const [parts] = await run(col("text").upper().split("-"));
    assertEquals(valuesOf(parts!), texts.map((text) => text.toUpperCase().split("-")));
    assertEquals([counters.dispatches, counters.readbacks], [4 + 1, 1]);
    await run(col("text").minhash(2));
    assertEquals([counters.dispatches, counters.readbacks], [5 + 3, 2]);
    await run(col("text").split("-"), col("text").minhash(2), col("text").reverse());
    assertEquals([counters.dispatches, counters.readbacks], [8 + 10, 3]);
  },
);

contextTest("long items are copied by the workgroup, backward too", async (context) => {
  const texts = Array.from(
    { length: 300 },
    (_, row) => Array.from({ length: row % 4 }, (_, k) => "xyz".repeat(row * (k + 1))).join("a"),
  );
  const inputs = [stringColumn(texts)];
  const copies = [
    callOfSpec({ ...copyTwice, backward: true }, column(0)),
    callOfSpec(copyTwice, column(0)),
  ];
  await compareWithHost(context, programOf(copies, inputs), inputs);
});

contextTest("a list that is too large for a window is made on the host", async (context) => {
  const texts = ["a-b", null, "-".repeat(900), "c"];
  const columns = { text: stringColumn(texts) };
  const { program, inputs } = compileOver(columns, [col("text").split("-"), col("text").upper()]);
  const [parts] = await evaluateToHost(context, program, inputs, texts.length);
  assertEquals(valuesOf(parts!), texts.map((text) => text?.split("-") ?? null));
}, { windowBytes: 2048 });
