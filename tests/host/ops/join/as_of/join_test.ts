import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { createEngine, expr, fromBatches, select, StepError, toTable } from "../../../../../mod.ts";
import { asOfJoin, type AsOfOptions } from "../../../../../ops/join/as_of/join.ts";
import { bindTolerance, parseTolerance } from "../../../../../ops/join/as_of/tolerance.ts";
import { valuesOf } from "../../../../support/values/arrow_values.ts";
import { modelMatch, type ModelTime } from "../../../../support/models/as_of_model.ts";
import { groupKinds, randomSide, timePairs } from "../../../../support/joins/as_of_tables.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { batchOf, rowsOf } from "../../../../support/values/streams_samples.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const engine = createEngine({ device: "cpu" });

type Batches = arrow.RecordBatch | readonly arrow.RecordBatch[];
const streamOf = (batches: Batches, of = engine) =>
  fromBatches(batches as arrow.RecordBatch[], { engine: of });

/** Engines without the memory for a build side: groups go to files. */
const tight = [1, 2000, 50_000].map((memory) => createEngine({ device: "cpu", memory }));

async function joined(
  left: Batches,
  right: Batches,
  options: AsOfOptions,
): Promise<Record<string, unknown>[]> {
  const stream = streamOf(left).pipeThrough(asOfJoin(streamOf(right), options));
  return rowsOf((await toTable(stream)).batches);
}

const times = (
  name: string,
  values: readonly unknown[],
  type: arrow.DataType = new arrow.Int64(),
) =>
  batchOf({
    [name]: [type, values],
    row: [new arrow.Int32(), values.map((_, row) => row)],
  });

Deno.test("backward, forward and nearest: ties, nulls, and times beyond both ends", async () => {
  const left = times("t", [0n, 3n, 5n, null, 6n, 7n, 20n]);
  const right = times("t", [1n, 3n, 3n, null, 7n, 7n, 9n]);
  const met = async (options: Omit<AsOfOptions, "asOf"> = {}) =>
    (await joined(left, right, { asOf: "t", ...options })).map(({ row_right }) => row_right);
  assertEquals(await met(), [null, 2, 2, null, 2, 5, 6]);
  assertEquals(await met({ direction: "forward" }), [0, 1, 4, null, 4, 4, null]);
  // 5 is as far from 3 as from 7.
  assertEquals(await met({ direction: "nearest" }), [0, 2, 2, null, 5, 5, 6]);
  assertEquals(await met({ tolerance: 2 }), [null, 2, 2, null, null, 5, null]);
  assertEquals(await met({ tolerance: 0 }), [null, 2, null, null, null, 5, null]);
  assertEquals(await met({ direction: "nearest", tolerance: 1 }), [0, 2, null, null, 5, 5, null]);
  assertEquals(await met({ how: "inner" }), [2, 2, 2, 5, 6]);
});

Deno.test("times and groups that are computed: the columns of both sides come out", async () => {
  const side = (times: readonly string[], names: readonly string[]) =>
    batchOf({
      at: [new arrow.Utf8(), times],
      city: [new arrow.Utf8(), names],
    });
  const left = side(["2026-01-01T10:00:05", "2026-01-01T10:00:06"], ["Ærø", "東京"]);
  const right = side(["2026-01-01T10:00:04", "2026-01-01T10:00:06"], ["ÆRØ", "東京"]);
  const time = expr('cast(at, "timestamp[ms]")');
  const rows = await joined(left, right, {
    asOf: [[time, time]],
    by: [[expr("upper(city)"), "city"]],
    tolerance: "1s",
  });
  assertEquals(rows.map((row) => Object.values(row)), [
    ["2026-01-01T10:00:05", "Ærø", "2026-01-01T10:00:04", "ÆRØ"],
    ["2026-01-01T10:00:06", "東京", "2026-01-01T10:00:06", "東京"],
  ]);
  const plain = joined(left, right, { asOf: "at" });
  await assertRejects(
    () => plain,
    StepError,
    'cast it, such as cast(at, "timestamp[ms]")',
  );
});

