import { assertEquals, assertStrictEquals } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { createEngine, expr, filter, fromBatches, join, regroup } from "../../../mod.ts";

const engine = createEngine({ device: "cpu" });
const keys = tableFromArrays({ key: Int32Array.from({ length: 10 }, (_, row) => row % 3) });
const sevens = [keys.batches[0]!.slice(0, 7), keys.batches[0]!.slice(7)];
const names = () =>
  fromBatches(tableFromArrays({ key: Int32Array.of(0, 1, 2), name: ["a", "b", "c"] }), { engine });

Deno.test("a regroup behind a join is repeated in front of it, and keeps its boundaries", async () => {
  const joined = fromBatches(sevens, { engine })
    .pipeThrough(join(names(), { on: "key" }))
    .pipeThrough(regroup({ rows: 4 }));
  const ran = (await joined.explain()).split("runs as:")[1]!;
  assertEquals(ran.match(/^ {2}\w+/gm)?.map((step) => step.trim()), [
    "read",
    "regroup",
    "join",
    "regroup",
  ]);
  const batches = await Array.fromAsync(joined);
  assertEquals(batches.map(({ numRows }) => numRows), [4, 4, 2]);
  const text = batches.flatMap((batch) => [...batch].map((row) => row.name));
  assertEquals(text, Array.from({ length: 10 }, (_, row) => "abc"[row % 3]));
});

Deno.test("a regroup behind a filter, or of very many rows, is not repeated", async () => {
  const filtered = fromBatches(sevens, { engine })
    .pipeThrough(filter(expr("key > 0")))
    .pipeThrough(regroup({ rows: 4 }));
  const large = fromBatches(sevens, { engine })
    .pipeThrough(join(names(), { on: "key" }))
    .pipeThrough(regroup({ rows: 1_000_000 }));
  for (const stream of [filtered, large]) {
    const ran = (await stream.explain()).split("runs as:")[1]!;
    assertStrictEquals(ran.match(/^ {2}regroup/gm)?.length, 1);
    await stream.cancel();
  }
});
