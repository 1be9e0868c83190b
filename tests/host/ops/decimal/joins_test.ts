import { assertEquals, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { createEngine, fromBatches, join, type JoinOptions, toTable } from "../../../../mod.ts";
import { promoteKeys } from "../../../../ops/join/shared/promote_keys.ts";
import { FAILS, inShape, order, type Shape } from "../../../support/models/decimal_model.ts";
import {
  decimalVector,
  shapeOf,
  typeOf,
  unscaledOf,
} from "../../../support/random/random_decimals.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

/** A column of keys, and the number of each row. */
interface Side {
  readonly shape: Shape;
  readonly values: readonly (bigint | null)[];
  readonly table: arrow.Table;
}

function sideOf(
  random: SeededRandom,
  name: string,
  shape: Shape,
  values: readonly (bigint | null)[],
  isWhole: boolean,
): Side {
  const key = isWhole
    ? arrow.vectorFromArray(values, new arrow.Int64())
    : decimalVector(typeOf(random, shape), values);
  const rows = arrow.vectorFromArray(values.map((_, row) => row), new arrow.Int32());
  return { shape, values, table: new arrow.Table({ key, [name]: rows }) };
}

const draws = new Draws(["a match", "of other scales", "an integer", "no row of one side"]);

Deno.test("joins compare decimals of any scale, and integers, exactly", () =>
  forSeeds(12, async (random) => {
    const shape = shapeOf(random);
    const other = random.chance(0.3) ? { precision: 19, scale: 0 } : shapeOf(random);
    const isWhole = random.chance(0.5) && other.scale === 0 && other.precision === 19;
    const scale = Math.max(shape.scale, other.scale);
    const digits = Math.max(shape.precision - shape.scale, other.precision - other.scale) + scale;
    if (digits > 38) return;
    const numRows = random.pick([1, 20, 80]);
    const value = (given: Shape) => random.chance(0.1) ? null : unscaledOf(random, given);
    const values = Array.from({ length: numRows }, () => value(shape));
    const others = Array.from({ length: numRows }, () => {
      const unscaled = random.pick(values);
      const same = unscaled === null || random.chance(0.4)
        ? FAILS
        : inShape({ unscaled, scale: shape.scale }, other);
      const found = same === FAILS ? value(other) : same;
      return isWhole && found !== null ? BigInt.asIntN(63, found) : found;
    });
    const left = sideOf(random, "l", shape, values, false);
    const right = sideOf(random, "r", other, others, isWhole);
    const isEqual = (l: number, r: number) => {
      const [a, b] = [values[l]!, others[r]!];
      if (a === null || b === null) return false;
      return order({ unscaled: a, scale: shape.scale }, { unscaled: b, scale: other.scale }) === 0n;
    };
    const rows = values.map((_, row) => row);
    const pairs = rows.flatMap((l) => rows.filter((r) => isEqual(l, r)).map((r) => `${l} ${r}`));
    const lonely = rows.filter((l) => !rows.some((r) => isEqual(l, r))).map((l) => `${l} null`);
    const unmatched = rows.filter((r) => !rows.some((l) => isEqual(l, r))).map((r) => `null ${r}`);
    if (pairs.length > 0) {
      draws.add("a match");
      if (shape.scale !== other.scale) draws.add("of other scales");
      if (isWhole) draws.add("an integer");
    }
    if (unmatched.length > 0) draws.add("no row of one side");
    const joined = async (options: JoinOptions) => {
      const engine = createEngine({ device: "cpu" });
      const build = fromBatches(right.table, { engine });
      return await toTable(
        fromBatches(left.table, { engine }).pipeThrough(join(build, { ...options, engine })),
      );
    };
    const rowsOf = (table: arrow.Table) =>
      Array.from(
        { length: table.numRows },
        (_, row) => ["l", "r"].map((name) => String(table.getChild(name)!.get(row))).join(" "),
      ).sort();
    assertEquals(rowsOf(await joined({ on: "key" })), [...pairs].sort());
    assertEquals(rowsOf(await joined({ where: "key == right.key" })), [...pairs].sort());
    const full = await joined({ on: "key", how: "full" });
    assertEquals(rowsOf(full), [...pairs, ...lonely, ...unmatched].sort());
    // The key of a row of one side is that of the row, in the common type.
    const type = full.schema.fields.find(({ name }) => name === "key")!.type as arrow.Decimal;
    const keys = full.getChild("key")!;
    for (let row = 0; row < full.numRows; row++) {
      const [l = null, r] = ["l", "r"].map((name) =>
        full.getChild(name)!.get(row) as number | null
      );
      const [unscaled, own] = l === null ? [others[r!]!, other] : [values[l]!, shape];
      const words = keys.get(row) as Uint32Array | null;
      const found = words &&
        Array.from(words).reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
      assertEquals(
        found === null ? null : BigInt.asIntN(type.bitWidth, found),
        unscaled === null ? null : unscaled * 10n ** BigInt(type.scale - own.scale),
      );
    }
  }, draws));

Deno.test("two decimals that no decimal of 38 digits holds have no common type", () => {
  const pair = (left: arrow.DataType, right: arrow.DataType) => ({
    left: { text: "a", type: left },
    right: { text: "b", type: right },
  });
  const wide = new arrow.Decimal(0, 38, 128);
  assertThrows(
    () => promoteKeys([pair(wide, new arrow.Decimal(2, 10, 128))]),
    TypeError,
    "Cannot join on a=b: no common type for decimal128(38, 0) and decimal128(10, 2)",
  );
  assertThrows(
    () => promoteKeys([pair(new arrow.Decimal(2, 10, 128), new arrow.Float64())]),
    TypeError,
  );
});
