/**
 * The join of 12,000 rows with themselves, 72,000,000 rows, with all its text. The largest batches
 * take about 13 GB of memory.
 */

import { assert, assertEquals } from "@std/assert";
import { DataType } from "apache-arrow";
import { manyMatches } from "../../../examples/many_matches.ts";
import { createEngine, fromBatches, join, regroup } from "../../../mod.ts";
import { largeTest } from "../../support/running/large_test.ts";
import { assertManyMatches } from "../../support/joins/many_matches.ts";
import { assertRepeatedText } from "../../support/values/repeated_text.ts";

const numMatches = 6000;
const numRows = 72_000_000;
const table = manyMatches();
const [even, odd] = [0, 1].map((row) => String(table.getChild("val")!.get(row)));
/** Each row comes out once for each of its matches. */
const texts = [...Array(numMatches).fill(even), ...Array(numMatches).fill(odd)];

largeTest("72,000,000 rows of a join stream through within 2 GiB", async () => {
  await assertManyMatches("cpu", "then", "filter", "val == val_right");
});

for (
  const [rows, threshold] of [[numRows, 2 ** 31 - 1], [numRows / 2, 1_000_000_000]] as const
) {
  const title =
    `regroup makes batches of ${rows} rows of the join, wide from ${threshold} bytes on`;
  largeTest(title, async () => {
    const engine = createEngine({ device: "cpu", threshold, largeStrings: true });
    const stream = fromBatches(table, { engine })
      .pipeThrough(join(fromBatches(table, { engine }), { on: "key" }))
      .pipeThrough(regroup({ rows }));
    let total = 0;
    for await (const batch of stream) {
      assertEquals([batch.numRows, batch.schema.names], [rows, ["val", "key", "val_right"]]);
      const [val, key, right] = batch.data.children;
      for (const text of [val!, right!]) {
        assert(DataType.isLargeUtf8(text.type));
        assertRepeatedText(text, texts, rows, threshold);
      }
      const keys: Int32Array = key!.values;
      for (let row = 0; row < rows; row++) {
        const expected = row % (2 * numMatches) < numMatches ? 0 : 1;
        if (keys[row] !== expected) throw new Error(`The key of row ${row} is ${keys[row]}`);
      }
      total += batch.numRows;
    }
    assertEquals(total, numRows);
  });
}

for (const order of ["probe", "none"] as const) {
  const title = `72,000,000 rows come of a build side that exceeds its memory, order ${order}`;
  largeTest(title, async () => {
    const engine = createEngine({ device: "cpu", memory: 100_000 });
    const stream = fromBatches(table, { engine })
      .pipeThrough(join(fromBatches(table, { engine }), { on: "key", order }));
    const counts = [0, 0];
    let total = 0;
    for await (const batch of stream) {
      const [val, key, right] = batch.data.children;
      assert(batch.numRows <= 65_536 && val!.values.length + right!.values.length <= 64 << 20);
      // Of equal keys both texts are the same, and so are all bytes of both columns.
      assertEquals(val!.values.length, right!.values.length);
      const keys: Int32Array = key!.values;
      for (let row = 0; row < batch.numRows; row++) {
        counts[keys[row]!]!++;
        const expected = (total + row) % (2 * numMatches) < numMatches ? 0 : 1;
        if (order === "probe" && keys[row] !== expected) {
          throw new Error(`The key of row ${total + row} is ${keys[row]}`);
        }
      }
      total += batch.numRows;
    }
    assertEquals(counts, [numRows / 2, numRows / 2]);
    await engine.close();
  });
}

Deno.test("a join of 12,000 rows with themselves counts 72,000,000 rows within 2 GiB", () =>
  assertManyMatches("cpu"));