Deno.test("columns: the time and the by columns once, under their left names", async () => {
  const left = batchOf({
    at: [new arrow.Int64(), [5n]],
    ticker: [new arrow.Utf8(), ["AAPL"]],
    price: [new arrow.Float64(), [1]],
  });
  const right = batchOf({
    time: [new arrow.Int64(), [4n]],
    symbol: [new arrow.Utf8(), ["AAPL"]],
    price: [new arrow.Float64(), [2]],
    at: [new arrow.Int32(), [9]],
  });
  const options: AsOfOptions = { asOf: { at: "time" }, by: { ticker: "symbol" } };
  const [row] = await joined(left, right, options);
  assertEquals(row, { at: 5n, ticker: "AAPL", price: 1, price_right: 2, at_right: 9 });
  const [all] = await joined(left, right, { ...options, keepKeys: true, suffix: "_2" });
  assertEquals(all, {
    at: 5n,
    ticker: "AAPL",
    price: 1,
    time: 4n,
    symbol: "AAPL",
    price_2: 2,
    at_2: 9,
  });
  const [some] = await joined(left, right, { ...options, columns: ["at"] });
  assertEquals(some, { at: 5n, ticker: "AAPL", price: 1, at_right: 9 });
  const stream = () => streamOf(left).pipeThrough(asOfJoin(streamOf(right), options));
  assertEquals((await stream().schema()).fields.map(({ nullable }) => nullable).slice(3), [
    true,
    true,
  ]);
  const picked = stream().pipeThrough(select("at_right", "price"));
  assertEquals(rowsOf((await toTable(picked)).batches), [{ at_right: 9, price: 1 }]);
  await assertRejects(
    () => joined(left, right, { ...options, suffix: "" }),
    StepError,
    'step 2, join: Columns 3 and 4 would have the same name, "price"; give another suffix',
  );
});

Deno.test("explain tells the types, the direction and how the build side is held", async () => {
  const side = batchOf({ t: [new arrow.Int32(), [1]], g: [new arrow.Utf8(), ["a"]] });
  const text = async (options: AsOfOptions) =>
    await streamOf(side).pipeThrough(asOfJoin(streamOf(side), options)).explain();
  const streamed = await text({ asOf: "t", direction: "nearest", tolerance: "5" });
  assert(streamed.includes("left, nearest as of t, within 5"), streamed);
  assert(streamed.includes("time: int32 with int32, as int32"), streamed);
  assert(streamed.includes("build side: read along with the stream"), streamed);
  const grouped = await text({ asOf: "t", by: "g", how: "inner" });
  assert(grouped.includes("inner, backward as of t, by g"), grouped);
  assert(grouped.includes("build side: in memory by group"), grouped);
});

Deno.test("mistakes in options are errors at once, and in columns before any row is read", async () => {
  const side = () => times("t", [1n]);
  const wrong = (options: unknown) => () => asOfJoin(streamOf(side()), options as AsOfOptions);
  assertThrows(wrong({ asOf: {} }), TypeError, "An as-of join has one time, not 0");
  assertThrows(wrong({ asOf: { a: "b", c: "d" } }), TypeError, "one time, not 2");
  assertThrows(wrong({ asOf: "t", direction: "sideways" }), TypeError, 'not "sideways"');
  assertThrows(
    wrong({ asOf: "t", how: "full" }),
    TypeError,
    'must be one of "left", "inner", not "full"',
  );
  assertThrows(wrong({ asOf: "t", tolerance: -1 }), RangeError, "a number of 0 or more");
  assertThrows(wrong({ asOf: "t", validate: "1:1" }), TypeError, "no option validate");
  assertThrows(wrong({ asOf: "t", columns: "a" }), TypeError, "The option columns of a join");
  assertThrows(wrong({ asOf: "t", by: 5 }), TypeError, "The option by of a join");
  const late = (left: Batches, right: Batches, options: Omit<AsOfOptions, "asOf">, text: string) =>
    assertRejects(() => joined(left, right, { asOf: "t", ...options }), StepError, text);
  await late(side(), times("u", [1n]), {}, "t");
  await late(
    side(),
    times("t", [1n], new arrow.Uint64()),
    {},
    "no common type for int64 and uint64",
  );
  await late(side(), times("t", [1], new arrow.Float64()), {}, "no common type");
  await late(side(), times("t", [1000], new arrow.TimestampSecond()), {}, "no common type");
  await late(
    times("t", [1000], new arrow.TimestampSecond()),
    times("t", [1000], new arrow.TimestampMillisecond()),
    {},
    "no common type for timestamp[s] and timestamp[ms]",
  );
  await late(
    times("t", ["a"], new arrow.Utf8()),
    side(),
    {},
    "a time is a number, timestamp, date, time or duration, not string",
  );
  await late(side(), side(), { tolerance: "2s" }, "t is int64; give a number");
  await late(side(), side(), { tolerance: 1.5 }, "not a whole number of units");
});

