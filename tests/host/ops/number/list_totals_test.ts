/** Sums, means, least and greatest items, and contains() of columns of lists. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type DataType,
  DateDay,
  Field,
  Float,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  List,
  Schema,
  Uint32,
  Uint64,
  Utf8,
} from "apache-arrow";
import { floatSum } from "../../../../gpu/column/float_sum.ts";
import { createEngine, expr, fromBatches, withColumns } from "../../../../mod.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { fractionOf, nearestFloat } from "../../../support/models/exact_numbers.ts";
import { compareValues } from "../../../support/models/number_model.ts";
import { edgeInteger } from "../../../support/random/edge_integers.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";
import { batchOfColumns, columnOfValues } from "../../../support/values/arrow_columns.ts";
import { valuesOf } from "../../../support/values/arrow_values.ts";
import { FLOAT_EDGES } from "../../../support/values/number_texts.ts";

const engine = createEngine({ device: "cpu" });

type Item = number | bigint | string | null;
type Items = readonly Item[] | null;

const INTEGERS = [new Int8(), new Int16(), new Int32(), new Int64(), new Uint32(), new Uint64()];
const OTHERS = [new Utf8(), new DateDay()];
const FLOATS = [new Float16(), new Float32(), new Float64()];

/** An item of a type, edges among them. */
function randomItem(random: SeededRandom, type: DataType): Item {
  if (random.chance(0.1)) return null;
  if (type instanceof Float) {
    const value = random.chance(0.5)
      ? random.pick(FLOAT_EDGES)
      : (random.next() - 0.5) * 10 ** (random.below(40) - 20);
    const bits = type.precision;
    return bits === 0 ? Math.f16round(value) : bits === 1 ? Math.fround(value) : value;
  }
  if (type instanceof Utf8) return random.pick(["", "a", "ab", "é", "z", "𝄞"]);
  if (type instanceof DateDay) return random.below(20_000) - 5000;
  const { bitWidth, isSigned } = type as Int64;
  const value = random.chance(0.5) ? edgeInteger(random) : BigInt(random.below(100));
  const whole = isSigned ? BigInt.asIntN(bitWidth, value) : BigInt.asUintN(bitWidth, value);
  return bitWidth === 64 ? whole : Number(whole);
}

function randomLists(random: SeededRandom, type: DataType, numRows: number): Items[] {
  return Array.from({ length: numRows }, () => {
    if (random.chance(0.1)) return null;
    const length = random.below(random.pick([1, 3, 9]));
    return Array.from({ length }, () => randomItem(random, type));
  });
}

/** The results of expressions over a column `items`, by their texts. */
async function computed(
  random: SeededRandom,
  type: DataType,
  lists: readonly Items[],
  texts: readonly string[],
): Promise<Map<string, unknown[]>> {
  const list = new List(new Field("item", type, true));
  const batch = batchOfColumns(
    [new Field("items", list, true)],
    [columnOfValues(random, list, lists)],
  );
  const columns = Object.fromEntries(texts.map((text, k) => [`r${k}`, expr(text)]));
  const stream = fromBatches([batch], { engine }).pipeThrough(withColumns(columns, { engine }));
  const results = new Map<string, unknown[]>(texts.map((text) => [text, []]));
  for await (const { data } of stream) {
    texts.forEach((text, k) => results.get(text)!.push(...valuesOf(data.children[k + 1]!)));
  }
  return results;
}

const known = (items: readonly Item[]) => items.filter((item) => item !== null);

/** The nearest float to an exact sum; IEEE's for infinities and NaN. */
function floatTotal(items: readonly number[]): number {
  if (!items.every(Number.isFinite)) return items.reduce((sum, item) => sum + item, 0);
  const sum = items.map(fractionOf).reduce((total, { above, below }) => ({
    above: total.above * below + above * total.below,
    below: total.below * below,
  }), { above: 0n, below: 1n });
  return sum.above === 0n ? 0 : nearestFloat(sum);
}

const wholeTotal = (items: readonly Item[]) =>
  items.reduce((sum: bigint, item) => sum + BigInt(item as bigint), 0n);

Deno.test("sums and means of integers are exact, and a sum beyond 64 bits fails", () => {
  const draws = new Draws(["overflow", "uint64", "no items", "null item", "wide mean"]);
  return forSeeds(fewOr(60, 600), async (random) => {
    const type = random.pick([...INTEGERS, new Int64(), new Uint64()]);
    const lists = randomLists(random, type, 20);
    const results = await computed(random, type, lists, ["items.sum().orNull()", "items.mean()"]);
    const isUnsigned = type instanceof Uint64;
    if (isUnsigned) draws.add("uint64");
    const sums = lists.map((items) => {
      if (items === null) return null;
      if (items.length === 0) draws.add("no items");
      if (items.includes(null)) draws.add("null item");
      const sum = wholeTotal(known(items));
      const fits = (isUnsigned ? BigInt.asUintN : BigInt.asIntN)(64, sum) === sum;
      if (!fits) draws.add("overflow");
      return fits ? sum : null;
    });
    assertEquals(results.get("items.sum().orNull()"), sums, `sums of ${type}`);
    const means = lists.map((items) => {
      const there = known(items ?? []);
      const total = wholeTotal(there);
      if (BigInt(Number(total)) !== total) draws.add("wide mean");
      return there.length === 0 ? null : Number(total) / there.length;
    });
    assertEquals(results.get("items.mean()"), means, `means of ${type}`);
  }, draws);
});

