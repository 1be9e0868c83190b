import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import { createEngine, expr, fromBatches, regroup, withColumns } from "../../../../mod.ts";
import { toTable } from "../../../../streams/source/memory.ts";
import { withOneSchema } from "../../../../streams/data/with_schema.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { batchOf, rowsOf, wordsBatch } from "../../../support/values/streams_samples.ts";

const item = (type: arrow.DataType) => new arrow.Field("item", type, true);
const texts = ["", "a", "é€", "𝄞 longer than twelve bytes"];

/** A batch whose text, at every depth, has offsets of either width. */
function randomBatch(random: SeededRandom): arrow.RecordBatch {
  const utf8 = () => random.chance(0.5) ? new arrow.LargeUtf8() : new arrow.Utf8();
  const binary = () => random.chance(0.5) ? new arrow.LargeBinary() : new arrow.Binary();
  const text = () => random.pick(texts);
  const numRows = random.below(12);
  const rows = <T>(value: () => T) =>
    Array.from({ length: numRows }, () => random.chance(0.2) ? null : value());
  const batch = batchOf({
    id: [new arrow.Int32(), rows(() => random.below(1000))],
    text: [utf8(), rows(text)],
    raw: [binary(), rows(() => new TextEncoder().encode(text()))],
    list: [new arrow.List(item(utf8())), rows(() => [text(), text(), text()])],
    pair: [new arrow.FixedSizeList(2, item(utf8())), rows(() => [text(), text()])],
    deep: [
      new arrow.Struct([item(new arrow.List(item(utf8()))), new arrow.Field("name", utf8(), true)]),
      rows(() => ({ item: [text()], name: text() })),
    ],
  });
  const start = random.below(numRows + 1);
  return random.chance(0.5) ? batch.slice(start, start + random.below(numRows + 1)) : batch;
}

Deno.test("toTable() gives one table of batches whose text has offsets of both widths", () =>
  forSeeds(100, async (random) => {
    const batches = Array.from({ length: 1 + random.below(4) }, () => randomBatch(random));
    const table = await toTable(ReadableStream.from(batches));
    assertEquals(rowsOf(table.batches), rowsOf(batches));
    assertEquals(table.batches.map(({ numRows }) => numRows), batches.map((b) => b.numRows));
    const isWide = (index: number) =>
      batches.some(({ schema }) => arrow.DataType.isLargeUtf8(schema.fields[index]!.type));
    assertEquals(arrow.DataType.isLargeUtf8(table.schema.fields[1]!.type), isWide(1));
    for (const { data } of table.batches) {
      data.children.forEach((child, i) => assertEquals(child.type, table.schema.fields[i]!.type));
    }
  }));

Deno.test("toTable() takes what a pipeline gives whose batches pass a threshold one by one", async () => {
  const engine = createEngine({ device: "cpu", threshold: 10 });
  const words = [["a"], ["longer than that"], [], ["b", null]];
  const stream = fromBatches(words.map((texts) => wordsBatch(texts)), { engine });
  const table = await toTable(stream.pipeThrough(withColumns({ loud: expr("word.upper()") })));
  assertEquals(table.schema.fields.map(({ type }) => String(type)), [
    "Int32",
    "LargeUtf8",
    "LargeUtf8",
  ]);
  const loud = ["A", "LONGER THAN THAT", "B", null];
  assertEquals(table.toArray().map((row) => row.loud), loud);
  const again = fromBatches(table, { engine }).pipeThrough(regroup({ rows: 1 }));
  assertEquals((await toTable(again)).toArray().map((row) => row.loud), loud);
});

Deno.test("batches that have one schema already stay the objects that they are", () => {
  const batches = [wordsBatch(["a"]), wordsBatch(["b"])];
  withOneSchema(batches).forEach((batch, index) => assertStrictEquals(batch, batches[index]));
  const wide = batchOf({ id: [new arrow.Int32(), [1]], word: [new arrow.LargeUtf8(), ["c"]] });
  const [first, second] = withOneSchema([batches[0]!, wide]);
  assert(first !== batches[0]);
  assertStrictEquals(second, wide);
});

Deno.test("toTable() refuses batches that differ in more than the width of offsets", async () => {
  const others = [
    batchOf({ id: [new arrow.Int32(), [1]] }),
    batchOf({ id: [new arrow.LargeUtf8(), ["a"]], word: [new arrow.LargeUtf8(), ["c"]] }),
    batchOf({ id: [new arrow.Int32(), [1]], other: [new arrow.LargeUtf8(), ["c"]] }),
  ];
  for (const other of others) {
    const stream = ReadableStream.from([wordsBatch(["a"]), other]);
    await assertRejects(() => toTable(stream), TypeError);
  }
});

Deno.test("toTable() names the batch whose columns are not those of the first", async () => {
  const texts = ["a", "é"];
  const batches = [
    new arrow.Utf8(),
    new arrow.Utf8(),
    new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
  ]
    .map((type) => batchOf({ s: [type, texts] }));
  await assertRejects(
    () => toTable(ReadableStream.from(batches)),
    TypeError,
    "toTable() takes batches of one schema: in batch 2 column s is dictionary<utf8>, but utf8 is expected",
  );
  assertEquals((await toTable(fromBatches(batches))).numRows, 6);
});
