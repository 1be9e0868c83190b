import { assertEquals } from "@std/assert";
import { createEngine, fromBatches, join, type RunStats, toTable } from "../../../../../mod.ts";
import { bytesSpilled } from "../../../../support/joins/bytes_spilled.ts";
import { loadPeer } from "../../../../support/judges/peers.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { rowsOf } from "../../../../support/values/streams_samples.ts";
import { fewOr } from "../../../../support/random/test_size.ts";
import {
  conditionColumns,
  randomCondition,
  randomSide,
} from "../../../../support/joins/where_conditions.ts";

Deno.test("joins by a condition give the rows of DuckDB, in the order of both sides", async () => {
  const { DuckDBInstance } = await loadPeer("duckdb");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const runs: RunStats[] = [];
  // The last one has too little memory for more than a few rows of the build side.
  const engines = [{}, { fuse: false }, { memory: 2000 }].map((options) =>
    createEngine({
      device: "cpu",
      onRun: (run) => runs.push(run),
      ...options,
    })
  );
  const draws = new Draws([
    ...conditionColumns,
    ...["==", "!=", "<", "<=", ">", ">=", "interval", "negated", "or"],
    ...["left only", "right only", "call of both", "inner", "left"],
    ...["no left rows", "no right rows", "no result", "a search", "a nested loop", "files"],
  ]);
  try {
    await forSeeds(fewOr(50, 400), async (random) => {
      const left = randomSide(random, "left", 20);
      const right = randomSide(random, "right", 40);
      const condition = randomCondition(random);
      const how = random.pick(["inner", "left"] as const);
      const reader = await connection.runAndReadAll(
        `SELECT l."row" AS "left", r."row" AS "right" FROM (${left.sql}) l ` +
          `${how === "left" ? "LEFT JOIN" : "JOIN"} (${right.sql}) r ON ${condition.sql} ` +
          `ORDER BY l."row", r."row"`,
      );
      const pairs = reader.getRowsJS() as [number, number | null][];
      const engine = random.pick(engines);
      const stream = fromBatches(left.batches, { engine }).pipeThrough(
        join(fromBatches(right.batches, { engine }), { where: condition.ours, how }),
      );
      const explained = await stream.explain();
      const rows = rowsOf((await toTable(stream)).batches);

      const [leftRows, rightRows] = [rowsOf(left.batches), rowsOf(right.batches)];
      const none = Object.fromEntries(["row", ...conditionColumns].map((name) => [name, null]));
      const expected = pairs.map(([leftRow, rightRow]) => {
        const ofRight = Object.entries(rightRow === null ? none : rightRows[rightRow]!);
        return {
          ...leftRows[leftRow],
          ...Object.fromEntries(ofRight.map(([name, value]) => [`${name}_right`, value])),
        };
      });
      assertEquals(rows, expected, condition.ours);
      condition.draws.forEach((draw) => draws.add(draw));
      draws.add(how);
      if (leftRows.length === 0) draws.add("no left rows");
      if (rightRows.length === 0) draws.add("no right rows");
      if (rows.length === 0) draws.add("no result");
      if (bytesSpilled(runs.splice(0)) > 0) draws.add("files");
      draws.add(explained.includes("warning:") ? "a nested loop" : "a search");
    }, draws);
  } finally {
    connection.closeSync();
    instance.closeSync();
    for (const engine of engines) await engine.close();
  }
});
