import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import {
  Bool,
  DateDay,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  Table,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  createEngine,
  desc,
  distinct,
  type DistinctOptions,
  expr,
  fromBatches,
  group,
  type Operator,
  regroup,
  type RunStats,
  sort,
  type SortKey,
  StepError,
  top,
  toTable,
  values,
} from "../../../../mod.ts";
import { compareValues, type Plain } from "../../../support/models/aggregate_model.ts";
import { bytesSpilled } from "../../../support/joins/bytes_spilled.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

type Row = Readonly<Record<string, Plain | null>>;

const COLUMNS: Readonly<Record<string, (random: SeededRandom) => Plain>> = {
  long: (random) => random.pick([2n ** 53n, 2n ** 53n + 1n, -1n, -(2n ** 63n), 2n ** 63n - 1n]),
  float: (random) => random.pick([NaN, Infinity, -Infinity, 0, -0, 1.5, random.next()]),
  text: (random) =>
    random.pick(["", "San", "San Jo", "San José", "San Joseé", "東京", "\u{10ffff}"]),
  flag: (random) => random.chance(0.5),
  small: (random) => random.below(4),
};

const TYPES = {
  long: new Int64(),
  float: new Float64(),
  text: new Utf8(),
  flag: new Bool(),
  small: new Int32(),
  row: new Int32(),
};

function randomRows(random: SeededRandom, numRows: number): Row[] {
  return Array.from({ length: numRows }, (_, row) => ({
    ...Object.fromEntries(
      Object.entries(COLUMNS).map(([name, draw]) => [
        name,
        random.chance(0.15) ? null : draw(random),
      ]),
    ),
    row,
  }));
}

function tableOf(rows: readonly Row[]): Table {
  return new Table(
    Object.fromEntries(
      Object.entries(TYPES).map(([name, type]) => [
        name,
        vectorFromArray(rows.map((row) => row[name]), type as Int32),
      ]),
    ),
  );
}

interface Key {
  readonly name: string;
  readonly descending: boolean;
}