Deno.test("every direction, type, group and kind of batch as the model has it", async () => {
  const directions = ["backward", "forward", "nearest"] as const;
  const drawn = new Draws([
    ...timePairs.map(({ left, right }) => `${left} with ${right}`),
    ...directions,
    ...["no groups", "one column of groups", "two columns of groups"],
    ...["left", "inner", "no tolerance", "a tolerance", "an empty build side", "an empty stream"],
  ]);
  await forSeeds(fewOr(80, 200), async (random) => {
    const pair = random.pick(timePairs);
    const groups = Array.from({ length: random.below(3) }, () => random.pick(groupKinds));
    const direction = random.pick(directions);
    const how = random.pick(["left", "inner"] as const);
    const tolerance = random.chance(0.5) ? random.pick(pair.tolerances) : undefined;
    drawn.add(`${pair.left} with ${pair.right}`);
    drawn.add(direction);
    drawn.add(how);
    drawn.add(["no groups", "one column of groups", "two columns of groups"][groups.length]!);
    drawn.add(tolerance === undefined ? "no tolerance" : "a tolerance");
    const sideOf = (side: "left" | "right", prefix: string) =>
      randomSide(random, {
        prefix,
        timeName: side === "left" ? "t" : "u",
        timeType: pair[side],
        value: pair.value,
        groups: groups.map((group) => ({ type: group[side], values: group.values })),
      });
    const [left, right] = [sideOf("left", "l"), sideOf("right", "r")];
    if (left.times.length === 0) drawn.add("an empty stream");
    if (right.times.length === 0) drawn.add("an empty build side");
    const options: AsOfOptions = {
      asOf: { t: "u" },
      by: groups.map((_, index) => `g${index}`),
      direction,
      how,
      ...(tolerance === undefined ? {} : { tolerance }),
    };
    const of = random.pick([engine, engine, ...tight]);
    const table = await toTable(
      streamOf(left.batches, of).pipeThrough(asOfJoin(streamOf(right.batches, of), options)),
    );
    const column = (name: string) =>
      table.batches.flatMap((batch) =>
        valuesOf(batch.data.children[batch.schema.names.indexOf(name)]!)
      );
    const rule = { direction, tolerance: exact(tolerance, pair.left) };
    const met = left.times.map((time, row) =>
      left.keys[row] === null ? -1 : modelMatch(
        rule,
        time,
        right.times.map((other, at) => right.keys[at] === left.keys[row] ? other : null),
      )
    );
    const rows = [...met.keys()].filter((row) => how === "left" || met[row]! >= 0);
    assertEquals(column("l_row"), rows, "rows of the stream");
    assertEquals(column("r_row"), rows.map((row) => met[row]! < 0 ? null : met[row]));
    assertEquals(column("t"), rows.map((row) => left.times[row]));
    const textOf = (row: number) =>
      ["", "é", "€uro zone", "𝄞 clef", "longer than twelve bytes", null][row % 6];
    assertEquals(column("l_text"), rows.map(textOf));
    assertEquals(column("r_text"), rows.map((row) => met[row]! < 0 ? null : textOf(met[row]!)));
  }, drawn);
});

/** A tolerance as the model takes it. */
function exact(
  tolerance: number | bigint | string | undefined,
  type: arrow.DataType,
): ModelTime | null {
  if (tolerance === undefined) return null;
  const { high, low } = bindTolerance(parseTolerance(tolerance), type, "t");
  return arrow.DataType.isFloat(type) ? high : BigInt(high) + BigInt(low);
}
