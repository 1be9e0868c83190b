import { assertEquals, assertThrows } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import {
  createEngine,
  expr,
  fromBatches,
  type RunStats,
  slice,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import {
  checkOverflow,
  checkOverflowOfOperators,
  checkWideStats,
  textBatches,
  viewBatches,
} from "../../../support/values/large_strings.ts";

Deno.test("a run counts the batches of each operator whose text had 64-bit offsets", () =>
  checkWideStats("cpu"));

Deno.test("text of views and dictionaries is counted where it becomes plain", async () => {
  const runs: RunStats[] = [];
  const engine = createEngine({ device: "cpu", threshold: 10, onRun: (run) => runs.push(run) });
  await toTable(fromBatches(viewBatches(["longer than ten bytes", null]), { engine }));
  const [{ operators, wideText }] = runs as [RunStats];
  assertEquals(operators.map((operator) => operator.wideText), [[]]);
  assertEquals(wideText, [
    { column: "view", batches: 1, bytes: 21 },
    { column: "category", batches: 1, bytes: 21 },
  ]);
});

Deno.test("below the threshold nothing is counted, and the threshold is told", async () => {
  const runs: RunStats[] = [];
  const engine = createEngine({ device: "cpu", threshold: 22, onRun: (run) => runs.push(run) });
  await toTable(fromBatches(viewBatches(["longer than ten bytes"]), { engine }));
  const [{ operators, wideText, threshold }] = runs as [RunStats];
  const { offsets } = createEngine({ device: "cpu", threshold: 64, largeStrings: false });
  assertEquals([operators[0]!.wideText, wideText, threshold], [[], [], 22]);
  assertEquals(offsets, { threshold: 64, enabled: false });
});

Deno.test("without 64-bit offsets an OverflowError is caught, the rows regrouped, and all is there", () =>
  checkOverflow("cpu"));

Deno.test("without 64-bit offsets operators refuse to put text together, and pass on what came in", () =>
  checkOverflowOfOperators("cpu"));

Deno.test("streams that know no plans see 64-bit offsets in the batches that have them", async () => {
  const engine = createEngine({ device: "cpu", threshold: 12 });
  const texts = [["a"], ["long enough, with ß"], ["b", null], ["also ", "long text"]];
  const seen: string[] = [];
  const foreign = new TransformStream<RecordBatch, RecordBatch>({
    transform(batch, controller) {
      const { type, valueOffsets } = batch.data.children[2]!;
      seen.push(`${type} ${valueOffsets.constructor.name}`);
      controller.enqueue(batch);
    },
  });
  const [left, right] = fromBatches(textBatches(texts), { engine })
    .pipeThrough(withColumns({ loud: expr("text.upper()") }))
    .pipeThrough(foreign)
    .tee();
  const expected = texts.flat().map((text) => text?.toUpperCase() ?? null);
  const again = fromBatches(right, { engine })
    .pipeThrough(withColumns({ loud: expr("loud.lower().upper()") }))
    .pipeThrough(slice(1, 5));
  const [whole, part] = await Promise.all([toTable(left), toTable(again)]);
  assertEquals(whole.toArray().map((row) => row.loud), expected);
  assertEquals(part.toArray().map((row) => row.loud), expected.slice(1, 5));
  const [narrow, wide] = ["Utf8 Int32Array", "LargeUtf8 BigInt64Array"];
  assertEquals(seen, [narrow, wide, narrow, wide]);
});

Deno.test("createEngine() takes true and false as largeStrings, and nothing else", () => {
  for (const largeStrings of [0, "no", null] as unknown as boolean[]) {
    assertThrows(() => createEngine({ largeStrings }), TypeError, "largeStrings is true or false");
  }
});

Deno.test("createEngine() refuses a threshold that is no number of bytes from 1 to 2^31 - 1", () => {
  for (const threshold of [0, -1, 1.5, 2 ** 31, NaN, Infinity, "64" as unknown as number]) {
    const error = assertThrows(() => createEngine({ threshold }), RangeError);
    assertEquals(
      error.message,
      `threshold is a number of bytes from 1 to 2147483647, not "${threshold}"`,
    );
  }
});