function compareRows(keys: readonly Key[], nullsFirst: boolean, left: Row, right: Row): number {
  for (const { name, descending } of keys) {
    const [a, b] = [left[name] ?? null, right[name] ?? null];
    if (a === null && b === null) continue;
    if (a === null || b === null) return (a === null) === nullsFirst ? -1 : 1;
    const order = compareValues(a, b);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

/** The numbers of the rows that come out. */
async function numbersOf(
  rows: readonly Row[],
  operator: Operator,
  { size = 65_536, memory = 1 << 30 } = {},
): Promise<{ numbers: number[]; spilled: number }> {
  const runs: RunStats[] = [];
  const engine = createEngine({ device: "cpu", memory, onRun: (run) => runs.push(run) });
  const stream = fromBatches(tableOf(rows), { engine }).pipeThrough(regroup({ rows: size }));
  const table = await toTable(stream.pipeThrough(operator));
  await engine.close();
  return { numbers: [...table.getChild("row")!], spilled: bytesSpilled(runs) };
}

Deno.test("sort() puts rows of any types in the order of the model, and keeps equal ones in theirs", () => {
  const draws = new Draws(["files", "many runs", "nulls first", "several keys", "nothing"]);
  return forSeeds(25, async (random) => {
    const rows = randomRows(random, random.pick([0, 1, 40, 700, 8000]));
    const names = Object.keys(COLUMNS).sort(() => random.next() - 0.5);
    const keys = names.slice(0, 1 + random.below(3))
      .map((name) => ({ name, descending: random.chance(0.5) }));
    const nulls = random.pick(["first", "last"] as const);
    const given = keys.map(({ name, descending }): SortKey =>
      descending ? random.pick([`-${name}`, desc(name)]) : random.pick([name, expr(name)])
    );
    const limits = random.pick([{}, { size: 7 }, { size: 300, memory: 64 << 10 }]);
    const wanted = rows.toSorted((a, b) => compareRows(keys, nulls === "first", a, b));
    const { numbers, spilled } = await numbersOf(rows, sort(given, { nulls }), limits);
    assertEquals(numbers, wanted.map(({ row }) => row), JSON.stringify(keys));
    if (spilled > 0) draws.add("files");
    // Each row was written twice.
    if (spilled > 400_000) draws.add("many runs");
    if (nulls === "first") draws.add("nulls first");
    if (keys.length > 1) draws.add("several keys");
    if (rows.length === 0) draws.add("nothing");
  }, draws);
});

Deno.test("top() keeps the greatest rows, or the least, of all rows or of each group", () =>
  forSeeds(25, async (random) => {
    const rows = randomRows(random, random.pick([1, 40, 700]));
    const name = random.pick(Object.keys(COLUMNS));
    const [count, least] = [random.below(12), random.chance(0.5)];
    const by = random.pick([[], ["small"], ["flag", "small"]]);
    const sorted = rows.toSorted((a, b) =>
      compareRows([{ name, descending: !least }], false, a, b)
    );
    const groupOf = (row: Row) => by.map((name) => String(row[name])).join();
    const groups = [...new Set(rows.map(groupOf))];
    const wanted = groups.flatMap((group) =>
      sorted.filter((row) => groupOf(row) === group).slice(0, count)
    );
    const size = random.pick([7, 65_536]);
    const { numbers } = await numbersOf(rows, top(count, name, { by, least }), { size });
    assertEquals(numbers, wanted.map(({ row }) => row));
  }));

Deno.test("top() drops rows that cannot come out once it has enough", async () => {
  const numbers = Int32Array.from({ length: 300_000 }, (_, row) => row * 7919 % 300_007);
  const table = new Table({ row: vectorFromArray(numbers) });
  const best = fromBatches(table).pipeThrough(regroup({ rows: 9_000 })).pipeThrough(top(3, "row"));
  const wanted = numbers.toSorted().toReversed().slice(0, 3);
  assertEquals([...(await toTable(best)).getChild("row")!], [...wanted]);
});

Deno.test("distinct() keeps the first row of a key, the last, or those alone", () =>
  forSeeds(20, async (random) => {
    const rows = randomRows(random, random.pick([0, 1, 60, 900]));
    const names = random.pick([["small"], ["text"], ["float", "flag"], ["long", "small"]]);
    const keep = random.pick(["first", "last", "none"] as const);
    // -0 is 0, and every NaN is one value.
    const keyOf = (row: Row) => names.map((name) => `${row[name]}`).join();
    const all = rows.map(keyOf);
    const wanted = rows.filter((row, index) => {
      const [first, last] = [all.indexOf(keyOf(row)), all.lastIndexOf(keyOf(row))];
      return keep === "first" ? first === index : keep === "last" ? last === index : first === last;
    });
    const options: DistinctOptions = random.chance(0.5) && keep === "first" ? {} : { keep };
    const limits = random.pick([{ size: 7 }, { size: 100, memory: 64 << 10 }, {}]);
    const { numbers } = await numbersOf(rows, distinct(names, options), limits);
    assertEquals(numbers, wanted.map(({ row }) => row));
  }));

const plain = new Table({
  city: vectorFromArray(["Oslo", "Rome", "Oslo", null, "Rome", "Bern"]),
  day: vectorFromArray([2, 1, 2, 1, 2, 1].map((day) => new Date(day * 86_400_000)), new DateDay()),
});

async function cities(operator: Operator): Promise<unknown[]> {
  return [...(await toTable(fromBatches(plain).pipeThrough(operator))).getChild("city")!];
}

Deno.test("keys may be expressions, and dates are in their order", async () => {
  assertEquals(await cities(sort([desc("day"), "city"])), [
    ...["Oslo", "Oslo", "Rome", "Bern", "Rome", null],
  ]);
  assertEquals(await cities(sort(expr("city.slice(1)"))), [
    ...["Bern", "Rome", "Rome", "Oslo", "Oslo", null],
  ]);
  assertEquals(await cities(top(1, desc(expr("city.length()")))), ["Oslo"]);
  assertEquals(await cities(distinct()), ["Oslo", "Rome", null, "Rome", "Bern"]);
  assertEquals(await cities(distinct(expr("city.slice(1)"))), ["Oslo", "Rome", null, "Bern"]);
});

Deno.test("values() counts the rows of each value, the most frequent first", async () => {
  const counted = await toTable(fromBatches(plain).pipeThrough(values("city")));
  assertEquals(counted.toArray().map(({ city, count }) => [city, count]), [
    ...[["Oslo", 2n], ["Rome", 2n], [null, 1n], ["Bern", 1n]],
  ]);
});

Deno.test("values without an order are refused by their type", async () => {
  const lists = new Table({
    tags: vectorFromArray([["a"], ["b"]], new List(new Field("item", new Utf8()))),
  });
  await assertRejects(
    () => toTable(fromBatches(lists).pipeThrough(sort("tags"))),
    StepError,
    "step 2, sort: sort() needs values in an order; tags is list<string>",
  );
  await assertRejects(
    () => toTable(fromBatches(plain).pipeThrough(top(1, "cty"))),
    StepError,
    "step 2, top: Unknown column cty; did you mean city?",
  );
});

Deno.test("sort(), top(), distinct() and values() check their arguments when they are called", () => {
  assertThrows(() => sort([]), TypeError, "sort() needs at least one key");
  assertThrows(
    () => sort(5 as never),
    TypeError,
    "A key of sort() is a name, an expression or desc",
  );
  assertThrows(
    () => sort("a", { nulls: "left" as never }),
    TypeError,
    "The option nulls of sort()",
  );
  assertThrows(
    () => top(-1, "a"),
    RangeError,
    "top() keeps a whole number of rows from 0 on, not -1",
  );
  assertThrows(() => top(1, "a", { least: 1 as never }), TypeError, "top() option least is true");
  assertThrows(
    () => distinct("a", { keep: "any" as never }),
    TypeError,
    "The option keep of distinct()",
  );
  assertThrows(() => values([]), TypeError, "values() needs at least one key");
});

Deno.test("explain names the keys of a sort", async () => {
  const text = await fromBatches(plain).pipeThrough(sort(["-city", "day"], { nulls: "first" }))
    .pipeThrough(top(2, "day", { by: "city" })).explain();
  assertStringIncludes(text, "sort -city, day, nulls first");
  assertStringIncludes(text, "top 2, -day, by city");
});

Deno.test("decimals are sorted and summed by their digits", () =>
  forSeeds(20, async (random) => {
    const near = 10n ** 36n + BigInt(random.below(1000));
    const rows = Array.from({ length: random.pick([1, 50, 400]) }, () => {
      const digits = random.pick([
        near,
        -near,
        near + 1n,
        0n,
        2n ** 53n,
        BigInt(random.below(9)) - 4n,
      ]);
      return random.chance(0.1) ? null : digits + BigInt(random.below(3));
    });
    const text = (digits: bigint) => {
      const size = String(digits < 0n ? -digits : digits).padStart(5, "0");
      return `${digits < 0n ? "-" : ""}${size.slice(0, -4)}.${size.slice(-4)}`;
    };
    const table = new Table({
      price: vectorFromArray(rows.map((row) => row === null ? null : text(row)), new Utf8()),
      row: vectorFromArray(rows.map((_, row) => row), new Int32()),
    });
    const descending = random.chance(0.5);
    const key = expr('price.cast("decimal(38, 4)")');
    const sorted = await toTable(
      fromBatches(table).pipeThrough(regroup({ rows: 7 }))
        .pipeThrough(sort(descending ? desc(key) : key)),
    );
    const valid = rows.flatMap((value, row) => value === null ? [] : [{ value, row }]);
    const order = valid.toSorted((a, b) =>
      (descending ? -1 : 1) * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0)
    ).map(({ row }) => row);
    const nulls = rows.flatMap((value, row) => value === null ? [row] : []);
    assertEquals([...sorted.getChild("row")!], [...order, ...nulls]);
    const sum = valid.reduce((sum, { value }) => sum + value, 0n);
    const total = group([], { sum: expr('sum(price.cast("decimal(38, 4)")).toString()') });
    const summed = toTable(fromBatches(table).pipeThrough(total));
    if (String(sum).replace("-", "").length <= 38) {
      assertEquals((await summed).toArray()[0]!.sum, valid.length === 0 ? null : text(sum));
    } else await assertRejects(() => summed, StepError, "which does not fit decimal128(38, 4)");
  }));
