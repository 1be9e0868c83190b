import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  DataType,
  Field,
  FixedSizeList,
  Int32,
  LargeList,
  LargeUtf8,
  List,
  makeData,
  RecordBatch,
  Schema,
  SparseUnion,
  Struct,
  Utf8,
  Utf8View,
} from "apache-arrow";
import {
  createEngine,
  drop,
  expr,
  filter,
  fromBatches,
  join,
  type Operator,
  regroup,
  rename,
  select,
  slice,
  StepError,
  tail,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { plainSchema } from "../../../../streams/data/plain_schema.ts";
import { readWithFlechette } from "../../../support/judges/peers.ts";
import { encodeArrow } from "../../../../streams/formats/arrow/arrow.ts";
import { allTypesBatch, batchOf, plain, rowsOf } from "../../../support/values/streams_samples.ts";

const engines = [true, false].map((fuse) => createEngine({ device: "cpu", fuse }));
const all = allTypesBatch(20);
const batches = [all.slice(0, 7), all.slice(7, 7), all.slice(7, 20)];
const names = all.schema.names as string[];
const rows = rowsOf([all]);
const right = batchOf({
  key: [new Int32(), [70_000, 0, 210_000, 0]],
  n: [new Int32(), [1, 2, 3, 4]],
});

const operators: readonly [title: string, make: () => Operator, expected: typeof rows][] = [
  ["select", () => select(...names.toReversed()), rows],
  ["drop", () => drop("bool"), rows.map(({ bool: _, ...row }) => row)],
  [
    "rename",
    () => rename({ nothing: "void" }),
    rows.map(({ nothing, ...row }) => ({ void: nothing, ...row })),
  ],
  [
    "withColumns of others",
    () => withColumns({ n: expr("int32.isNull()") }),
    rows.map((row) => ({ ...row, n: row.int32 === null })),
  ],
  ["slice", () => slice(5, 12), rows.slice(5, 12)],
  ["a slice with a step", () => slice(1, null, 4), rows.filter((_, row) => row % 4 === 1)],
  ["tail", () => tail(3), rows.slice(-3)],
  ["regroup", () => regroup({ rows: 6 }), rows],
  [
    "filter",
    () => filter(expr("int8 < -3")),
    rows.filter(({ int8 }) => int8 !== null && Number(int8) < -3),
  ],
  [
    "left join",
    () => join(fromBatches(right), { on: { int32: "key" }, how: "left" }),
    rows.flatMap((row): typeof rows => {
      const found = [[70_000, 1], [0, 2], [210_000, 3], [0, 4]].filter(([key]) =>
        key === row.int32
      );
      return found.length === 0 ? [{ ...row, n: null }] : found.map(([, n]) => ({ ...row, n }));
    }),
  ],
];

/** Decimals of two digits as flechette reads them. */
function asNumbers(row: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(row.decimal)) return row;
  return { ...row, decimal: row.decimal[0] / 100 };
}

for (const [title, make, expected] of operators) {
  Deno.test(`columns of every type go through ${title}`, async () => {
    for (const engine of engines) {
      const result = await toTable(fromBatches(batches, { engine }).pipeThrough(make()));
      const rows = rowsOf(result.batches);
      assertEquals(rows, expected);
      const written = await readWithFlechette(
        encodeArrow(result.schema, result.batches, { format: "file" }),
      );
      assertEquals(written.map(plain), rows.map(asNumbers));
    }
  });
}

Deno.test("an empty result has the columns of every type", async () => {
  for (const engine of engines) {
    const none = fromBatches(batches, { engine }).pipeThrough(slice(5, 5));
    const table = await toTable(none);
    assertEquals([table.numRows, table.batches.length], [0, 1]);
    assertEquals(String(table.schema), String(plainSchema(all.schema)));
    assertEquals(
      await readWithFlechette(encodeArrow(table.schema, table.batches, { format: "file" })),
      [],
    );
  }
});

Deno.test("a column of type Null is null in every row, and can be the payload of a join", async () => {
  const build = () =>
    fromBatches(
      batchOf({ id: [new Int32(), [1, 2]], none: [all.schema.fields[0]!.type, [null, null]] }),
    );
  const left = batchOf({ id: [new Int32(), [2, 9]] });
  const stream = fromBatches(left).pipeThrough(join(build(), { on: "id", how: "left" }))
    .pipeThrough(withColumns({ isNone: expr("none.isNull()") }));
  assertEquals(rowsOf((await toTable(stream)).batches), [
    { id: 2, none: null, isNone: true },
    { id: 9, none: null, isNone: true },
  ]);
});

