/** Lists on a device: made and read there, in one window and in many, filtered and joined. */

import { assertEquals, assertRejects } from "@std/assert";
import { Field, Int32, List, Schema, Utf8 } from "apache-arrow";
import {
  type Column,
  type ColumnType,
  type HostColumn,
  releaseColumn,
} from "../../../../gpu/column/column.ts";
import { Utf8Error } from "../../../../base/errors/value_error.ts";
import { evaluateOnHost } from "../../../../gpu/host/evaluate.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import { partitionIntoKernels } from "../../../../gpu/kernel/partition/partition.ts";
import type { Program, Tree } from "../../../../gpu/kernel/tree/tree.ts";
import { buildTableOnDevice } from "../../../../gpu/webgpu/join/join_table.ts";
import type { WebGpuContext } from "../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { WebGpuColumn } from "../../../../gpu/webgpu/memory/device_column.ts";
import { downloadColumns } from "../../../../gpu/webgpu/transfer/download.ts";
import { evaluateOnDevice } from "../../../../gpu/webgpu/evaluate/evaluate.ts";
import { filterOnDevice } from "../../../../gpu/webgpu/gather/filter.ts";
import { probeOnDevice } from "../../../../gpu/webgpu/join/probe.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { col, type Expr } from "../../../../ops/expr/expr.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { plainOf, randomColumn } from "../../../support/models/column_model.ts";
import { contextTest, evaluateToHost, withDevice } from "../../../support/device/device_kernels.ts";
import {
  columnOf,
  stringColumn,
  type Value,
  valuesOf,
} from "../../../support/values/host_columns.ts";
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
import { randomText, randomTexts } from "../../../support/random/random_text.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { column, INT32, isNull, literal } from "../../../support/kernels/trees.ts";
import { testKernels } from "../../../support/kernels/test_kernels.ts";
import { atMost, tableRequest } from "../../../support/joins/table_request.ts";
import { fewOr } from "../../../support/random/test_size.ts";

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

function programOf(trees: readonly Tree[], inputs: readonly HostColumn[]): Program {
  const outputs = trees.map((tree, k) => ({ label: `result ${k}`, tree }));
  return partitionIntoKernels(inputs.map(({ type }) => type), outputs);
}

function compileOver(columns: Readonly<Record<string, HostColumn>>, exprs: readonly Expr[]) {
  const names = Object.keys(columns);
  const types = {
    string: new Utf8(),
    int: new Int32(),
    list: new List(new Field("item", new Utf8())),
  };
  const schema = new Schema(
    names.map((name) =>
      new Field(name, types[columns[name]!.type.kind as keyof typeof types], true)
    ),
  );
  const { program, inputs } = compileExprs(exprs.map((expr) => bindExpr(expr, schema)), { names });
  return { program, inputs: inputs.map((index) => columns[names[index]!]!) };
}

function randomLists(random: SeededRandom, length: number): Value[] {
  const isAscii = random.chance(0.5);
  const text = () => {
    const drawn = randomText(random, 4);
    return isAscii ? drawn.replace(/[^\0-\x7f]/gu, "b") : drawn;
  };
  const list = () =>
    Array.from({ length: random.below(6) }, () => random.chance(0.2) ? null : text());
  return Array.from({ length }, () => random.chance(0.1) ? null : list());
}

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

contextTest(
  "an item that is not UTF-8 is an error with its row, where it is read",
  async (context) => {
    const good = columnOf(LIST, [[], ["a"], ["b", "c"]]);
    const [texts] = good.children as [HostColumn];
    const items = { ...texts, data: texts.data.slice() };
    items.data[Number(texts.offsets![Number(good.offsets![2]) + 1])] = 0xff;
    const lists = { ...good, children: [items] };
    const program = (tree: Tree) => programOf([tree], [lists]);
    const sizes = program(callOfSpec(size, column(0, LIST)));
    const [counted] = await evaluateToHost(context, sizes, [lists], 3);
    assertEquals(valuesOf(counted!), [0, 1, 2]);
    const reads = program(callOfSpec(found, column(0, LIST), literal("a")));
    const error = await assertRejects(() => evaluateToHost(context, reads, [lists], 3), Utf8Error);
    assertEquals(error.row, 2);
  },
);

