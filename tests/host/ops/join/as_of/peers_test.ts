/** As-of joins, judged by DuckDB and by Polars where they are right, and their known faults. */

// The peers have types of their own, which are not loaded here.
// deno-lint-ignore-file no-explicit-any

import { assertEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import { createEngine, fromBatches, toTable } from "../../../../../mod.ts";
import { asOfJoin, type AsOfOptions } from "../../../../../ops/join/as_of/join.ts";
import { compareTimes, type ModelTime } from "../../../../support/models/as_of_model.ts";
import { batchesOf } from "../../../../support/joins/as_of_tables.ts";
import { valuesOf } from "../../../../support/values/arrow_values.ts";
import { loadPeer, queryDuckDb } from "../../../../support/judges/peers.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const engine = createEngine({ device: "cpu" });
const directions = ["backward", "forward", "nearest"] as const;

/** A side: a time and a name, sorted by time within each name. */
interface Side {
  readonly times: readonly (ModelTime | null)[];
  readonly names: readonly (string | null)[];
}

const NAMES = ["Zoë", "李小龍", "Ouagadougou-Nord", "O'Hara", ""];

function sideOf(
  random: SeededRandom,
  numRows: number,
  value: (random: SeededRandom) => ModelTime,
  { isUnique = false, hasNulls = true } = {},
): Side {
  const drawn = Array.from({ length: numRows }, () => value(random));
  const sorted = (isUnique ? [...new Set(drawn)] : drawn).sort(compareTimes);
  return {
    times: sorted.map((time) => hasNulls && random.chance(0.05) ? null : time),
    names: sorted.map(() => hasNulls && random.chance(0.05) ? null : random.pick(NAMES)),
  };
}

function batchesOfSide(
  random: SeededRandom,
  { times, names }: Side,
  type: arrow.DataType,
): arrow.RecordBatch[] {
  return batchesOf(random, [
    ["t", type, times],
    ["name", new arrow.Utf8(), names],
    ["row", new arrow.Int32(), times.map((_, row) => row)],
  ]);
}

/** The build row of each row of the stream, as we find it. */
async function ours(
  random: SeededRandom,
  left: Side,
  right: Side,
  type: arrow.DataType,
  options: Omit<AsOfOptions, "asOf">,
): Promise<unknown[]> {
  const streamOf = (side: Side) => fromBatches(batchesOfSide(random, side, type), { engine });
  const joined = streamOf(left).pipeThrough(asOfJoin(streamOf(right), { asOf: "t", ...options }));
  const { batches } = await toTable(joined);
  return batches.flatMap(({ schema, data }) =>
    valuesOf(data.children[schema.names.indexOf("row_right")]!)
  );
}

function tableSql({ times, names }: Side, type: "BIGINT" | "DOUBLE"): string {
  const time = (value: ModelTime | null) => value === null ? "NULL" : `'${value}'`;
  const name = (value: string | null) =>
    value === null ? "NULL" : `'${value.replaceAll("'", "''")}'`;
  const list = (items: readonly string[], of: string) => `unnest([${items.join(",")}]::${of}[])`;
  return `(SELECT ${list(times.map(time), type)} AS t, ${list(names.map(name), "VARCHAR")} AS name,
    unnest(range(${times.length})) AS row)`;
}

Deno.test("DuckDB's ASOF JOIN finds the same rows, with infinities, NaN and nulls", async () => {
  const floats = [Infinity, -Infinity, NaN, 0.1, -0.1, 1e300, -1e300];
  const kinds = [
    {
      type: new arrow.Int64(),
      sql: "BIGINT",
      value: (random: SeededRandom) => 2n ** 60n + BigInt(random.below(2000)),
    },
    {
      type: new arrow.Float64(),
      sql: "DOUBLE",
      value: (random: SeededRandom) =>
        random.chance(0.1) ? random.pick(floats) : random.below(4000) / 4,
    },
  ] as const;
  await forSeeds(fewOr(1, 2), async (random) => {
    for (const { type, sql, value } of kinds) {
      const left = sideOf(random, 400, value);
      const right = sideOf(random, 400, value, { isUnique: true });
      for (const by of [[], ["name"]]) {
        for (const direction of ["backward", "forward"] as const) {
          const test = direction === "backward" ? ">=" : "<=";
          const equal = by.length === 0 ? "" : "l.name = r.name AND";
          const theirs = await queryDuckDb(`SELECT r.row::INT AS row FROM ${tableSql(left, sql)} l
            ASOF LEFT JOIN ${tableSql(right, sql)} r ON ${equal} l.t ${test} r.t ORDER BY l.row`);
          const mine = await ours(random, left, right, type, { by, direction });
          assertEquals(mine, theirs.map(({ row }) => row), `${sql} ${by} ${direction}`);
        }
      }
    }
  });
});

Deno.test("a ranking of all pairs by DuckDB finds the same rows: ties, nearest, tolerance", async () => {
  const value = (random: SeededRandom) => -(2n ** 63n) + BigInt(random.below(300));
  const high = (random: SeededRandom) => 2n ** 63n - 1n - BigInt(random.below(300));
  await forSeeds(2, async (random) => {
    const both = (random: SeededRandom) => random.pick([value, high])(random);
    const [left, right] = [sideOf(random, 300, both), sideOf(random, 300, both)];
    for (const by of [[], ["name"]]) {
      for (const direction of directions) {
        for (const tolerance of [undefined, 0, 3]) {
          const tests = [
            ...(by.length === 0 ? [] : ["l.name = r.name"]),
            ...(direction === "backward" ? ["r.t <= l.t"] : []),
            ...(direction === "forward" ? ["r.t >= l.t"] : []),
            ...(tolerance === undefined ? [] : [`abs(far) <= ${tolerance}`]),
            "r.t IS NOT NULL AND l.t IS NOT NULL",
          ];
          const last = direction === "forward" ? "" : "DESC";
          const theirs = await queryDuckDb(`
            WITH l AS ${tableSql(left, "BIGINT")}, r AS ${tableSql(right, "BIGINT")},
            pairs AS (SELECT l.row AS place, r.row AS met, l.t::HUGEINT - r.t::HUGEINT AS far,
              row_number() OVER (PARTITION BY l.row ORDER BY abs(far), r.t, r.row ${last}) AS rank
              FROM l, r WHERE ${tests.join(" AND ")})
            SELECT met::INT AS met FROM l LEFT JOIN pairs ON place = row AND rank = 1 ORDER BY row`);
          const options = { by, direction, ...(tolerance === undefined ? {} : { tolerance }) };
          const mine = await ours(random, left, right, new arrow.Int64(), options);
          assertEquals(mine, theirs.map(({ met }) => met), `${by} ${direction} ${tolerance}`);
        }
      }
    }
  });
});

Deno.test("Polars finds the same rows where no two are as far", async () => {
  const { default: polars } = await loadPeer("polars");
  await forSeeds(5, async (random) => {
    // Odd times meet multiples of 8: none is as far from two of them.
    const left = sideOf(random, 300, (random) => BigInt(2 * random.below(2000) + 1), {
      hasNulls: false,
    });
    const right = sideOf(random, 200, (random) => BigInt(8 * random.below(500)), {
      hasNulls: false,
    });
    const frame = ({ times, names }: Side): any =>
      polars.DataFrame([
        polars.Series("t", times.map(Number), polars.Int64),
        polars.Series("name", names, polars.Utf8),
        polars.Series("row", times.map((_, row) => row), polars.Int32),
      ]);
    for (const by of [[], ["name"]]) {
      for (const direction of directions) {
        const theirs = frame(left).joinAsof(frame(right), {
          on: "t",
          strategy: direction,
          checkSortedness: false,
          ...(by.length === 0 ? {} : { by }),
        }).getColumn("row_right").toArray();
        const mine = await ours(random, left, right, new arrow.Int64(), { by, direction });
        assertEquals(mine, [...theirs].map((row) => row ?? null), `${by} ${direction}`);
      }
    }
  });
});

/** The build rows that a stream of times meets; rows are counted from 0. */
async function met(
  left: readonly ModelTime[],
  right: readonly ModelTime[],
  options: Omit<AsOfOptions, "asOf"> & { leftNames?: string[]; rightNames?: string[] },
): Promise<unknown[]> {
  const { leftNames = [], rightNames = [], ...given } = options;
  const named = (times: readonly ModelTime[], names: readonly string[]) => ({
    times,
    names: times.map((_, row) => names[row] ?? "x"),
  });
  const type = typeof left[0] === "bigint" ? new arrow.Int64() : new arrow.Float64();
  let rows: unknown[] = [];
  await forSeeds(1, async (random) => {
    rows = await ours(random, named(left, leftNames), named(right, rightNames), type, given);
  });
  return rows;
}

Deno.test("faults of Polars: tolerance holds for nearest (10462, 11649)", async () => {
  assertEquals(await met([0n, 10n, 20n], [4n, 27n], { direction: "nearest", tolerance: 3 }), [
    null,
    null,
    null,
  ]);
  assertEquals(await met([0n, 10n, 20n], [4n, 27n], { direction: "nearest", tolerance: 7 }), [
    0,
    0,
    1,
  ]);
});

Deno.test("faults of Polars: a tolerance of 0 with groups means equal times (10534)", async () => {
  for (const direction of directions) {
    const rows = await met([1n, 2n, 3n], [0n, 2n, 9n], { direction, tolerance: 0, by: "name" });
    assertEquals(rows, [null, 1, null], direction);
  }
});

Deno.test("faults of Polars: nearest with groups takes no row of another (9930)", async () => {
  const rows = await met([1n, 2n, 3n], [1n, 2n, 90n], {
    direction: "nearest",
    by: "name",
    leftNames: ["a", "b", "c"],
    rightNames: ["b", "c", "a"],
  });
  assertEquals(rows, [2, 0, 1]);
});

Deno.test("faults of Polars: nearest with -inf and beyond 2^60 (20349)", async () => {
  const direction = "nearest";
  assertEquals(await met([-5, 0, 5], [-Infinity, 3], { direction }), [1, 1, 1]);
  assertEquals(await met([-Infinity, 0, Infinity], [-Infinity, 1, Infinity], { direction }), [
    0,
    1,
    2,
  ]);
  assertEquals(await met([1], [-1e-30, 2], { direction }), [1]);
  assertEquals(await met([0.5], [-Infinity, Infinity], { direction }), [0]);
  // The difference of the last two exceeds what a float holds.
  assertEquals(await met([-1e308], [-Infinity, Number.MAX_VALUE], { direction }), [1]);
  assertEquals(await met([-1e308], [-Number.MAX_VALUE, Number.MAX_VALUE], { direction }), [0]);
  const base = 2n ** 60n;
  assertEquals(await met([base + 2n], [base, base + 3n], { direction }), [1]);
  assertEquals(await met([base + 1n], [base, base + 3n], { direction }), [0]);
  assertEquals(await met([base + 1n], [base, base + 2n], { direction }), [0]);
  assertEquals(await met([1n], [-(2n ** 63n), 2n ** 63n - 1n], { direction }), [1]);
  assertEquals(await met([-1n], [-(2n ** 63n), 2n ** 63n - 1n], { direction }), [0]);
});
