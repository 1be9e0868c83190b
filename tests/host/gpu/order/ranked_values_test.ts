import { assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../gpu/column/column.ts";
import { RankedValues } from "../../../../gpu/order/ranked_values.ts";
import { columnOf, type Value } from "../../../support/values/host_columns.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

const LIMITS = [2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n), 0n, 2n ** 31n];
const UNSIGNED = [2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, 0n, 2n ** 32n];

/** Values of a type, many of which are close to each other or equal. */
function valuesOf(type: ColumnType, random: SeededRandom): () => Value {
  switch (type.kind) {
    case "bool":
      return () => random.chance(0.5);
    case "string": {
      const names = ["", "a", "a\0", "Ömer", "Ömeræ", "Zoë", "東京都", "東京", "🙂", "\u{ff5e}"];
      const long = random.pick(["", "prefix", "a long prefix of all "]);
      return () => long + random.pick(names) + random.pick(["", "x", "y", "yy"]);
    }
    case "float": {
      const few = [NaN, Infinity, -Infinity, 0, -0, 0.1, 0.9, -1.5, 2 ** 53, 1e38, 5e-324];
      const stored = type.bits === 32 ? Math.fround : Number;
      return () => stored(random.chance(0.7) ? random.pick(few) : random.next() - 0.5);
    }
    case "int": {
      if (type.bits < 64) {
        const least = type.signed ? -(2 ** (type.bits - 1)) : 0;
        const values = [least, least + 1, least + 2 ** type.bits - 1, 0, 1, 5];
        return () => random.pick(values);
      }
      const near = random.pick(type.signed ? LIMITS : UNSIGNED);
      const clamp = type.signed ? BigInt.asIntN : BigInt.asUintN;
      return () => clamp(64, near + BigInt(random.below(5) - 2));
    }
    default:
      throw new Error(type.kind);
  }
}

const utf8 = new TextEncoder();

/** Which comes first, told by JavaScript's own numbers, big integers and bytes. */
function order(left: Value, right: Value): number {
  if (typeof left === "string") {
    const [one, other] = [utf8.encode(left), utf8.encode(right as string)];
    const at = one.findIndex((byte, index) => byte !== other[index]);
    return at < 0 ? one.length - other.length : at >= other.length ? 1 : one[at]! - other[at]!;
  }
  if (Number.isNaN(left) || Number.isNaN(right)) {
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  }
  return left! < right! ? -1 : left! > right! ? 1 : 0;
}

const TYPES: readonly ColumnType[] = [
  { kind: "bool" },
  { kind: "string" },
  ...([32, 64] as const).map((bits): ColumnType => ({ kind: "float", bits })),
  ...([8, 16, 32, 64] as const).flatMap((bits): ColumnType[] =>
    [true, false].map((signed) => ({ kind: "int", bits, signed }))
  ),
];

Deno.test("ranks and searches among them are exact for every type", () => {
  const draws = new Draws(TYPES.map((type) => JSON.stringify(type)));
  return forSeeds(1000, (random) => {
    const type = random.pick(TYPES);
    draws.add(JSON.stringify(type));
    const value = valuesOf(type, random);
    const some = (count: number) =>
      Array.from({ length: count }, () => random.chance(0.1) ? null : value());
    const known = some(random.below(40));
    const rows = known.flatMap((value, row) => value === null || random.chance(0.1) ? [] : [row]);
    const ranked = new RankedValues(columnOf(type, known), Int32Array.from(rows));

    const distinct = rows.map((row) => known[row]!).sort(order)
      .filter((value, at, all) => at === 0 || order(all[at - 1]!, value) !== 0);
    assertEquals(ranked.count, distinct.length);
    const rankOf = (row: number) => distinct.findIndex((value) => order(value, known[row]!) === 0);
    assertEquals(rows.map((row) => ranked.ranks[row]), rows.map(rankOf));

    const asked = some(random.below(20));
    const column = columnOf(type, asked);
    for (const orEqual of [false, true]) {
      const counts = ranked.countBelow(column, orEqual);
      asked.forEach((value, row) => {
        if (value === null) return;
        const below = distinct.filter((other) => order(other, value) < (orEqual ? 1 : 0));
        assertEquals(counts[row], below.length, `${String(value)}, ${orEqual}`);
      });
    }
  }, draws);
});

Deno.test("many values are sorted as JavaScript sorts them", () =>
  forSeeds(5, (random) => {
    const numbers = Array.from({ length: 5000 }, () =>
      random.chance(0.5) ? random.below(100) - 50 : (random.next() - 0.5) * 1e300);
    const rows = Int32Array.from(numbers, (_, row) =>
      row);
    const ranked = new RankedValues(columnOf({ kind: "float", bits: 64 }, numbers), rows);
    const distinct = [...new Set(numbers)].sort((left, right) => left - right);
    const ranks = new Map(distinct.map((value, rank) => [value, rank]));
    assertEquals([...ranked.ranks], numbers.map((value) => ranks.get(value)!));
  }));