contextTest("lists of lists are read on the host", async (context) => {
  const type: ColumnType = { kind: "list", item: LIST };
  await forSeeds(1, async (random) => {
    const lists = randomColumn(random, type, 50);
    const program = programOf([callOfSpec(size, column(0, type)), isNull(column(0, type))], [
      lists,
    ]);
    assertEquals(program.kernels[0]!.hostOnly, "it reads lists of lists");
    const [sizes, nulls] = await evaluateToHost(context, program, [lists], 50);
    const expected = plainOf(lists) as (unknown[] | null)[];
    assertEquals(valuesOf(sizes!), expected.map((list) => list?.length ?? null));
    assertEquals(valuesOf(nulls!), expected.map((list) => list === null));
    assertEquals(context.device.counters.uploads, 0);
  });
});

contextTest("a filter takes lists that were made on the device", async (context) => {
  const texts = Array.from(
    { length: 500 },
    (_, row) => row % 7 === 3 ? null : "a-é".repeat(row % 5),
  );
  const columns = { text: stringColumn(texts) };
  const { program, inputs } = compileOver(columns, [
    col("text").split("-"),
    col("text").contains("é"),
    col("text").upper(),
  ]);
  const { columns: made } = await evaluateOnDevice(context, program, inputs, texts.length);
  const [lists, mask, upper] = made;
  const kept = await filterOnDevice(context, [lists!, upper!, lists!], mask!, texts.length);
  const results = await downloadColumns(context, kept.columns);
  [...made, ...kept.columns].forEach(releaseColumn);
  const expected = texts.filter((text) => text?.includes("é")).map((text) => text!.split("-"));
  assertEquals(results.map(valuesOf), [
    expected,
    expected.map((parts) => parts.join("-").toUpperCase()),
    expected,
  ]);
});

for (const how of ["inner", "left"] as const) {
  contextTest(`a join gathers lists of both sides on the device: ${how}`, async (context) => {
    await forSeeds(fewOr(1, 4), async (random) => {
      const numRows = 1 + random.below(600);
      const keys = Array.from({ length: numRows }, () => random.below(12));
      const texts = keys.map((key) => "a-é".repeat(key % 5));
      const columns = { text: stringColumn(texts), key: columnOf(INT32, keys) };
      const { program, inputs } = compileOver(columns, [
        col("text").split("-"),
        col("text").minhash(2, 1),
      ]);
      const { columns: made } = await evaluateOnDevice(context, program, inputs, numRows);
      const hashes = valuesOf((await downloadColumns(context, made))[1]!);
      // Some keys twice, so that there are more pairs than rows.
      const most = random.pick([6, 20]);
      const build = Array.from({ length: 9 }, () => random.below(most));
      const payload = randomLists(random, build.length);
      const table = await buildTableOnDevice(
        context,
        tableRequest(
          columnOf(INT32, build),
          { kind: "int", bits: 32 },
          [columnOf(LIST, payload)],
          how,
        ),
      );
      const maxRows = random.pick([1e6, 97]);
      const request = { key: columns.key, columns: made, numRows, limits: atMost(maxRows) };
      const rows: Value[][] = [];
      for await (const { columns } of probeOnDevice(context, table!, request)) {
        for (const { place, length } of columns) {
          assertEquals(length > 0 ? place : "device", "device");
        }
        const results = (await downloadColumns(context, columns)).map(valuesOf);
        results[0]!.forEach((_, row) => rows.push(results.map((values) => values[row]!)));
        columns.forEach(releaseColumn);
      }
      made.forEach(releaseColumn);
      table!.release();
      const expected = keys.flatMap((key, row): Value[][] => {
        const own = [texts[row]!.split("-"), hashes[row]!];
        const matches = build.flatMap((other, at) => other === key ? [[...own, payload[at]!]] : []);
        return matches.length === 0 && how === "left" ? [[...own, null]] : matches;
      });
      assertEquals(rows, expected);
    });
  });
}
