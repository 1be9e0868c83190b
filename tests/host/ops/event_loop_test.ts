import { assert, assertEquals } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { createEngine, expr, filter, fromBatches } from "../../../mod.ts";

Deno.test("timers and signals have their turn while batches in memory are computed", async () => {
  const table = tableFromArrays({ city: ["Rome", "Oslo", "São Paulo"] });
  const batches = Array(200_000).fill(table.batches[0]);
  const engine = createEngine({ device: "cpu" });
  const start = performance.now();
  let [latest, longest, numTurns] = [start, 0, 0];
  const timer = setInterval(() => {
    const now = performance.now();
    [latest, longest, numTurns] = [now, Math.max(longest, now - latest), numTurns + 1];
  }, 10);
  let numRows = 0;
  const stop = start + 1000;
  for await (
    const batch of fromBatches(batches, { engine }).pipeThrough(filter(expr('city > "P"')))
  ) {
    numRows += batch.numRows;
    if (performance.now() > stop) break;
  }
  clearInterval(timer);
  assert(numRows > 0);
  assert(numTurns >= 5, `${numTurns} turns in ${performance.now() - start} ms`);
  assert(longest < 500, `no turn for ${longest} ms`);
  assertEquals(numRows % 2, 0);
});
