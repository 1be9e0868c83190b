import { assert, assertEquals } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import { createEngine, fromBatches, join } from "../../../../../mod.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import { batchOf } from "../../../../support/values/streams_samples.ts";

const numProbes = 30_000;
const numBuilt = 5000;

/** Numbers without order, each as often as any other; the same in SQL. */
const scattered = (row: number, factor: number) => (row * factor) % 10_007;

const CASES = [
  ["right.start <= t && t < right.stop", "r.start <= l.t AND l.t < r.stop"],
  ["name == right.name && right.start <= t", "l.name = r.name AND r.start <= l.t"],
  ["right.name > name && right.start == t", "r.name > l.name AND r.start = l.t"],
] as const;

Deno.test("many pieces of many batches are the rows of DuckDB, in order", async (t) => {
  const engine = createEngine({ device: "cpu" });
  const names = ["Ada", "Zoë", "Ömer", "東京", "🙂"];
  const nameOf = (number: number) => `${"x".repeat(number % 3)}${names[number % 5]}`;
  const rowsOf = (start: number, stop: number) =>
    Array.from({ length: stop - start }, (_, at) => start + at);
  const probes = [0, 7, 12_007, 12_007, numProbes].flatMap((start, at, all) => {
    const rows = rowsOf(start, all[at + 1] ?? start);
    return batchOf({
      row: [new Int32(), rows],
      t: [new Int32(), rows.map((row) => scattered(row, 7919))],
      name: [new Utf8(), rows.map((row) => nameOf(row))],
    });
  });
  const built = [0, 3000, numBuilt].flatMap((start, at, all) => {
    const rows = rowsOf(start, all[at + 1] ?? start);
    return batchOf({
      row: [new Int32(), rows],
      start: [new Int32(), rows.map((row) => scattered(row, 104_729))],
      stop: [new Int32(), rows.map((row) => scattered(row, 104_729) + row % 37)],
      name: [new Utf8(), rows.map((row) => nameOf(7 * row))],
    });
  });
  const list = names.map((name) => `'${name}'`).join(", ");
  const nameSql = (number: string) =>
    `repeat('x', (${number}) % 3) || [${list}][1 + (${number}) % 5]`;
  const tables = `WITH l AS (
      SELECT range AS row, (range * 7919) % 10007 AS t, ${nameSql("range")} AS name
      FROM range(${numProbes})
    ), r AS (
      SELECT range AS row, (range * 104729) % 10007 AS start,
        (range * 104729) % 10007 + range % 37 AS stop, ${nameSql("7 * range")} AS name
      FROM range(${numBuilt})
    )`;
  for (const [where, sql] of CASES) {
    await t.step(where, async () => {
      // Of many pairs a hash in their order: each pair's number times that of its place.
      const [theirs] = await queryDuckDb(`${tables}, pairs AS (
        SELECT l.row * ${numBuilt} + r.row AS pair,
          row_number() OVER (ORDER BY l.row, r.row) AS place
        FROM l JOIN r ON ${sql}
      ) SELECT count(*) AS count, sum((pair % 1009) * (place % 1013))::BIGINT AS hash FROM pairs`);
      let [count, hash, numBatches] = [0, 0, 0];
      const stream = fromBatches(probes, { engine })
        .pipeThrough(join(fromBatches(built, { engine }), { where }));
      for await (const batch of stream) {
        assert(batch.numRows <= 65_536);
        numBatches++;
        const [left, right] = ["row", "row_right"].map((name) => batch.getChild(name)!.toArray());
        for (let at = 0; at < batch.numRows; at++) {
          hash += ((left[at] * numBuilt + right[at]) % 1009) * (++count % 1013);
        }
      }
      assertEquals({ count: BigInt(count), hash: BigInt(hash) }, theirs);
      assert(count > 1000 && numBatches > 2, `${count} rows in ${numBatches} batches`);
    });
  }
  await engine.close();
});
