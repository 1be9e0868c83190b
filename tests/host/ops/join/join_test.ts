import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type DataType,
  Dictionary,
  Int16,
  Int32,
  Int64,
  LargeUtf8,
  type RecordBatch,
  Uint32,
  Uint64,
  Utf8,
  Utf8View,
} from "apache-arrow";
import {
  type BatchStream,
  createEngine,
  type Expr,
  expr,
  filter,
  fromBatches,
  head,
  join,
  type JoinOptions,
  select,
  StepError,
  tail,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import type { Validation } from "../../../../ops/join/equi/unique_keys.ts";
import { idsOf, silentStream, watchedStream } from "../../../support/pipelines/pipeline_streams.ts";
import { batchOf, rowsOf, wordsBatch } from "../../../support/values/streams_samples.ts";

const engine = createEngine({ device: "cpu" });

async function joined(
  left: RecordBatch,
  right: RecordBatch | readonly RecordBatch[],
  options: JoinOptions,
): Promise<Record<string, unknown>[]> {
  const build = fromBatches(right as RecordBatch[], { engine });
  return rowsOf(
    (await toTable(fromBatches(left, { engine }).pipeThrough(join(build, options)))).batches,
  );
}

const keys = (type: DataType, values: readonly unknown[], name = "key") =>
  batchOf({ [name]: [type, values], [`${name}_row`]: [new Int32(), values.map((_, row) => row)] });

Deno.test("inner and left joins: duplicates on both sides, null keys, order of both sides", async () => {
  const left = keys(new Int32(), [2, null, 1, 2, 9]);
  const right = [keys(new Int32(), [1, 2], "id"), keys(new Int32(), [null, 2, 7], "id")];
  const inner = await joined(left, right, { on: { key: "id" } });
  assertEquals(inner.map(({ key, key_row, id_row }) => [key, key_row, id_row]), [
    [2, 0, 1],
    [2, 0, 1],
    [1, 2, 0],
    [2, 3, 1],
    [2, 3, 1],
  ]);
  const outer = await joined(left, right, { on: { key: "id" }, how: "left" });
  assertEquals(outer.map(({ key, id_row }) => [key, id_row]), [
    [2, 1],
    [2, 1],
    [null, null],
    [1, 0],
    [2, 1],
    [2, 1],
    [9, null],
  ]);
});

const cities = keys(new Utf8(), ["Ærø", null, "東京", "Ærø", "Zürich"], "city");
const countries = keys(new Utf8(), ["Zürich", "Ærø", null, "Oslo", "Ærø"], "place");

/** For each row of the result the key and the rows of both sides. */
async function places(options: object): Promise<unknown[][]> {
  const rows = await joined(
    cities,
    countries,
    { on: { city: "place" }, ...options } as JoinOptions,
  );
  return rows.map((row) => Object.values(row));
}

Deno.test("each kind of join gives its rows in its order", async () => {
  const matched = [["Ærø", 0, 1], ["Ærø", 0, 4], ["Ærø", 3, 1], ["Ærø", 3, 4], ["Zürich", 4, 0]];
  const last = [[null, null, 2], ["Oslo", null, 3]];
  assertEquals(await places({ how: "inner" }), matched);
  assertEquals(await places({ how: "right" }), [...matched, ...last]);
  const left = [...matched.slice(0, 2), [null, 1, null], ["東京", 2, null], ...matched.slice(2)];
  assertEquals(await places({ how: "left" }), left);
  assertEquals(await places({ how: "full" }), [...left, ...last]);
  assertEquals(await places({ how: "semi" }), [["Ærø", 0], ["Ærø", 3], ["Zürich", 4]]);
  assertEquals(await places({ how: "anti" }), [[null, 1], ["東京", 2]]);
  assertEquals(await places({ how: "right-semi" }), [["Zürich", 0], ["Ærø", 1], ["Ærø", 4]]);
  assertEquals(await places({ how: "right-anti" }), [[null, 2], ["Oslo", 3]]);
  const cross = await joined(cities, countries, { how: "cross" });
  const pairs = cross.map(({ city_row, place_row }) => 5 * Number(city_row) + Number(place_row));
  assertEquals(pairs, Array.from({ length: 25 }, (_, pair) => pair));
});

Deno.test("null keys equal each other where that is wanted", async () => {
  const nullsEqual = true;
  const nulls = [[null, 1, 2]];
  const matched = await places({ nullsEqual });
  assertEquals(matched.filter(([key]) => key === null), nulls);
  assertEquals(await places({ nullsEqual, how: "anti" }), [["東京", 2]]);
  assertEquals(await places({ nullsEqual, how: "right-anti" }), [["Oslo", 3]]);
});

Deno.test("several keys, and keys that are computed", async () => {
  const left = batchOf({
    city: [new Utf8(), ["Ærø", "ærø", "Oslo", null]],
    year: [new Int16(), [2020, 2021, 2020, 2020]],
  });
  const right = () =>
    batchOf({
      city: [new Utf8(), ["ÆRØ", "OSLO", "ÆRØ"]],
      year: [new Int64(), [2021n, 2020n, 2020n]],
      rank: [new Int32(), [1, 2, 3]],
    });
  const upper: [Expr, string] = [expr("city.upper()"), "city"];
  assertEquals(await joined(left, right(), { on: [upper, "year"] }), [
    { city: "Ærø", year: 2020, city_right: "ÆRØ", rank: 3 },
    { city: "ærø", year: 2021, city_right: "ÆRØ", rank: 1 },
    { city: "Oslo", year: 2020, city_right: "OSLO", rank: 2 },
  ]);
  const lower: [string, Expr] = ["city", expr("city.lower()")];
  assertEquals(await joined(left, right(), { on: [lower, "year"], how: "right" }), [
    { city: "ærø", year: 2021n, city_right: "ÆRØ", rank: 1 },
    { city: "oslo", year: 2020n, city_right: "OSLO", rank: 2 },
    { city: "ærø", year: 2020n, city_right: "ÆRØ", rank: 3 },
  ]);
  await assertRejects(
    () => joined(left, right(), { on: [[expr("city.length()"), "city"]] }),
    StepError,
    "step 2, join: Cannot join on city.length()=city: no common type for int32 and string",
  );
  await assertRejects(
    () => joined(left, right(), { on: [["city", expr("town.upper()")]] }),
    StepError,
    "town",
  );
});

Deno.test("a key that is an expression for a column is that column, whatever its name", async () => {
  const side = (ids: readonly number[], payload: string) =>
    batchOf({ "city, or town": [new Int32(), ids], [payload]: [new Int32(), ids] });
  const town = expr('col("city, or town")');
  assertEquals(
    await joined(side([1, 2], "a"), side([2, 3], "b"), { on: [[town, town]], how: "full" }),
    [
      { "city, or town": 1, a: 1, b: null },
      { "city, or town": 2, a: 2, b: 2 },
      { "city, or town": 3, a: null, b: 3 },
    ],
  );
});

Deno.test("of two right keys of one left key the second comes out where it may differ", async () => {
  const left = () => batchOf({ town: [new Utf8(), ["Łódź", "東京"]] });
  const right = () =>
    batchOf({
      from: [new Utf8(), ["Łódź", "東京", "Ürümqi"]],
      to: [new Utf8(), ["Łódź", "Łódź", "São Paulo"]],
    });
  const on = [["town", "from"], ["town", "to"]] as const;
  const last = [{ town: "東京", to: "Łódź" }, { town: "Ürümqi", to: "São Paulo" }];
  assertEquals(await joined(left(), right(), { on, how: "right" }), [
    { town: "Łódź", to: "Łódź" },
    ...last,
  ]);
  assertEquals(await joined(left(), right(), { on, how: "full" }), [
    { town: "Łódź", to: "Łódź" },
    { town: "東京", to: null },
    ...last,
  ]);
  assertEquals(await joined(left(), right(), { on }), [{ town: "Łódź" }]);
});

Deno.test("explain names what each join reads as its build side", async () => {
  const side = (name: string) => fromBatches(keys(new Int32(), [1], name), { engine, name });
  const plan = await side("id")
    .pipeThrough(join(side("cities"), { on: { id: "cities" } }))
    .pipeThrough(join(side("quotes"), { asOf: { id: "quotes" } }))
    .pipeThrough(join(side("sales"), { where: "id < right.sales" }))
    .explain();
  assertEquals(plan.match(/(?<=build side: read )(?!along)\w+/g), ["cities", "quotes", "sales"]);
});

Deno.test("explain says the same of a join before and after it read columns of its build side", async () => {
  const side = (name: string) => fromBatches(keys(new Utf8(), ["Łódź", "東京"], name), { engine });
  const joins: readonly JoinOptions[] = [
    { on: [["town", expr('place + "!"')]], how: "anti" },
    { where: "town < right.place" },
  ];
  for (const options of joins) {
    const stream = side("town").pipeThrough(join(side("place"), options))
      .pipeThrough(select("town"));
    const before = await stream.explain();
    await stream.pipeTo(new WritableStream());
    assertEquals(await stream.explain(), before);
  }
});

Deno.test("keys come out once in the type of both, or twice as they were", async () => {
  const left = () => keys(new Int16(), [1, 2]);
  const right = () => keys(new Int64(), [2n, 3n]);
  const names = async (options: JoinOptions) => {
    const stream = fromBatches(left(), { engine })
      .pipeThrough(join(fromBatches(right(), { engine }), options));
    return (await stream.schema()).fields.map(String);
  };
  assertEquals(await names({ on: "key", how: "left" }), [
    ...["key: Int16", "key_row: Int32", "key_row_right: Int32"],
  ]);
  assertEquals(await names({ on: "key", how: "full" }), [
    ...["key: Int64", "key_row: Int32", "key_row_right: Int32"],
  ]);
  assertEquals(await names({ on: "key", how: "full", keepKeys: true }), [
    ...["key: Int16", "key_row: Int32", "key_right: Int64", "key_row_right: Int32"],
  ]);
  const full = await joined(left(), right(), { on: "key", how: "full" });
  assertEquals(full.map((row) => Object.values(row)), [[1n, 0, null], [2n, 1, 0], [3n, null, 1]]);
  const both = await joined(left(), right(), { on: "key", how: "full", keepKeys: true });
  assertEquals(both.map(({ key, key_right }) => [key, key_right]), [[1, null], [2, 2n], [
    null,
    3n,
  ]]);
});

Deno.test("memory of one byte still joins, in order", async () => {
  const least = createEngine({ device: "cpu", memory: 1 });
  for (const how of ["full", "right-semi"] as const) {
    const stream = fromBatches(cities, { engine: least })
      .pipeThrough(join(fromBatches(countries, { engine: least }), { on: { city: "place" }, how }));
    const rows = rowsOf((await toTable(stream)).batches).map((row) => Object.values(row));
    assertEquals(rows, await places({ how }));
  }
});

Deno.test("validate names the first key that is there twice", async () => {
  const validate = (side: Validation, options = {}) => places({ validate: side, ...options });
  assertEquals((await validate("m:m")).length, 5);
  const stream = 'Keys of the stream are not unique: city = "Ærø" occurs again in its row 3';
  const build = 'Keys of the build side are not unique: place = "Ærø" occurs again in its row 4';
  await assertRejects(() => validate("1:m"), StepError, stream);
  await assertRejects(() => validate("m:1"), StepError, build);
  await assertRejects(() => validate("1:1"), StepError, build);
  const twoNulls = keys(new Int32(), [null, null], "a");
  const nulls = (nullsEqual: boolean) =>
    joined(twoNulls, keys(new Int32(), [1], "b"), { on: { a: "b" }, validate: "1:1", nullsEqual });
  assertEquals(await nulls(false), []);
  await assertRejects(() => nulls(true), StepError, "a = null occurs again in its row 1");
});

Deno.test("keys of different types meet in the type that holds both", async () => {
  const cases: [DataType, unknown[], DataType, unknown[], number][] = [
    [new Int16(), [-1, 5], new Uint32(), [5, 2 ** 32 - 1], 1],
    [new Int64(), [5n, 2n ** 40n], new Int16(), [5], 1],
    [new Uint64(), [5n, 2n ** 63n], new Uint32(), [5], 1],
    [new Utf8(), ["a", "é"], new LargeUtf8(), ["é", "é"], 2],
    [new Utf8View(), ["longer than twelve", "b"], new Utf8(), ["longer than twelve"], 1],
    [new Dictionary(new Utf8(), new Int16()), ["x", "y"], new Utf8View(), ["y", "z"], 1],
  ];
  for (const [leftType, leftKeys, rightType, rightKeys, matches] of cases) {
    const rows = await joined(keys(leftType, leftKeys), keys(rightType, rightKeys, "id"), {
      on: { key: "id" },
    });
    assertEquals(rows.length, matches, `${leftType} with ${rightType}`);
  }
});

Deno.test("keys without a common type are refused before any row is read", async () => {
  const read = { left: 0, right: 0 };
  const counted = (side: "left" | "right", batch: RecordBatch) =>
    fromBatches(
      watchedStream(() => {
        read[side]++;
        return batch;
      }).stream,
      { engine, schema: batch.schema },
    );
  const left = counted("left", keys(new Int64(), [1n, 2n, 2n ** 53n]));
  const right = counted("right", keys(new Uint64(), [2n ** 53n + 1n, 10n], "id"));
  const result = left.pipeThrough(join(right, { on: { key: "id" } }));
  const error = await assertRejects(() => toTable(result), StepError);
  assert(
    error.message.startsWith(
      "step 2, join: Cannot join on key=id: no common type for int64 and uint64; cast one side",
    ),
    error.message,
  );
  assertEquals(read, { left: 0, right: 0 });
});

Deno.test("columns of the build side: without the key, with a suffix where names meet", async () => {
  const left = wordsBatch(["a", "b"]);
  const right = () => fromBatches(wordsBatch(["x", "y"]), { engine });
  const names = async (options: JoinOptions) => {
    const stream = fromBatches(left, { engine }).pipeThrough(join(right(), options));
    return (await stream.schema()).names;
  };
  assertEquals(await names({ on: "id" }), ["id", "word", "word_right"]);
  assertEquals(await names({ on: "id", suffix: "_2" }), ["id", "word", "word_2"]);
  assertEquals(await names({ on: "id", keepKeys: true }), ["id", "word", "id_right", "word_right"]);
  await assertRejects(
    () => names({ on: "id", suffix: "" }),
    StepError,
    'step 2, join: Columns 2 and 3 would have the same name, "word"; give another suffix',
  );
});

Deno.test("an empty build side joins nothing, or nulls", async () => {
  const left = wordsBatch(["a", "b"]);
  assertEquals(await joined(left, wordsBatch([]), { on: "id" }), []);
  const rows = await joined(left, wordsBatch([]), { on: "id", how: "left" });
  assertEquals(rows.map(({ id, word_right }) => [id, word_right]), [[0, null], [1, null]]);
});

Deno.test("mistakes in options are TypeErrors at once", () => {
  const build = () => fromBatches(wordsBatch(["a"]), { engine });
  const cases: [unknown, string][] = [
    [{ on: {} }, "A join has at least one key"],
    [{}, 'Say which keys to join on, or how: "cross"'],
    [{ on: "id", how: "outer" }, '"cross", not "outer"'],
    [{ on: "id", how: "cross" }, "A cross join has no keys"],
    [
      { on: 3 },
      "The option on of a join is a name, a list of keys, or names by name, not a number",
    ],
    [{ on: expr("id") }, "not an expression"],
    [{ on: [["id"]] }, "A key of a join is a name or [left, right], not a list"],
    [{ on: [["id", 7]] }, "A key of a join must be an expression"],
    [{ on: "id", validate: "n:1" }, 'The option validate of a join must be one of "1:1"'],
    [
      { on: "id", promote: "lossy" },
      'The option promote of a join must be one of "exact", "lossless"',
    ],
    [
      { on: "id", order: "any" },
      'The option order of a join must be one of "probe", "none", not "any"',
    ],
    [undefined, "The options of a join are an object, not undefined"],
  ];
  for (const [options, message] of cases) {
    assertThrows(() => join(build(), options as JoinOptions), TypeError, message);
  }
  const foreign = new ReadableStream() as BatchStream;
  assertThrows(() => join(foreign, { on: "id" }), TypeError, "comes from read() or fromBatches()");
});

Deno.test("a build side serves one join", async () => {
  const build = fromBatches(wordsBatch(["a"]), { engine });
  join(build, { on: "id" });
  assertThrows(() => join(build, { on: "id" }), TypeError, "each join needs a stream of its own");

  const read = fromBatches(wordsBatch(["a"]), { engine });
  await toTable(read);
  const late = fromBatches(wordsBatch(["a"]), { engine }).pipeThrough(join(read, { on: "id" }));
  await assertRejects(() => toTable(late), StepError, "The build side of the join was read before");
});

Deno.test("errors of the build side name the join, and cancel the stream", async () => {
  const probe = () => watchedStream((index) => wordsBatch(["w"], index));
  const failure = new Error("no more");
  const failing = watchedStream(() => {
    throw failure;
  });
  const first = probe();
  const result = fromBatches(first.stream, { engine })
    .pipeThrough(join(fromBatches(failing.stream, { engine }), { on: "id" }));
  const error = await assertRejects(() => toTable(result), StepError, "step 2, join: no more");
  assertEquals(error.cause, failure);
  assert(first.seen.cancelled);

  const second = probe();
  const mistaken = fromBatches(wordsBatch(["a"]), { engine })
    .pipeThrough(withColumns({ x: expr("nothing") }));
  await assertRejects(
    () => toTable(fromBatches(second.stream, { engine }).pipeThrough(join(mistaken, { on: "id" }))),
    StepError,
    "step 2, join: build side, step 2, withColumns: Unknown column nothing",
  );
  assert(second.seen.cancelled);
});

Deno.test("the build side is cancelled where the join ends without it", async () => {
  const schema = wordsBatch([]).schema;
  const build = () => watchedStream((index) => wordsBatch(["w"], index));
  const run = async (pipe: (stream: BatchStream) => BatchStream, leave = false) => {
    const watched = build();
    const stream = fromBatches(wordsBatch(["a"]), { engine })
      .pipeThrough(join(fromBatches(watched.stream, { engine, schema }), { on: "id" }));
    const result = pipe(stream);
    if (leave) await result.cancel("left");
    else await toTable(result).catch(() => {});
    return watched.seen;
  };
  assertEquals(await run((stream) => stream, true), { pulled: 0, cancelled: true, reason: "left" });
  const { pulled, cancelled } = await run((stream) => stream.pipeThrough(head(0)));
  assertEquals([pulled, cancelled], [0, true]);
  const unbound = await run((stream) => stream.pipeThrough(filter(expr("nothing > 1"))));
  assertEquals([unbound.pulled, unbound.cancelled], [0, true]);
});

Deno.test("cancel ends the wait for a build side that never comes", async () => {
  const build = silentStream();
  const probe = watchedStream((index) => wordsBatch(["w"], index));
  const schema = wordsBatch([]).schema;
  const reader = fromBatches(probe.stream, { engine, schema })
    .pipeThrough(join(fromBatches(build.stream, { engine, schema }), { on: "id" })).getReader();
  const waiting = reader.read();
  await new Promise((resolve) => setTimeout(resolve, 1));
  await reader.cancel("no more");
  assertEquals(await waiting, { done: true, value: undefined });
  assertEquals([build.seen.cancelled, probe.seen.cancelled], [true, true]);
});

Deno.test("a join with many matches a row gives batches of bounded size", async () => {
  const left = keys(new Int32(), Array(300).fill(1));
  const right = keys(new Int32(), Array(1000).fill(1), "id");
  const stream = fromBatches(left, { engine })
    .pipeThrough(join(fromBatches(right, { engine }), { on: { key: "id" } }));
  let numRows = 0;
  for await (const batch of stream) {
    assert(batch.numRows <= 65_536, `${batch.numRows} rows`);
    numRows += batch.numRows;
  }
  assertEquals(numRows, 300_000);
});

Deno.test("slices behind a join count its rows", async () => {
  const left = wordsBatch(["a", "b", "c"]);
  const right = keys(new Int32(), [2, 0, 0], "id");
  const stream = fromBatches(left, { engine })
    .pipeThrough(join(fromBatches(right, { engine }), { on: "id" })).pipeThrough(tail(2));
  assertEquals(idsOf(await toTable(stream)), [0, 2]);
});