Deno.test("unions pass where nothing copies their rows, and are refused by name elsewhere", async () => {
  const type = new SparseUnion(Int32Array.of(0), [new Field("a", new Int32(), true)]);
  const schema = new Schema([new Field("id", new Int32(), true), new Field("either", type, true)]);
  const ids = makeData({ type: new Int32(), length: 2, nullCount: 0, data: Int32Array.of(1, 2) });
  const either = makeData(
    { type, length: 2, nullCount: 0, typeIds: Int8Array.of(0, 0), children: [ids] } as never,
  );
  const children = [ids, either];
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: 2, nullCount: 0, children }),
  );
  const passed = await toTable(
    fromBatches(batch).pipeThrough(withColumns({ n: expr("id + 1") })).pipeThrough(slice(1)),
  );
  assertEquals(rowsOf(passed.batches), [{ id: 2, either: 2, n: 3n }]);
  const nested = new Schema([schema.fields[0]!, new Field("either", new List(schema.fields[1]!))]);
  const offsets = Int32Array.of(0, 1, 2);
  const lists = makeData(
    {
      type: nested.fields[1]!.type,
      length: 2,
      nullCount: 0,
      valueOffsets: offsets,
      child: either,
    } as never,
  );
  const struct = new Struct(nested.fields);
  const inLists = new RecordBatch(
    nested,
    makeData({ type: struct, length: 2, nullCount: 0, children: [ids, lists] }),
  );
  const refusing: (() => Operator)[] = [
    () => filter(expr("id > 1")),
    () => regroup({ rows: 1 }),
    () => withColumns({ n: expr("either") }),
    () => join(fromBatches(batchOf({ id: [new Int32(), [1]] })), { on: "id" }),
  ];
  for (const [rows, name] of [[batch, "union<int32>"], [inLists, "list<union<int32>>"]] as const) {
    for (const make of refusing) {
      const error = await assertRejects(
        () => toTable(fromBatches(rows).pipeThrough(make())),
        StepError,
        undefined,
        String(make),
      );
      const problem =
        `Column either is ${name}, which only passes unchanged; drop it before this step`;
      assert(error.message.endsWith(problem), error.message);
    }
  }
});

Deno.test("metadata of the schema and of its fields survive", async () => {
  const fields = [
    new Field("id", new Int32(), true, new Map([["unit", "m"]])),
    new Field("word", new Utf8(), true, new Map([["lang", "en"]])),
  ];
  const schema = new Schema(fields, new Map([["origin", "test"]]));
  const source = batchOf({ id: [new Int32(), [1, 2]], word: [new Utf8(), ["a", "b"]] });
  const tagged = () => fromBatches(new RecordBatch(schema, source.data));
  const operators: (() => Operator)[] = [
    () => select("word", "id"),
    () => rename({ word: "text" }),
    () => withColumns({ n: expr("id") }),
    () => filter(expr("id > 1")),
    () => regroup({ rows: 1 }),
    () => slice(1),
    () => join(tagged(), { on: "id" }),
  ];
  for (const make of operators) {
    for (const engine of engines) {
      const [batch] = await Array.fromAsync(
        fromBatches(new RecordBatch(schema, source.data), { engine }).pipeThrough(make()),
      );
      const found = Object.fromEntries(
        batch!.schema.fields.map(({ name, metadata }) => [name, metadata]),
      );
      assertEquals(batch!.schema.metadata, schema.metadata);
      assertEquals(found.id, fields[0]!.metadata);
      assertEquals(found.word ?? found.text, fields[1]!.metadata);
      if ("word_right" in found) assertEquals(found.word_right, fields[1]!.metadata);
    }
  }
});

Deno.test("lists with 64-bit offsets are read from where a slice of them begins", async () => {
  for (const item of [new Utf8(), new LargeUtf8(), new Utf8View(), new Int32()]) {
    const type = new LargeList(new Field("item", item, true));
    const texts = [["a"], ["b", "longer than twelve bytes"], null, [], ["c", null], ["d"]];
    const lists = DataType.isInt(item) ? [[1], [2, 3], null, [], [4, null], [5]] : texts;
    const batch = batchOf({ list: [type, lists] });
    for (let start = 0; start <= lists.length; start++) {
      const stream = fromBatches(batch.slice(start, 6), { engine: engines[0]! });
      const table = await toTable(stream.pipeThrough(select("list")));
      assertEquals(rowsOf(table.batches).map(({ list }) => list), lists.slice(start));
    }
  }
});

Deno.test("nested columns of no rows that come without children are taken as empty", async () => {
  const text = (type: DataType) => new Field("text", type, true);
  const types = [
    new List(text(new LargeUtf8())),
    new LargeList(text(new Utf8View())),
    new FixedSizeList(2, text(new Utf8())),
    new Struct([text(new Utf8View()), new Field("list", new List(text(new Utf8())), true)]),
  ];
  for (const type of types) {
    const schema = new Schema([new Field("nested", type, true)]);
    const nested = makeData({ type, length: 0 } as never);
    const data = makeData({ type: new Struct(schema.fields), length: 0, children: [nested] });
    for (const engine of engines) {
      const stream = fromBatches(new RecordBatch(schema, data), { engine });
      const table = await toTable(stream.pipeThrough(regroup({ rows: 2 })));
      assertEquals(table.numRows, 0);
      assertEquals(String(table.schema), String(plainSchema(schema)));
    }
  }
});
