import { assert, assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import { createEngine, expr, fromBatches, join, StepError, toTable } from "../../../../../mod.ts";
import { promoteKeys } from "../../../../../ops/join/shared/promote_keys.ts";
import { plainType } from "../../../../../streams/data/plain_schema.ts";
import {
  expectedPairs,
  joinByKeys,
  KEYED_HOWS,
  type KeyJoin,
  keyValuesOf,
  pairsInSql,
  pairsOf,
  randomKeyJoin,
} from "../../../../support/joins/join_by_keys.ts";
import { KEY_KINDS, keyData } from "../../../../support/joins/join_keys.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import { watchedStream } from "../../../../support/pipelines/pipeline_streams.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { batchOf, plain, rowsOf } from "../../../../support/values/streams_samples.ts";
import { fewOr } from "../../../../support/random/test_size.ts";
import { keyJoinCases } from "../../../../support/cases/key_joins.ts";
import { onHostEngine } from "../../../../support/cases/on_host.ts";

const engine = createEngine({ device: "cpu" });

keyJoinCases(onHostEngine);

Deno.test("a key of a right or full join is that of the row there is, in the promoted type", async () => {
  const draws = new Draws(KEY_KINDS.map(({ name }) => name));
  await forSeeds(fewOr(60, 150), async (random) => {
    const kind = random.pick(KEY_KINDS);
    draws.add(kind.name);
    const tables: KeyJoin = {
      ...randomKeyJoin(random, [kind]),
      how: random.pick(["right", "full"]),
    };
    const result = await joinByKeys(engine, tables);
    const pair = { text: "key", type: kind.left };
    const [type] = promoteKeys([{ left: pair, right: { ...pair, type: kind.right } }]).types;
    const field = result.schema.fields.find(({ name }) => name === "left_0")!;
    assertEquals(String(plainType(field.type)), String(type), kind.name);
    const expected = keyValuesOf(tables, expectedPairs(tables));
    const column = new arrow.Vector([keyData(type!, expected)]);
    const found = result.getChild("left_0")!;
    for (const row of expected.keys()) {
      assertEquals(plain(found.get(row)), plain(column.get(row)), `${kind.name}, row ${row}`);
    }
  }, draws);
});

Deno.test("DuckDB finds the same keys equal", () =>
  forSeeds(3, async (random) => {
    const kinds = KEY_KINDS.filter(({ sql }) => sql !== undefined);
    const cases = kinds.flatMap((kind) => [
      randomKeyJoin(random, [kind]),
      randomKeyJoin(random, [kind, random.pick(kinds)]),
    ]);
    const queries = cases.map((tables, at) =>
      `SELECT ${at} AS n, l, r FROM (${pairsInSql(tables)})`
    );
    const inOrder = "ORDER BY n, l NULLS LAST, r NULLS LAST";
    const found = await queryDuckDb(`${queries.join(" UNION ALL ")} ${inOrder}`);
    for (const [at, tables] of cases.entries()) {
      const expected = found.filter((row) => row.n === at).map(({ l, r }) => [l, r]);
      assertEquals(pairsOf(await joinByKeys(engine, tables)), expected, queries[at]);
    }
  }));

Deno.test("a number is one key however it is written, and none that is near to it", async () => {
  const left = batchOf({ key: [new arrow.Float32(), [0.9, 0.5, -0, NaN, Infinity]] });
  const right = batchOf({
    key: [new arrow.Float64(), [0.9, Math.fround(0.9), 0.5, 0, NaN, -Infinity]],
    row: [new arrow.Int32(), [0, 1, 2, 3, 4, 5]],
  });
  const stream = fromBatches(left, { engine }).pipeThrough(
    join(fromBatches(right, { engine }), { on: "key", how: "left" }),
  );
  const rows = rowsOf((await toTable(stream)).batches);
  assertEquals(rows.map(({ row }) => row), [1, 2, 3, 4, null]);
  assert(Object.is(rows[2]!.key, -0), "the value of the stream comes out as it is");
});

Deno.test("with lossless, integers of up to 32 bits join floats, in a float that holds both", async () => {
  const cases: [arrow.DataType, unknown[], arrow.DataType, unknown[], unknown[]][] = [
    [new arrow.Int8(), [-128, 5], new arrow.Float16(), [5, 0.5], [-128, 5, 0.5]],
    [new arrow.Uint16(), [65_535, 0], new arrow.Float16(), [-0, 2], [65_535, 0, 2]],
    [new arrow.Float32(), [16_777_216, 0.5], new arrow.Int32(), [16_777_217], [
      16_777_216,
      0.5,
      16_777_217,
    ]],
    [new arrow.Uint32(), [4_294_967_295], new arrow.Float64(), [4_294_967_295, NaN], [
      4_294_967_295,
      NaN,
    ]],
  ];
  for (const [leftType, left, rightType, right, keys] of cases) {
    const stream = fromBatches(batchOf({ key: [leftType, left] }), { engine });
    const build = fromBatches(batchOf({ key: [rightType, right] }), { engine });
    const joined = stream.pipeThrough(
      join(build, { on: "key", how: "full", promote: "lossless" }),
    );
    assertEquals(rowsOf((await toTable(joined)).batches).map(({ key }) => key), keys);
  }
});

Deno.test("keys that float64 cannot tell apart raise an error before any row is read", async () => {
  let numRead = 0;
  const watched = (batch: arrow.RecordBatch) =>
    fromBatches(
      watchedStream(() => {
        numRead++;
        return batch;
      }).stream,
      { engine, schema: batch.schema },
    );
  const left = batchOf({ id: [new arrow.Int64(), [1n, 2n, 2n ** 53n]] });
  const right = batchOf({ id: [new arrow.Uint64(), [2n ** 53n + 1n, 10n]] });
  for (
    const [one, other, cast] of [
      [left, right, 'the right one: cast(id, "int64")'],
      [right, left, 'the left one: cast(id, "int64")'],
    ] as const
  ) {
    for (const how of KEYED_HOWS) {
      const stream = watched(one).pipeThrough(join(watched(other), { on: "id", how }));
      const error = await assertRejects(() => toTable(stream), StepError);
      assert(error.message.endsWith(`; cast one side, such as ${cast}`), error.message);
    }
  }
  assertEquals(numRead, 0);
});

Deno.test("the cast that the error tells of joins exactly, or is an error itself", async () => {
  const left = batchOf({ id: [new arrow.Int64(), [1n, 2n ** 53n, 10n]] });
  const joined = async (ids: readonly bigint[], cast: string) => {
    const build = fromBatches(batchOf({ id: [new arrow.Uint64(), ids] }), { engine });
    const stream = fromBatches(left, { engine })
      .pipeThrough(join(build, { on: [["id", expr(cast)]] }));
    return rowsOf((await toTable(stream)).batches).map(({ id, id_right }) => [id, id_right]);
  };
  const near = [2n ** 53n + 1n, 10n];
  assertEquals(await joined(near, 'cast(id, "int64")'), [[10n, 10n]]);
  const far = [...near, 2n ** 64n - 1n];
  await assertRejects(() => joined(far, 'cast(id, "int64")'), Error, "18446744073709551615");
  assertEquals(await joined(far, 'tryCast(id, "int64")'), [[10n, 10n]]);
});
