import { assert, assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import { createEngine, fromBatches, join, StepError, toTable } from "../../../mod.ts";
import {
  joinedPairs,
  pairsByLoops,
  pairsInSql,
  randomKeyJoin,
} from "../../support/join_by_keys.ts";
import { KEY_KINDS } from "../../support/join_keys.ts";
import { queryDuckDb } from "../../support/peers.ts";
import { watchedStream } from "../../support/pipeline_streams.ts";
import { Draws, forSeeds } from "../../support/seeded_random.ts";
import { batchOf, rowsOf } from "../../support/streams_samples.ts";

const engine = createEngine({ device: "cpu" });

Deno.test("keys of every type join as their values do, in the order of both sides", async () => {
  const draws = new Draws(KEY_KINDS.map(({ name }) => name));
  await forSeeds(250, async (random) => {
    const kind = random.pick(KEY_KINDS);
    draws.add(kind.name);
    const tables = randomKeyJoin(random, [kind]);
    assertEquals(await joinedPairs(engine, tables), pairsByLoops(tables), kind.name);
  }, draws);
});

Deno.test("DuckDB finds the same keys equal", () =>
  forSeeds(3, async (random) => {
    const kinds = KEY_KINDS.filter(({ sql }) => sql !== undefined);
    const cases = [...kinds, ...kinds].map((kind) => randomKeyJoin(random, [kind]));
    const queries = cases.map((tables, at) =>
      `SELECT ${at} AS n, l, r FROM (${pairsInSql(tables)})`
    );
    const found = await queryDuckDb(`${queries.join(" UNION ALL ")} ORDER BY n, l, r`);
    for (const [at, tables] of cases.entries()) {
      const expected = found.filter((row) => row.n === at).map(({ l, r }) => [l, r]);
      assertEquals(await joinedPairs(engine, tables), expected, queries[at]);
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
    for (const how of ["inner", "left"] as const) {
      const stream = watched(one).pipeThrough(join(watched(other), { on: "id", how }));
      const error = await assertRejects(() => toTable(stream), StepError);
      assert(error.message.endsWith(`; cast one side, such as ${cast}`), error.message);
    }
  }
  assertEquals(numRead, 0);
});