Deno.test("sums of floats are the floats nearest to the exact sums", () => {
  const draws = new Draws([
    "beyond the range on the way",
    "infinity",
    "rounded otherwise in order",
  ]);
  return forSeeds(fewOr(80, 800), async (random) => {
    const type = random.pick([...FLOATS, new Float64(), new Float64()]);
    const lists = randomLists(random, type, 20);
    const results = await computed(random, type, lists, ["items.sum()", "items.mean()"]);
    lists.forEach((items, row) => {
      const there = known(items ?? []) as number[];
      const sum = items === null ? null : floatTotal(there);
      const inOrder = there.reduce((total, item) => total + item, 0);
      if (there.some((item) => !Number.isFinite(item))) draws.add("infinity");
      else if (!Number.isFinite(inOrder)) draws.add("beyond the range on the way");
      else if (sum !== null && inOrder !== sum) draws.add("rounded otherwise in order");
      assertEquals(results.get("items.sum()")![row], sum, `sum of ${there}`);
      const mean = there.length === 0 ? null : sum! / there.length;
      assertEquals(results.get("items.mean()")![row], mean, `mean of ${there}`);
    });
  }, draws);
});

Deno.test("floatSum() rounds once: ties, cancelled numbers, and sums beyond the range on the way", () => {
  const tie = 2 ** 53;
  for (
    const values of [
      [tie, 1, 2 ** -60],
      [tie, 1, -(2 ** -60)],
      [-tie, -1, -(2 ** -1074)],
      [1e308, 1e308, -1e308],
      [-1e308, -1e308, 1e308, 5e-324],
      [1.7976931348623157e308, 9.979201547673598e291, 9.979201547673598e291],
      [1.7976931348623157e308, 1e308, -1e308, -1e308, 1e292],
      [0.1, 0.2, 0.3, -0.6],
      [1e16, 1, 1e-16, -1e16],
      [5e-324, 5e-324, -1e-323, 5e-324],
    ]
  ) assertEquals(floatSum(values), floatTotal(values), String(values));
  assertEquals(floatSum([]), 0);
  assert(Object.is(floatSum([-0, -0, -0]), 0));
});

Deno.test("min() and max() are the ends of the order, and contains() finds what equals an item", () => {
  const draws = new Draws(["text", "NaN", "found", "absent"]);
  return forSeeds(fewOr(60, 600), async (random) => {
    const type = random.pick([...INTEGERS, new Float32(), new Float64(), ...OTHERS]);
    const lists = randomLists(random, type, 20);
    const target = randomItem(random, type) ?? (type instanceof Utf8 ? "a" : 1);
    const written = type instanceof Utf8
      ? JSON.stringify(target)
      : type instanceof DateDay
      ? JSON.stringify(new Date(Number(target) * 86_400_000).toISOString().slice(0, 10))
      : type instanceof Float && Number.isFinite(target)
      ? Number(target).toExponential()
      : `${target}`;
    const contains = `items.contains(${written})`;
    const results = await computed(random, type, lists, ["items.min()", "items.max()", contains]);
    if (type instanceof Utf8) draws.add("text");
    lists.forEach((items, row) => {
      const there = known(items ?? []).toSorted(compareValues);
      if (there.some(Number.isNaN)) draws.add("NaN");
      const [least, greatest] = [
        results.get("items.min()")![row],
        results.get("items.max()")![row],
      ];
      if (there.length === 0) return assertEquals([least, greatest], [null, null]);
      assertEquals(compareValues(least, there[0]), 0, `least of ${there}`);
      assertEquals(compareValues(greatest, there.at(-1)), 0, `greatest of ${there}`);
      const isIn = there.some((item) => compareValues(item, target) === 0);
      draws.add(isIn ? "found" : "absent");
      assertEquals(results.get(contains)![row], isIn, `${contains} of ${there}`);
    });
    assertEquals(
      results.get(contains)!.map((found) => found === null),
      lists.map((items) => items === null),
    );
  }, draws);
});

Deno.test("a sum that does not fit names its row, and one that nothing uses does not fail", async () => {
  await forSeeds(1, async (random) => {
    const lists = [[1n], [2n ** 63n - 1n, 1n], null];
    const sums = (text: string) => computed(random, new Int64(), lists, [text]);
    await assertRejects(
      () => sums("items.sum() * 2"),
      Error,
      "items.sum() does not fit in int64 (row 1)",
    );
    const guarded = "items.length() > 1 ? 0 : items.sum()";
    assertEquals((await sums(guarded)).get(guarded), [1n, 0n, null]);
  });
});

Deno.test("what is no list, and items without a sum, are refused in one line", () => {
  const list = (type: DataType) => new List(new Field("item", type, true));
  const schema = new Schema([
    new Field("n", new Int64(), true),
    new Field("t", new Utf8(), true),
    new Field("items", list(new Int64()), true),
    new Field("tags", list(new Utf8()), true),
    new Field("lists", list(list(new Int64())), true),
  ]);
  const refused: readonly (readonly [text: string, message: string])[] = [
    ["n.sum()", "n is int64, not a list; sum() is over many rows"],
    ["max(n, 1)", "greatest(a, b) is the greater one in a row"],
    ["tags.sum()", "sum(tags) does not take items of type string"],
    ["tags.mean()", "mean(tags) does not take items of type string"],
    ["lists.max()", "max(lists) does not take items of type list<int64>"],
    ['t.split(",").max()', "only a column of lists has a max; make it a column first"],
    ['items.contains("a")', 'Cannot look for "a" in int64 items'],
    ["items.contains(n)", "target must be a literal for a list of int64"],
    ["tags.contains(1)", "target must be a string, 1 is int32"],
    ["t.contains(1)", "target must be a string, 1 is int32"],
  ];
  for (const [text, message] of refused) {
    assertThrows(() => bindExpr(parseExpr(text), schema), Error, message, text);
  }
});
