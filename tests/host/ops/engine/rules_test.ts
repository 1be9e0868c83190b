import { assertEquals, assertMatch, assertRejects, assertStrictEquals } from "@std/assert";
import { Int32, Int8, type RecordBatch, Utf8 } from "apache-arrow";
import {
  at,
  type BatchStream,
  createEngine,
  defineOperator,
  drop,
  type Engine,
  expr,
  filter,
  fromBatches,
  head,
  join,
  type Operator,
  regroup,
  rename,
  select,
  slice,
  StepError,
  tail,
  take,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { BatchStream as Stream } from "../../../../streams/plan/batch_stream.ts";
import { everyNth } from "../../../../examples/every_nth.ts";
import { canonicalOf } from "../../../support/pipelines/pipeline_runs.ts";
import { numberedBatches, watchedSource } from "../../../support/pipelines/pipeline_streams.ts";
import { batchOf, rowsOf } from "../../../support/values/streams_samples.ts";

const fused = createEngine({ device: "cpu" });
const unfused = createEngine({ device: "cpu", fuse: false });

const letters = batchOf({
  id: [new Int32(), [0, 1, 2, 3, 4, 5]],
  tiny: [new Int8(), [1, 2, null, 4, 5, 6]],
  word: [new Utf8(), ["a", "b", null, "d e", "é", "f"]],
});
const batches = [letters.slice(0, 2), letters.slice(2, 2), letters.slice(2, 6)];

type Operators = () => readonly Operator[];

function stream(engine: Engine, operators: Operators): BatchStream {
  return operators().reduce(
    (stream: BatchStream, operator) => stream.pipeThrough(operator),
    fromBatches(batches, { engine }),
  );
}

/** The operators that run, as `explain` names them, without what they print below. */
async function ranAs(operators: Operators): Promise<string[]> {
  const lines = (await stream(fused, operators).explain()).split("\n");
  return lines.slice(lines.indexOf("runs as:") + 1)
    .filter((line) => /^ {2}\S/.test(line)).map((line) => line.trim());
}

async function sameRows(operators: Operators): Promise<RecordBatch[]> {
  const rewritten = await Array.fromAsync(stream(fused, operators));
  const written = await Array.fromAsync(stream(unfused, operators));
  assertEquals(canonicalOf(rewritten, false), canonicalOf(written, false));
  return rewritten;
}

const withExpr = (name: string, text: string) => withColumns({ [name]: expr(text) });

const cases: readonly [title: string, Operators, ran: string[]][] = [
  ["two slices are one, and the source takes it", () => [slice(1), head(3)], [
    "read memory, rows 1:4",
  ]],
  ["the source takes a step too", () => [slice(1, 5, 2)], [
    "read memory, rows 1:5:2",
  ]],
  ["slices from the end are one", () => [tail(2), slice(-1)], [
    "read memory, rows -1:",
  ]],
  ["a slice passes what keeps its rows", () => [
    withExpr("loud", "word.upper()"),
    regroup({ rows: 2 }),
    rename({ id: "number" }),
    slice(-3),
  ], [
    "read memory, rows -3:",
    "regroup 2 rows",
    "withColumns loud = word.upper()",
    "regroup 2 rows",
    "rename id=number",
  ]],
  ["a slice backwards passes what keeps its rows", () => [
    withExpr("loud", "word.upper()"),
    slice(null, null, -2),
    head(2),
  ], [
    "read memory, rows :-5:-2",
    "withColumns loud = word.upper()",
  ]],
  ["a list of rows passes what keeps its rows", () => [
    regroup({ rows: 2 }),
    withExpr("loud", "word.upper()"),
    take([4, -1, { start: 1, stop: 3 }, 4]),
    slice(1),
    at(0),
  ], [
    "read memory, rows 4,-1,1:3,4 then 1: then 0",
    "regroup 2 rows",
    "withColumns loud = word.upper()",
  ]],
  ["no pick passes a filter or a join", () => [
    join(fromBatches(batches), { on: "id" }),
    slice(null, null, -1, { hold: true }),
    filter(expr("id > 1")),
    take([1, 0]),
  ], [
    "read memory",
    "join inner, id",
    "slice ::-1",
    "filter id > 1",
    "take 1,0",
  ]],
  ["a slice stays behind a filter", () => [filter(expr("id > 1")), slice(1, 3)], [
    "read memory",
    "filter id > 1",
    "slice 1:3",
  ]],
  ["behind a filter slices merge only from the front", () => [
    filter(expr("id > 1")),
    head(3),
    tail(2),
    slice(1),
  ], ["read memory", "filter id > 1", "head :3", "slice max(1, -1):"]],
  ["of two regroups the last wins", () => [regroup({ rows: 5 }), regroup({ rows: 2 })], [
    "read memory",
    "regroup 2 rows",
  ]],
  ["the narrow rows in front of a join are regrouped as those behind it will be", () => [
    join(fromBatches(batches), { on: "id", suffix: "_2" }),
    regroup({ rows: 2 }),
  ], ["read memory", "regroup 2 rows", "join inner, id", "regroup 2 rows"]],
  ["behind a filter regroup stays where it is", () => [
    filter(expr("id > 1")),
    regroup({ rows: 2 }),
  ], ["read memory", "filter id > 1", "regroup 2 rows"]],
  ["filters are one filter", () => [filter(expr("id > 1")), filter(expr("tiny < 6"))], [
    "read memory",
    "filter id > 1 && tiny < 6",
  ]],
  ["a filter that can fail is not asked of rows that one before it leaves out", () => [
    filter(expr('word == "a"')),
    filter(expr('word.replace("a", "1").toInteger(true) == 1')),
  ], [
    "read memory",
    'filter word == "a"',
    'filter word.replace("a", "1").toInteger(true) == 1',
  ]],
  ["a text that may get too long is not made of rows that a filter before it leaves out", () => [
    filter(expr("id < 2")),
    filter(expr('(id < 2 ? "a" : word).repeat(id).length() > 0')),
  ], [
    "read memory",
    "filter id < 2",
    'filter (id < 2 ? "a" : word).repeat(id).length() > 0',
  ]],
  ["a text that is filled a little cannot get too long", () => [
    filter(expr("id < 2")),
    filter(expr('word.pad(20, { fill: "🙂" }).zfill(30) != word')),
  ], [
    "read memory",
    'filter id < 2 && word.pad(20, null, "🙂").zfill(30) != word',
  ]],
  ["expressions of a replaced column fuse", () => [
    withExpr("word", 'word + "!"'),
    withExpr("word", "word.upper()"),
  ], ["read memory", 'withColumns word = (word + "!").upper()']],
  ["a new column that stays is made first", () => [
    withExpr("loud", "word.upper()"),
    withExpr("louder", 'loud + "!"'),
  ], ["read memory", "withColumns loud = word.upper()", 'withColumns louder = loud + "!"']],
  ["a column that is read twice is computed once", () => [
    withExpr("word", "word.upper()"),
    withColumns({ word: expr('word + "!"'), other: expr("word") }),
  ], [
    "read memory",
    "withColumns word = word.upper()",
    'withColumns word = word + "!", other = word',
  ]],
  ["a literal keeps the type that it has as a column", () => [
    withExpr("n", "1"),
    withExpr("n", "tiny.fillNull(n)"),
  ], ["read memory", "withColumns n = 1", "withColumns n = tiny.fillNull(n)"]],
  ["columns that nobody wants are not read", () => [
    withExpr("loud", "word.upper()"),
    select("loud"),
  ], ["read memory, only word", "withColumns loud = word.upper()", "select loud"]],
  ["dropped columns are not read", () => [drop("word"), filter(expr("tiny > 1"))], [
    "read memory, only id, tiny",
    "select id, tiny",
    "filter tiny > 1",
  ]],
  ["rows are counted by a column, even if none is needed", () => [
    withExpr("one", "1"),
    select("one"),
  ], ["read memory, only id", "withColumns one = 1", "select one"]],
  ["expressions that a select leaves out are not computed, nor their columns read", () => [
    withColumns({ loud: expr("word.upper()"), more: expr("tiny + 1"), sum: expr("id + id") }),
    filter(expr("sum > 2")),
    select("more"),
  ], [
    "read memory, only id, tiny",
    "withColumns more = tiny + 1, sum = id + id",
    "filter sum > 2",
    "select more",
  ]],
  ["a step all of whose expressions are dropped does not run", () => [
    withColumns({ loud: expr("word.upper()"), word: expr('word + "!"') }),
    regroup({ rows: 4 }),
    filter(expr("id > 0")),
    drop("loud", "word"),
  ], ["read memory, only id, tiny", "regroup 4 rows", "filter id > 0", "select id, tiny"]],
  ["filters that an unneeded expression held apart are one", () => [
    filter(expr("id > 0")),
    withExpr("loud", "word.upper()"),
    filter(expr("tiny > 2")),
    drop("loud", "word"),
  ], ["read memory, only id, tiny", "filter id > 0 && tiny > 2", "select id, tiny"]],
  ["what a dropped expression alone reads is not computed either", () => [
    withExpr("loud", "word.upper()"),
    withColumns({ louder: expr('loud + "!"'), longer: expr('loud + "?"') }),
    filter(expr("id > 0")),
    select("id"),
  ], ["read memory, only id", "filter id > 0", "select id"]],
  ["of several columns of one expression those that are wanted are computed", () => [
    withExpr("part", 'word.partition(" ")'),
    select("part_after"),
  ], [
    "read memory, only word",
    'withColumns part_after = word.partition(" ").after',
    "select part_after",
  ]],
  ["an expression whose column is dropped behind the one that reads it fuses with that one", () => [
    withColumns({ loud: expr("word.upper()"), first: expr("id == 1") }),
    withExpr("louder", 'loud + "!"'),
    drop("loud"),
  ], [
    "read memory",
    'withColumns first = id == 1, louder = word.upper() + "!"',
    "select id, tiny, word, first, louder",
  ]],
  ["a replaced column keeps its place among the new ones", () => [
    withColumns({ one: expr("id"), two: expr("word"), three: expr("tiny") }),
    withExpr("two", "two.upper()"),
  ], ["read memory", "withColumns one = id, two = word.upper(), three = tiny"]],
  ["an operator of a plugin sees every column", () => [
    withExpr("loud", "word.upper()"),
    everyNth({ n: 2 }),
    select("id"),
  ], ["read memory", "withColumns loud = word.upper()", 'everyNth {"n":2}', "select id"]],
  ["swapped names are followed to the source", () => [
    rename({ id: "word", word: "id" }),
    select("id"),
  ], ["read memory, only id, word", "rename id=word, word=id", "select id"]],
];

Deno.test("rewrite: an operator of a plugin is not taken for one of ours of its name", async () => {
  const range = { start: 0, stop: 4, step: 1 };
  const sliceOfPlugin = defineOperator<typeof range>({
    name: "slice",
    rows: "fewer",
    schema: (input) => input,
    open: () => ({}),
  });
  const operators = () => [sliceOfPlugin(range), head(3)];
  assertEquals(await ranAs(operators), [
    "read memory",
    'slice {"start":0,"stop":4,"step":1}',
    "head :3",
  ]);
  await sameRows(operators);
});

for (const [title, operators, expected] of cases) {
  Deno.test(`rewrite: ${title}`, async () => {
    assertEquals(await ranAs(operators), expected);
    await sameRows(operators);
  });
}

Deno.test("rewrite: a strict conversion whose column is dropped refuses nothing", async () => {
  const strict = withExpr("n", "word.toInteger({strict: true})");
  const dropped = await toTable(stream(fused, () => [strict, drop("n")]));
  assertEquals(dropped.schema.names, ["id", "tiny", "word"]);
  const kept = stream(fused, () => [withExpr("n", "word.toInteger({strict: true})")]);
  await assertRejects(() => toTable(kept), StepError, 'toInteger(word) refuses "a"');
});

Deno.test("rewrite: a mistake in an expression that is dropped is still found", async () => {
  const plan = () => stream(fused, () => [withExpr("n", "wrod.upper()"), select("id")]);
  await assertRejects(() => toTable(plan()), StepError, "Unknown column wrod; did you mean word?");
});

Deno.test("rewrite: a join gives the columns that are wanted after it, in any order", async () => {
  const build = () => fromBatches(batches).pipeThrough(rename({ word: "name" }));
  for (const how of ["inner", "left"] as const) {
    for (const wanted of [["name"], ["word"], ["id"], ["tiny_right", "id", "name"]]) {
      await sameRows(() => [join(build(), { on: "id", how }), select(...wanted)]);
    }
    await sameRows(() => [
      join(build(), { on: "id", how }),
      filter(expr('name != "a"')),
      select("tiny"),
    ]);
  }
  const plan = await stream(fused, () => [join(build(), { on: "id" }), select("name")]).explain();
  assertMatch(plan, /left out: id, tiny\n/);
  assertMatch(plan, /read memory, only id\n/);
});

Deno.test("rewrite: a column with the suffix needs the one that gave it the suffix", async () => {
  const build = () => fromBatches(batches);
  const operators = () => [join(build(), { on: "id" }), select("word_right")];
  const result = await sameRows(operators);
  assertEquals(rowsOf(result).map(({ word_right }) => word_right), [
    "a",
    "b",
    null,
    "d e",
    "é",
    "f",
  ]);
});

Deno.test("rewrite: a column with the suffix twice needs the one that has it once", async () => {
  const people = batchOf({ id: [new Int32(), [1]], city_right: [new Utf8(), ["Zürich"]] });
  const offices = batchOf({ id: [new Int32(), [1]], city_right: [new Utf8(), ["東京"]] });
  for (const fuse of [true, false]) {
    const engine = createEngine({ device: "cpu", fuse });
    const joined = fromBatches(people, { engine })
      .pipeThrough(join(fromBatches(offices, { engine }), { on: "id" }))
      .pipeThrough(select("city_right_right"));
    assertEquals((await toTable(joined)).toArray().map((row) => row.city_right_right), ["東京"]);
  }
});

Deno.test("rewrite: two expressions for one column give the type that they give one by one", async () => {
  const texts = [
    "0.5",
    "word.length()",
    "tiny",
    "n + tiny",
    "tiny.fillNull(n)",
    "n.isNull() ? 1 : 2",
  ];
  for (const first of texts.filter((text) => !text.includes("n +") && !/\bn\b/.test(text))) {
    for (const second of texts) {
      const schemaOf = async (engine: Engine) => {
        const operators = () => [withExpr("n", first), withExpr("n", second)];
        return await stream(engine, operators).schema().then(String, (error) => error.message);
      };
      assertStrictEquals(await schemaOf(fused), await schemaOf(unfused));
    }
  }
});

Deno.test("a source that can seek gives the rows and columns of the result and no others", async () => {
  const cases = [
    [() => [tail(10)], 10, { columns: undefined, ids: 10, batches: 2 }],
    [() => [head(10), select("id")], 10, { columns: ["id"], ids: 10, batches: 2 }],
    [() => [withExpr("loud", "word.upper()"), slice(-20, -15), select("loud")], 5, {
      columns: ["word"],
      ids: 5,
      batches: 1,
    }],
    [() => [take([100 - 1, 3, -1, 4, 8])], 5, { columns: undefined, ids: 4, batches: 3 }],
    [() => [withExpr("loud", "word.upper()"), slice(null, null, -33), select("id")], 4, {
      columns: ["id"],
      ids: 4,
      batches: 4,
    }],
    [() => [filter(expr("id >= 95")), tail(2)], 2, { columns: undefined, ids: 100, batches: 13 }],
    [() => [filter(expr("id >= 8")), head(2)], 2, { columns: undefined, ids: 16, batches: 2 }],
  ] as const;
  for (const [operators, numRows, expected] of cases) {
    const { source, given } = watchedSource(
      numberedBatches(13, 8).map((batch, index) => index === 12 ? batch.slice(0, 4) : batch),
    );
    let result: BatchStream = new Stream({ source, nodes: [], engine: fused.plans });
    for (const operator of operators()) result = result.pipeThrough(operator);
    assertEquals((await toTable(result)).numRows, numRows);
    assertEquals(given, expected);
  }
});
