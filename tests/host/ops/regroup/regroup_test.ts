import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Bool,
  Dictionary,
  Field,
  Int32,
  List,
  makeVector,
  type RecordBatch,
  Schema,
  Struct,
  Table,
  tableFromArrays,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { columnBytes } from "../../../../gpu/column/column.ts";
import { concatColumns } from "../../../../gpu/column/concat.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import { fromArrow } from "../../../../ops/batch/from_arrow.ts";
import { Batch } from "../../../../ops/batch/batch.ts";
import type { StageContext } from "../../../../ops/engine/node.ts";
import { regroupBatches } from "../../../../ops/regroup/regroup_batches.ts";
import type { Grouping } from "../../../../streams/sink/regrouper.ts";
import { fixedBytes, rowBytes } from "../../../../ops/regroup/row_bytes.ts";
import {
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  join,
  joinStrings,
  regroup,
  type RegroupOptions,
  select,
  slice,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { batchOfColumns, columnOfValues } from "../../../support/values/arrow_columns.ts";
import { randomType, typeKinds } from "../../../support/values/arrow_types.ts";
import { randomValue, valuesOf } from "../../../support/values/arrow_values.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

Deno.test("rowBytes() and fixedBytes() bound the bytes of rows put together", () => {
  const item = new Field("item", new Utf8(), true);
  const values = ["a", null, "", "longer", "é"];
  const columns = [
    vectorFromArray([1, null, 3, 4, 5], new Int32()),
    vectorFromArray([true, false, null, true, true], new Bool()),
    vectorFromArray(values, new Utf8()),
    vectorFromArray([["a", "b"], null, [], ["c"], [null]], new List(item)),
    vectorFromArray(values.map((item) => ({ item })), new Struct([item])),
  ].map((vector) => fromArrow(vector.data[0]!));
  for (const column of columns) {
    for (let middle = 0; middle <= 5; middle++) {
      const parts = [sliceColumn(column, 0, middle), sliceColumn(column, middle, 5)];
      const bytes = parts.reduce((sum, part) => sum + rowBytes(part, 0, part.length), 0);
      assertEquals(bytes, rowBytes(column, 0, 5));
      const bound = bytes + fixedBytes(column.type);
      const taken = columnBytes(concatColumns(parts));
      assert(taken <= bound && bound <= taken + 8, `${taken} bytes, at most ${bound}`);
    }
  }
});

const engine = createEngine({ device: "cpu" });
const keys = tableFromArrays({ key: Int32Array.from({ length: 10 }, (_, row) => row % 3) });
const sevens = [keys.batches[0]!.slice(0, 7), keys.batches[0]!.slice(7)];
const names = () =>
  fromBatches(tableFromArrays({ key: Int32Array.of(0, 1, 2), name: ["a", "b", "c"] }), { engine });

Deno.test("a regroup behind a join is repeated in front of it, and keeps its boundaries", async () => {
  const joined = fromBatches(sevens, { engine })
    .pipeThrough(join(names(), { on: "key" }))
    .pipeThrough(regroup({ rows: 4 }));
  const ran = (await joined.explain()).split("runs as:")[1]!;
  assertEquals(ran.match(/^ {2}\w+/gm)?.map((step) => step.trim()), [
    "read",
    "regroup",
    "join",
    "regroup",
  ]);
  const batches = await Array.fromAsync(joined);
  assertEquals(batches.map(({ numRows }) => numRows), [4, 4, 2]);
  const text = batches.flatMap((batch) => [...batch].map((row) => row.name));
  assertEquals(text, Array.from({ length: 10 }, (_, row) => "abc"[row % 3]));
});

Deno.test("a regroup behind a filter, or of very many rows, is not repeated", async () => {
  const filtered = fromBatches(sevens, { engine })
    .pipeThrough(filter(expr("key > 0")))
    .pipeThrough(regroup({ rows: 4 }));
  const large = fromBatches(sevens, { engine })
    .pipeThrough(join(names(), { on: "key" }))
    .pipeThrough(regroup({ rows: 1_000_000 }));
  for (const stream of [filtered, large]) {
    const ran = (await stream.explain()).split("runs as:")[1]!;
    assertStrictEquals(ran.match(/^ {2}regroup/gm)?.length, 1);
    await stream.cancel();
  }
});

const sizesOf = (batches: readonly RecordBatch[]) => batches.map(({ numRows }) => numRows);
const cities = new Table({
  city: vectorFromArray(["Ulm", "Ulm", "Bonn", "Bonn", "Bonn", "Ulm"], new Utf8()),
  id: vectorFromArray([0, 1, 2, 3, 4, 5], new Int32()),
});
const inPairs = [0, 2, 4].map((start) => cities.batches[0]!.slice(start, start + 2));
const regrouped = (options: RegroupOptions) =>
  fromBatches(inPairs, { engine }).pipeThrough(regroup(options));

const forms: readonly (readonly [RegroupOptions, explained: string, sizes: number[]])[] = [
  [{ rows: 4 }, "4 rows", [4, 2]],
  [{ by: "city" }, "by city", [2, 3, 1]],
  [{ by: ["city", "id"] }, "by city, id", [1, 1, 1, 1, 1, 1]],
  [{ by: "city", rows: 3 }, "by city, at least 3 rows", [5, 1]],
  [{ by: "city", bytes: 40 }, "by city, at least 40 bytes", [5, 1]],
  [{ by: "city", rows: 2, bytes: 1 }, "by city, at least 2 rows or 1 bytes", [2, 3, 1]],
  [{ sizes: [1, 5] }, "sizes 1, 5", [1, 5]],
  [{ sizes: Int32Array.of(2, 2, 2) }, "sizes 2, 2, 2", [2, 2, 2]],
  [{ one: true }, "one batch", [6]],
];
for (const [options, explained, sizes] of forms) {
  Deno.test(`regroup ${explained} gives the same rows in such batches`, async () => {
    const stream = regrouped(options);
    const plan = await stream.explain();
    assert(plan.endsWith(`\n  regroup ${explained}`), plan);
    assertEquals(await stream.numRows(), 6);
    const batches = await Array.fromAsync(stream);
    assertEquals(sizesOf(batches), sizes);
    assertEquals(batches.flatMap((batch) => [...batch].map((row) => row.id)), [0, 1, 2, 3, 4, 5]);
  });
}

Deno.test("a long list of sizes is explained by its first, their number and their sum", async () => {
  const stream = regrouped({ sizes: Array.from({ length: 20 }, () => 1) });
  const told = "regroup sizes 1, 1, 1, 1, 1, 1, 1, 1, ... (20 batches, 20 rows)";
  assert((await stream.explain()).includes(told), await stream.explain());
  await stream.cancel();
});

Deno.test("an empty stream gives one batch of zero rows, but no sizes", async () => {
  const none = () => fromBatches([], { schema: cities.schema, engine });
  for (const options of [{ rows: 2 }, { by: "city" }, { one: true }] as const) {
    assertEquals(sizesOf(await Array.fromAsync(none().pipeThrough(regroup(options)))), [0]);
  }
  await assertRejects(
    () => toTable(none().pipeThrough(regroup({ sizes: [1] }))),
    StepError,
    "step 2, regroup: The sizes of batches add up to 1 rows, but the input has 0",
  );
});

Deno.test("sizes that do not add up are an error behind the batches that are complete", async () => {
  for (
    const [sizes, message] of [
      [[2, 3], "add up to 5 rows, but the input has more"],
      [[2, 3, 2], "add up to 7 rows, but the input has 6"],
    ] as const
  ) {
    const stream = regrouped({ sizes });
    // No metadata answers for rows whose reading fails.
    assertEquals(await stream.numRows(), undefined);
    const given: number[] = [];
    const error = await assertRejects(async () => {
      for await (const { numRows } of stream) given.push(numRows);
    }, StepError);
    assert(error.message.includes(message), error.message);
    assert(error.cause instanceof RangeError);
    assertEquals(given, [2, 3]);
  }
});

Deno.test("no slice moves past sizes, and what it does not read raises no error", async () => {
  const some = regrouped({ sizes: [4, 2] }).pipeThrough(slice(1, 5));
  assertEquals(sizesOf(await Array.fromAsync(some)), [3, 1]);
  const first = regrouped({ sizes: [4, 1] }).pipeThrough(head(3));
  assertEquals(sizesOf(await Array.fromAsync(first)), [3]);
});

Deno.test("sizes stay in front of another regroup, which all others do not", async () => {
  for (const [first, isKept] of [[{ sizes: [2, 3] }, true], [{ by: "city" }, false]] as const) {
    const stream = regrouped(first).pipeThrough(regroup({ one: true }));
    const ran = (await stream.explain()).split("runs as:")[1]!;
    assertEquals(ran.match(/^ {2}regroup/gm)?.length, isKept ? 2 : 1);
    if (isKept) await assertRejects(() => toTable(stream), StepError, "step 2, regroup: The sizes");
    else assertEquals(sizesOf(await Array.fromAsync(stream)), [6]);
  }
});

Deno.test("columns that say where batches end are read though the result has none of them", async () => {
  const stream = regrouped({ by: "city" }).pipeThrough(select("id"));
  assertEquals(sizesOf(await Array.fromAsync(stream)), [2, 3, 1]);
  const joined = regrouped({ by: "city" }).pipeThrough(joinStrings("city", { separator: "+" }));
  const texts = (await toTable(joined)).toArray().map(({ city }) => city);
  assertEquals(texts, ["Ulm+Ulm", "Bonn+Bonn+Bonn", "Ulm"]);
});

Deno.test("batches that are right already keep their buffers, and so do parts of one", async () => {
  const buffersOf = ({ data }: RecordBatch) =>
    data.children.map(({ values }) => (values as Uint8Array).buffer);
  const whole = cities.batches[0]!;
  for (
    const [batches, options] of [
      [inPairs, { rows: 2 }],
      [inPairs, { sizes: [2, 2, 2] }],
      [inPairs, { bytes: 33 }],
      [[whole], { one: true }],
      [[whole], { by: "city" }],
      [[whole], { rows: 5 }],
      [[whole], { by: "city", rows: 3 }],
    ] as const
  ) {
    const stream = fromBatches([...batches], { engine }).pipeThrough(regroup(options));
    for await (const batch of stream) assertEquals(buffersOf(batch), buffersOf(whole));
  }
});

Deno.test("each row is copied once to its place where it is known how many come", async () => {
  const tight = createEngine({ device: "cpu", memory: 1 });
  const ids = Int32Array.from({ length: 6400 }, (_, row) => row);
  const whole = new Table({ id: makeVector(ids) }).batches[0]!;
  const batches = Array.from({ length: 64 }, (_, at) => whole.slice(100 * at, 100 * at + 100));
  const stream = () => fromBatches(batches, { engine: tight });
  const bytesOf = async (given: ReadableStream<RecordBatch>) => {
    const [batch] = await Array.fromAsync(given);
    const { values } = batch!.data.children[0]!;
    return [values.byteLength, values.buffer.byteLength];
  };
  const known = [
    [stream().pipeThrough(regroup({ one: true })), 6400],
    [stream().pipeThrough(slice(16)).pipeThrough(regroup({ one: true })), 6384],
    [stream().pipeThrough(regroup({ sizes: [3200, 3200] })), 3200],
    [stream().pipeThrough(regroup({ rows: 1600 })), 1600],
  ] as const;
  for (const [given, rows] of known) assertEquals(await bytesOf(given), [4 * rows, 4 * rows]);
  // Nobody knows how many: a copy at the end has the right size, too.
  const some = stream().pipeThrough(filter(expr("id >= 100"))).pipeThrough(regroup({ one: true }));
  assertEquals(await bytesOf(some), [4 * 6300, 4 * 6300]);
});

Deno.test("values are not looked at where only numbers of rows decide", async () => {
  const city = vectorFromArray(["Ulm", "Bonn", "Ulm"], new Dictionary(new Utf8(), new Int32()));
  const data = city.data[0]!;
  // A dictionary without the values that the rows have fails as soon as they are read.
  const broken = data.clone(data.type, 0, 3);
  Object.defineProperty(broken, "dictionary", {
    get(): never {
      throw new Error("values were read");
    },
  });
  const schema = new Schema([new Field("city", new Utf8(), true)]);
  const batch = batchOfColumns([new Field("city", data.type, true)], [broken]);
  const context: StageContext = {
    backend: await engine.backend(),
    memory: 2 ** 30,
    offsets: engine.offsets,
    signal: new AbortController().signal,
  };
  const run = (grouping: Grouping, by: string[]) => {
    const input = ReadableStream.from([Batch.fromRecordBatch(schema, batch)]);
    return Array.fromAsync(regroupBatches(schema, { grouping, by }, input, context));
  };
  for (const rows of [3, Infinity]) {
    const batches = await run({ kind: "size", rows, bytes: Infinity }, []);
    assertEquals(batches.map(({ numRows }) => numRows), [3]);
  }
  assertEquals((await run({ kind: "sizes", sizes: [3] }, [])).length, 1);
  for (
    const [grouping, by] of [
      [{ kind: "size", rows: Infinity, bytes: 9 }, []],
      [{ kind: "runs", rows: 1, bytes: Infinity }, ["city"]],
    ] as const
  ) {
    await assertRejects(() => run(grouping, [...by]), Error, "values were read");
  }
});

Deno.test("options that say nothing, too much, or what no batch can be are one clear line", () => {
  const table: readonly (readonly [unknown, string])[] = [
    [{}, "regroup() needs rows, bytes, by, sizes or one"],
    [{ one: false }, "regroup() needs rows, bytes, by, sizes or one"],
    [{ sizes: [1], rows: 2 }, "regroup() takes rows, bytes and by, or sizes alone, or one alone"],
    [{ one: true, by: "a" }, "regroup() takes rows, bytes and by, or sizes alone, or one alone"],
    [{ rows: 5, byte: 7 }, "regroup() has no option byte; did you mean bytes?"],
    [{ sizes: 5 }, "The sizes of batches are a list, not a number"],
    [{ sizes: [] }, "The sizes of batches are integers of at least 1, not none"],
    [{ sizes: [3, 0] }, "The sizes of batches are integers of at least 1, not 0"],
    [{ sizes: [3, 1.5] }, "The sizes of batches are integers of at least 1, not 1.5"],
    [{ sizes: [undefined] }, "The sizes of batches are integers of at least 1, not undefined"],
    [{ by: [] }, "regroup() needs at least one column in by"],
    [{ by: 5 }, "regroup() option by takes names of columns, not a number"],
    [{ by: "a", rows: 0 }, "The rows of a batch are an integer of at least 1, not 0"],
  ];
  for (const [options, message] of table) {
    assertThrows(() => regroup(options as RegroupOptions), Error, message);
  }
});

Deno.test("a column that does not exist is an error with the nearest name", async () => {
  await assertRejects(() => toTable(regrouped({ by: "cty" })), StepError, "did you mean city?");
});

/** Types that every operator takes. */
const kinds = typeKinds.filter((kind) => !/union/i.test(kind));

function randomBatches(random: SeededRandom, schema: Schema, rows: readonly unknown[][]) {
  const batches: RecordBatch[] = [];
  for (let start = 0; start < rows.length;) {
    const stop = start + random.below(Math.min(8, rows.length - start + 1));
    const columns = schema.fields.map(({ type }, index) =>
      columnOfValues(random, type, rows.slice(start, stop).map((row) => row[index]))
    );
    batches.push(batchOfColumns(schema.fields, columns));
    start = stop;
  }
  return batches;
}

function randomForm(random: SeededRandom, numRows: number): RegroupOptions {
  const sizes: number[] = [];
  for (let left = numRows; left > 0; left -= sizes.at(-1)!) sizes.push(1 + random.below(left));
  const rows = 1 + random.below(9);
  const bytes = 1 + random.below(200);
  return random.pick<RegroupOptions>([
    { rows },
    { bytes },
    { rows, bytes },
    { by: "key" },
    { by: ["key", "value"], rows },
    { by: "key", bytes },
    { one: true },
    ...(numRows === 0 ? [] : [{ sizes }]),
  ]);
}

Deno.test("any regroupings of any batches are the rows, for every type and any memory", () =>
  forSeeds(150, async (random) => {
    const types = ["key", "value"].map((name) =>
      new Field(name, randomType(random, kinds, 2), true)
    );
    const schema = new Schema(types);
    const few = types.map(({ type }) =>
      Array.from({ length: 4 }, () => random.chance(0.2) ? null : randomValue(random, type))
    );
    const numRows = random.below(40);
    const rows = Array.from({ length: numRows }, () => few.map((values) => random.pick(values)));
    const batches = randomBatches(random, schema, rows);
    const tight = createEngine({ device: "cpu", memory: 100 });
    let stream = fromBatches(batches, { schema, engine: random.pick([engine, tight]) });
    const forms = [1, 2].map(() => randomForm(random, numRows));
    for (const form of forms) stream = stream.pipeThrough(regroup(form));
    const out = await Array.fromAsync(stream);
    const valuesIn = (batches: readonly RecordBatch[]) =>
      types.map((_, index) => batches.flatMap(({ data }) => valuesOf(data.children[index]!)));
    assertEquals(valuesIn(out), valuesIn(batches), JSON.stringify(forms));
    if (forms[1]!.one) assertEquals(sizesOf(out), [numRows]);
  }));

Deno.test("errors in regrouped text name the row of the source, copied early or late", async () => {
  const batchFrom = (firstRow: number, numRows: number) => {
    const rows = Array.from({ length: numRows }, (_, row) => firstRow + row);
    const word = vectorFromArray(rows.map((row) => `row ${row}`), new Utf8());
    const at = rows.indexOf(100);
    if (at >= 0) word.data[0]!.values[word.data[0]!.valueOffsets[at]!] = 0xff;
    return new Table({ word }).batches[0]!;
  };
  const sizes = [7, 30, 1, 50, 90];
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0));
  const batches = sizes.map((size, at) => batchFrom(starts[at]!, size));
  // With little memory rows are copied as they come, else when all are there.
  for (const memory of [64, 1 << 30]) {
    for (const first of [0, 9]) {
      const bare = createEngine({ device: "cpu", memory });
      const upper = fromBatches(batches, { engine: bare })
        .pipeThrough(slice(first))
        .pipeThrough(regroup({ one: true }))
        .pipeThrough(withColumns({ upper: expr("word.upper()") }));
      const error = await assertRejects(() => toTable(upper));
      assertEquals((error as Error).message, "memory: row 100, column word: invalid UTF-8");
      await bare.close();
    }
  }
});
