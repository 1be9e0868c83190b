import {
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  Binary,
  Field,
  Int32,
  Schema,
  Table,
  tableFromArrays,
  vectorFromArray,
} from "apache-arrow";
import {
  count,
  countDistinct,
  createEngine,
  type Expr,
  expr,
  fromBatches,
  group,
  type GroupKeys,
  list,
  max,
  min,
  regroup,
  type RunStats,
  StepError,
  sum,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { bytesSpilled } from "../../../support/joins/bytes_spilled.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

interface Row {
  readonly city: string | null;
  readonly class: number | null;
  readonly amount: number | null;
  readonly qty: number | null;
  readonly ok: boolean | null;
}

function randomRow(random: SeededRandom): Row {
  const orNull = <T>(value: T) => random.chance(0.2) ? null : value;
  return {
    city: orNull(random.pick(["Zürich", "San José", "東京", "", "zürich"])),
    class: orNull(random.below(3)),
    amount: orNull(random.below(100_000) / 100),
    qty: orNull(random.below(40) - 20),
    ok: orNull(random.chance(0.5)),
  };
}

function tableOf(rows: readonly Row[]): Table {
  return new Table({
    city: vectorFromArray(rows.map(({ city }) => city)),
    class: vectorFromArray(rows.map((row) => row.class), new Int32()),
    amount: vectorFromArray(rows.map(({ amount }) => amount)),
    qty: vectorFromArray(rows.map(({ qty }) => qty), new Int32()),
    ok: vectorFromArray(rows.map(({ ok }) => ok)),
  });
}

/** The columns that are compared, as Sluice and as DuckDB write them. */
const SAME: Readonly<Record<string, readonly [ours: string, theirs: string]>> = {
  n: ["count()", "count(*)"],
  present: ["count(amount)", "count(amount)"],
  total: ["sum(qty)", "sum(qty)::BIGINT"],
  average: ["mean(qty)", "sum(qty) / count(qty)"],
  least: ["min(amount)", "min(amount)"],
  greatest: ["max(city)", "max(city)"],
  distinct: ["countDistinct(city)", "count(DISTINCT city)"],
  middle: ["median(qty)", "median(qty)"],
  any: ["any(ok)", "bool_or(ok)"],
  all: ["all(ok)", "bool_and(ok)"],
  first: ["first(qty)", "first(qty ORDER BY i)"],
  last: ["last(qty)", "last(qty ORDER BY i)"],
  share: ["sum(qty) / count()", "sum(qty) / count(*)"],
  spread: ["max(qty) - min(qty)", "(max(qty) - min(qty))::BIGINT"],
};
/** DuckDB rounds these more than once. */
const NEAR: typeof SAME = {
  exact: ["sum(amount)", "fsum(amount)"],
  mean: ["mean(amount)", "fsum(amount) / count(amount)"],
  p90: ["quantile(amount, 0.9)", "quantile_cont(amount, 0.9)"],
  std: ["std(amount)", "stddev_samp(amount)"],
  variance: ["variance(qty)", "var_samp(qty)"],
  corr: ["corr(amount, qty)", "corr(amount, qty)"],
};

Deno.test("groups of any keys and batches are those of DuckDB, in the order of their first rows", () =>
  inFolder((folder) =>
    forSeeds(6, async (random) => {
      const rows = Array.from({ length: 1 + random.below(300) }, () => randomRow(random));
      const file = `${folder}/rows.ndjson`;
      await Deno.writeTextFile(
        file,
        rows.map((row, i) => JSON.stringify({ i, ...row }) + "\n").join(""),
      );
      const keys = random.pick([["city"], ["city", "class"], ["class"], ["ok", "city", "class"]]);
      const select = Object.entries({ ...SAME, ...NEAR })
        .map(([name, [, theirs]]) => `${theirs} AS "${name}"`);
      const columns = "{i: 'BIGINT', city: 'VARCHAR', class: 'INTEGER', amount: 'DOUBLE', " +
        "qty: 'INTEGER', ok: 'BOOLEAN'}";
      const wanted = await queryDuckDb(
        `SELECT ${keys}, ${select} FROM read_json('${file}', columns = ${columns}) ` +
          `GROUP BY ${keys} ORDER BY min(i)`,
      );
      const results = await Promise.all(
        [1, 7, 65_536].map((size) => grouped(tableOf(rows), keys, [...Object.keys(SAME)], size)),
      );
      const same = wanted.map((row) => pick(row, [...keys, ...Object.keys(SAME)]));
      for (const result of results) assertEquals(result, same);
      const near = await grouped(tableOf(rows), keys, Object.keys(NEAR), 7);
      near.forEach((row, index) => {
        for (const name of Object.keys(NEAR)) assertNear(row[name], wanted[index]![name]);
      });
    })
  ));

async function grouped(
  table: Table,
  keys: GroupKeys,
  names: readonly string[],
  rows: number,
): Promise<Record<string, unknown>[]> {
  const all = { ...SAME, ...NEAR };
  const columns = Object.fromEntries(names.map((name) => [name, expr(all[name]![0])]));
  const stream = fromBatches(table).pipeThrough(regroup({ rows })).pipeThrough(
    group(keys, columns),
  );
  return (await toTable(stream)).toArray().map((row) => row.toJSON());
}

function pick(row: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

function assertNear(ours: unknown, theirs: unknown): void {
  if (typeof ours !== "number" || typeof theirs !== "number") {
    assertEquals(ours ?? NaN, theirs ?? NaN);
  } else if (!Number.isNaN(ours) || !Number.isNaN(theirs)) assertAlmostEquals(ours, theirs, 1e-6);
}

const sales = tableFromArrays({
  city: ["Oslo", "Rome", "Oslo", "Rome"],
  qty: Int32Array.of(1, 2, 3, 4),
});

async function rowsOf(keys: GroupKeys, columns?: Record<string, Expr>): Promise<unknown[]> {
  const stream = fromBatches(sales).pipeThrough(group(keys, columns));
  return (await toTable(stream)).toArray().map((row) => row.toJSON());
}

Deno.test("group() takes names, expressions and names of expressions as keys", async () => {
  const n = { n: count() };
  assertEquals(await rowsOf("city", n), [{ city: "Oslo", n: 2n }, { city: "Rome", n: 2n }]);
  assertEquals(await rowsOf(["city", expr("qty > 2")], n), [
    { city: "Oslo", "qty > 2": false, n: 1n },
    { city: "Rome", "qty > 2": false, n: 1n },
    { city: "Oslo", "qty > 2": true, n: 1n },
    { city: "Rome", "qty > 2": true, n: 1n },
  ]);
  assertEquals(await rowsOf({ odd: expr("qty % 2 == 1") }, { total: sum("qty") }), [
    { odd: true, total: 4n },
    { odd: false, total: 6n },
  ]);
  assertEquals(await rowsOf("city"), [{ city: "Oslo" }, { city: "Rome" }]);
  assertEquals(await rowsOf([], { total: expr("sum(qty) * 2") }), [{ total: 20n }]);
});

Deno.test("a list has the values of a group in their order", async () => {
  const joined = { all: expr('list(city).join("+")'), qty: list("qty") };
  const [row] = (await toTable(fromBatches(sales).pipeThrough(group([], joined)))).toArray();
  assertEquals([row!.all, [...row!.qty]], ["Oslo+Rome+Oslo+Rome", [1, 2, 3, 4]]);
});

Deno.test("without keys, no rows are one group; with keys they are none", async () => {
  const none = fromBatches(sales.slice(0, 0));
  const columns = { n: count(), total: sum("qty") };
  const [all, byCity] = await Promise.all([
    toTable(none.pipeThrough(group([], columns))),
    toTable(fromBatches(sales.slice(0, 0)).pipeThrough(group("city", columns))),
  ]);
  assertEquals(all.toArray().map((row) => row.toJSON()), [{ n: 0n, total: null }]);
  assertEquals([byCity.numRows, byCity.numCols], [0, 3]);
});

Deno.test("aggregates that nobody reads are not computed", async () => {
  const big = tableFromArrays({ city: ["a", "a"], big: BigInt64Array.of(2n ** 62n, 2n ** 62n) });
  const stream = (names: readonly string[]) =>
    fromBatches(big)
      .pipeThrough(group("city", { n: count(), total: sum("big") }))
      .pipeThrough(withColumns({ twice: expr("n * 2") }))
      .pipeThrough(group([], { sum: expr(`sum(${names[0]})`) }));
  assertEquals((await toTable(stream(["twice"]))).toArray()[0]!.sum, 4n);
  await assertRejects(
    () => toTable(stream(["total"])),
    StepError,
    'step 2, group: sum(big) of city "a" is 9223372036854775808, which does not fit int64',
  );
});

for (
  const [text, message] of [
    ["sum(sum(qty))", "An aggregate of an aggregate takes a second group"],
    ["sum(city)", "sum() takes numbers, city is string; cast() makes numbers of text"],
    ["any(qty)", "any() takes true and false, qty is int32"],
    ["sum(qty) + qty", "qty has many values in a group; take one, such as first(qty)"],
    ["quantile(qty, 2)", "The share of quantile() is a number from 0 to 1"],
    ["quantile(qty, qty)", "The share of quantile() is a number from 0 to 1"],
    ["sum(nope)", "Unknown column nope"],
  ] as const
) {
  Deno.test(`group() refuses ${text}`, async () => {
    const stream = fromBatches(sales).pipeThrough(group("city", { x: expr(text) }));
    await assertRejects(() => toTable(stream), StepError, `step 2, group: ${message}`);
  });
}

Deno.test("an aggregate outside of a group names the step that computes it", async () => {
  const stream = fromBatches(sales).pipeThrough(withColumns({ x: expr("max(qty)") }));
  await assertRejects(
    () => toTable(stream),
    StepError,
    "max(qty) is over many rows: only group computes it; greatest(a, b)",
  );
});

Deno.test("group() checks its arguments when it is called", () => {
  const given = (keys: unknown, columns?: unknown) => () =>
    group(keys as GroupKeys, columns as Record<string, Expr>);
  assertThrows(given(5), TypeError, "The keys of group() are names or expressions, not a number");
  assertThrows(given("city", { n: 5 }), TypeError, "n must be an expression");
  assertThrows(given([]), TypeError, "group() needs a key or an aggregate");
  assertThrows(given(["city", "city"]), TypeError, 'would have the same name, "city"');
  assertThrows(given("city", { city: count() }), TypeError, 'would have the same name, "city"');
  assertThrows(given([sum("qty")]), TypeError, "The key sum(qty) is an aggregate");
});

Deno.test("explain names the keys, the aggregates and the place of groups", async () => {
  const text = await fromBatches(sales).pipeThrough(group("city", { n: count() })).explain();
  assertStringIncludes(
    text,
    "group city: n = count()\n    groups: on the host; what exceeds the memory goes to temporary files\n",
  );
});

Deno.test("groups beyond the memory go to files, and come in the order of their first rows", async () => {
  // Two rounds of 40,000 numbers, so that groups in memory and in files get a second row.
  const numRows = 80_000;
  const ids = Int32Array.from({ length: numRows }, (_, row) => row * 7919 % 40_009 + row % 2);
  const rows = new Table({
    id: vectorFromArray([...ids].map((id) => id % 5000 === 3 ? null : `station ${id}`)),
    row: vectorFromArray(Int32Array.from(ids.keys())),
  });
  const runs: RunStats[] = [];
  const computed = async (memory: number) => {
    const engine = createEngine({ device: "cpu", memory, onRun: (run) => runs.push(run) });
    const stream = fromBatches(rows, { engine })
      .pipeThrough(regroup({ rows: 5_000 }))
      .pipeThrough(group("id", { n: count(), first: min("row"), total: sum("row") }));
    const table = await toTable(stream);
    await engine.close();
    return {
      spilled: bytesSpilled(runs.splice(0)),
      columns: ["id", "n", "first", "total"].map((name) => [...table.getChild(name)!]),
    };
  };
  const [much, little, least] = [
    await computed(1 << 30),
    await computed(8 << 20),
    await computed(64 << 10),
  ];
  assertEquals([much.spilled > 0, little.spilled > 0], [false, true]);
  assertEquals(least.spilled > little.spilled, true);
  assertEquals(little.columns, much.columns);
  assertEquals(least.columns, much.columns);
});

Deno.test("a value of a column keeps the metadata of its column", async () => {
  const mark = new Map([["unit", "m"]]);
  const type = new Int32();
  const height = vectorFromArray([1, 2], type);
  const schema = new Schema([new Field("height", type, true, mark)]);
  const stream = fromBatches(new Table(schema, { height }))
    .pipeThrough(group([], { h: max("height"), n: count("height") }));
  const fields = (await toTable(stream)).schema.fields;
  assertEquals(fields.map(({ metadata }) => [...metadata]), [[["unit", "m"]], []]);
});

Deno.test("bytes that are no text are keys and values", async () => {
  const bytes = [[0xff], [0xff], [0xfe, 0]].map((item) => Uint8Array.from(item));
  const table = new Table({ bytes: vectorFromArray(bytes, new Binary()) });
  const stream = fromBatches(table)
    .pipeThrough(group("bytes", { n: count(), d: countDistinct("bytes") }));
  const rows = (await toTable(stream)).toArray();
  assertEquals(rows.map(({ bytes, n, d }) => [[...bytes], n, d]), [
    ...[[[0xff], 2n, 1n], [[0xfe, 0], 1n, 1n]],
  ]);
});

Deno.test("correlation and deviation neither overflow nor vanish on the way", async () => {
  // By Python's fractions.
  const table = tableFromArrays({
    x: Float64Array.of(1, 2, 3),
    tiny: Float64Array.of(1e-200, 2e-200, 3.1e-200),
    huge: Float64Array.of(1e160, 2e160, 4e160),
  });
  const columns = {
    a: expr("corr(x, tiny)"),
    b: expr("corr(x, huge)"),
    c: expr("corr(huge, huge)"),
    s: expr("std(huge)"),
  };
  const [row] = (await toTable(fromBatches(table).pipeThrough(group([], columns)))).toArray();
  assertAlmostEquals(row!.a, 0.9996222851612185, 1e-15);
  assertAlmostEquals(row!.b, 0.9819805060619657, 1e-15);
  assertEquals(row!.c, 1);
  assertAlmostEquals(row!.s / 1e160, 1.5275252316519468, 1e-15);
});

Deno.test("a sum that does not fit is null inside of orNull()", async () => {
  const table = tableFromArrays({
    k: ["a", "a", "b"],
    v: BigInt64Array.of(2n ** 63n - 1n, 1n, 1n),
  });
  const stream = fromBatches(table).pipeThrough(group("k", { x: expr("orNull(sum(v) + 1)") }));
  assertEquals((await toTable(stream)).toArray().map(({ x }) => x), [null, 2n]);
});
