import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  Binary,
  type DataType,
  Field,
  FixedSizeList,
  Int32,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";
import { FileError } from "../../../../base/errors/file_error.ts";
import { openSource } from "../../../../streams/files/read.ts";
import { decodeSchema } from "../../../../streams/data/arrow_data.ts";
import { write } from "../../../../streams/files/write.ts";
import { writeParquet } from "../../../../streams/formats/parquet/parquet.ts";
import { readIpc, writeIpc } from "../../../support/files/ipc.ts";
import { offsetType } from "../../../../streams/data/offset_type.ts";
import { type OffsetsPolicy, SinkOffsets } from "../../../../streams/sink/sink_offsets.ts";
import { queryDuckDb, readWithFlechette } from "../../../support/judges/peers.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import {
  bareBatchOf,
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  wordsBatch,
  writeAll,
} from "../../../support/values/streams_samples.ts";

const item = (type: DataType) => new Field("item", type, true);

/** A batch with text at every depth; with wide offsets, or not. */
function randomBatch(random: SeededRandom, isWide: boolean): RecordBatch {
  const [utf8, binary] = isWide ? [new LargeUtf8(), new LargeBinary()] : [new Utf8(), new Binary()];
  const numRows = random.below(30);
  const rows = <T>(value: () => T) =>
    Array.from({ length: numRows }, () => random.chance(0.2) ? null : value());
  const text = () => random.pick(["", "a", "é€", "𝄞 longer than twelve bytes", "x".repeat(30)]);
  const texts = () => Array.from({ length: random.below(4) }, text);
  const batch = bareBatchOf({
    id: [new Int32(), rows(() => random.below(1000))],
    text: [utf8, rows(text)],
    raw: [binary, rows(() => new TextEncoder().encode(text()))],
    list: [new List(item(utf8)), rows(texts)],
    wideList: [new LargeList(item(utf8)), rows(texts)],
    pair: [new FixedSizeList(2, item(utf8)), rows(() => [text(), text()])],
    deep: [
      new Struct([item(new List(item(utf8))), new Field("name", utf8, true)]),
      rows(() => ({ item: texts(), name: text() })),
    ],
  });
  const start = random.below(numRows + 1);
  return random.chance(0.5) ? batch.slice(start, start + random.below(numRows + 1)) : batch;
}

/** Bytes of text in a value of any depth. */
function textBytes(value: unknown): number {
  if (typeof value === "string") return new TextEncoder().encode(value).length;
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + textBytes(each), 0);
  if (value === null || typeof value !== "object") return 0;
  return textBytes(Object.values(value));
}

/** The most bytes that a column of the rows has; for binary data a number is a byte. */
function largestColumn(rows: readonly Record<string, unknown>[]): number {
  const columns = (row: Record<string, unknown>): number[] => {
    const { raw, deep, text, list, wideList, pair } = row;
    const { item, name } = (deep ?? {}) as Record<string, unknown>;
    const bytes = (raw as number[] | null)?.length ?? 0;
    return [bytes, ...[text, list, wideList, pair, item ?? null, name ?? null].map(textBytes)];
  };
  const sums = rows.map(columns).reduce(
    (sum, each) => sum.map((bytes, i) => bytes + each[i]!),
    new Array(7).fill(0),
  );
  return Math.max(...sums);
}

Deno.test("split gives the same rows in the fewest parts whose columns stay below the threshold", () =>
  forSeeds(60, (random) => {
    const threshold = 140 + random.below(400);
    const offsets = new SinkOffsets("out.arrow", "split", threshold);
    const batches = Array.from({ length: 4 }, () => randomBatch(random, random.chance(0.5)));
    for (const batch of batches) {
      const rows = rowsOf([batch]);
      const parts = [...offsets.split(batch)];
      assertEquals(rowsOf(parts), rows);
      let next = 0;
      for (const [index, part] of parts.entries()) {
        for (const { type } of part.schema.fields) assertEquals(type, offsetType(type, 32));
        assert(largestColumn(rowsOf([part])) < threshold);
        next += part.numRows;
        // One row more would have been too many.
        const more = rows.slice(next - part.numRows, next + 1);
        if (index < parts.length - 1) assert(largestColumn(more) >= threshold);
      }
    }
  }));

Deno.test("every policy writes files that readers read, whatever the batches are", () =>
  forSeeds(20, (random) =>
    inFolder(async (folder) => {
      const path = `${folder}/out.arrows`;
      const batches = Array.from({ length: 3 }, () => randomBatch(random, random.chance(0.5)));
      const expected = rowsOf(batches);
      for (const policy of ["split", "large", "error"] as const) {
        await writeAll(writeIpc(path, { offsets: policy }), batches);
        const read = await readAll(readIpc(path));
        assertEquals(rowsOf(read), expected);
        for (const { type } of read[0]!.schema.fields) {
          assertEquals(String(type), String(offsetType(type, policy === "large" ? 64 : 32)));
        }
        const judged = await readWithFlechette(await Deno.readFile(path));
        assertEquals(
          judged.map((row) => [row.text, row.id]),
          expected.map((row) => [row.text, row.id]),
        );
      }
    })));

Deno.test("a batch that needs no other offsets goes through as it is", () => {
  const narrow = wordsBatch(["a", null, "é"]);
  const wide = batchOf({ word: [new LargeUtf8(), ["a", null]] });
  const through = (
    policy: OffsetsPolicy,
    batch: RecordBatch,
  ) => [...new SinkOffsets("out.arrow", policy).split(batch)];
  assert(through("split", narrow)[0] === narrow);
  assert(through("error", narrow)[0] === narrow);
  assert(through("large", wide)[0] === wide);
});

Deno.test("a row that is too large for split is an error that names row, column, bytes and large", () => {
  const offsets = new SinkOffsets("out.arrow", "split", 10);
  for (const word of ["one", "two"]) {
    assertEquals([...offsets.split(wordsBatch([word]))].length, 1);
  }
  const bad = wordsBatch(["three", "four", "0123456789", "five"]);
  const parts: RecordBatch[] = [];
  const error = assertThrows(() => {
    for (const part of offsets.split(bad)) parts.push(part);
  }, FileError);
  assertEquals(rowsOf(parts).map(({ word }) => word), ["three", "four"]);
  assertEquals([error.row, error.column], [4, "word"]);
  assertEquals(
    error.message,
    "out.arrow: row 4, column word: a value of 10 bytes is more than 32-bit offsets can address; " +
      'choose the offsets "large"',
  );
});

Deno.test("error refuses a wide batch and names row, column and bytes", () => {
  const offsets = new SinkOffsets("out.arrow", "error", 10);
  assertEquals([...offsets.split(wordsBatch(["123456789", ""]))].length, 1);
  const error = assertThrows(
    () => [...offsets.split(wordsBatch(["12345", "6789", "0"]))],
    FileError,
  );
  assertEquals([error.row, error.column], [4, "word"]);
  assertEquals(
    error.message,
    "out.arrow: row 4, column word: here the batch, which has 10 bytes of it, passes what 32-bit " +
      'offsets can address; regroup, or choose the offsets "split" or "large"',
  );
});

/** A column of texts of these sizes; the pages of its bytes are never touched. */
function sparseBatch(sizes: readonly number[]): RecordBatch {
  const valueOffsets = new BigInt64Array(sizes.length + 1);
  for (const [row, size] of sizes.entries()) {
    valueOffsets[row + 1] = valueOffsets[row]! + BigInt(size);
  }
  const data = new Uint8Array(Number(valueOffsets[sizes.length]));
  const column = makeData({ type: new LargeUtf8(), length: sizes.length, valueOffsets, data });
  const fields = [new Field("text", new LargeUtf8(), true)];
  const struct = makeData({ type: new Struct(fields), length: sizes.length, children: [column] });
  return new RecordBatch(new Schema(fields), struct);
}

Deno.test("split cuts around 2^31 and 2^32 bytes, and no offset wraps", () => {
  const max = 2 ** 31 - 2;
  const sizes = [max, 0, 1, max - 1, 5, 2 ** 30, 2 ** 30 - 7, 0, 2];
  const parts = [...new SinkOffsets("out.arrow", "split").split(sparseBatch(sizes))];
  const lengths = parts.map((part) => {
    const { valueOffsets, length, values } = part.data.children[0]!;
    const offsets = valueOffsets as Int32Array;
    assertEquals([offsets[0], offsets[length]], [0, (values as Uint8Array).length]);
    return Array.from({ length }, (_, row) => offsets[row + 1]! - offsets[row]!);
  });
  assertEquals(lengths, [[max, 0], [1, max - 1], [5, 2 ** 30, 2 ** 30 - 7, 0], [2]]);
});

Deno.test("writeIpc() refuses a value of 2^31 - 1 bytes unless large, and leaves no file", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.arrow`;
    const batch = sparseBatch([3, 2 ** 31 - 1]);
    for (const offsets of ["split", "error"] as const) {
      const error = await assertRejects(
        () => writeAll(writeIpc(path, { offsets }), [batch]),
        FileError,
      );
      assertEquals([error.file, error.row, error.column], [path, 1, "text"]);
      assertEquals([...Deno.readDirSync(folder)], []);
    }
  }));

for (const name of ["out.arrow", "out.arrows", "out.parquet", "out.csv", "out.ndjson"]) {
  Deno.test(`write() takes batches of either width, in any order, into ${name}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/${name}`;
      const batch = (type: DataType, words: (string | null)[]) => batchOf({ word: [type, words] });
      const batches = [
        batch(new Utf8(), ["a", null]),
        batch(new LargeUtf8(), ["é", "", null, "b"]).slice(1),
        batch(new Utf8(), ["c"]),
      ];
      for (const given of [batches, batches.toReversed()]) {
        await writeAll(write(path), given);
        const read = await readAll(openSource(path));
        assertEquals(rowsOf(read), rowsOf(given));
        assertEquals(String(read[0]!.schema.fields[0]!.type), "Utf8");
      }
      const other = batchOf({ word: [new Int32(), [1]] });
      await assertRejects(
        () => writeAll(write(path), [batches[1]!, other]),
        FileError,
        "column word is int32, but utf8 is expected",
      );
    }));
}

Deno.test("writeParquet() notes LargeUtf8 with large, and DuckDB reads the texts", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const batches = [wordsBatch(["a", null, "é"]), wordsBatch(["", "𝄞"])];
    await writeAll(writeParquet(path, { offsets: "large" }), batches);
    assertEquals(await queryDuckDb(`SELECT * FROM '${path}'`), rowsOf(batches));
    const [pair] = await queryDuckDb(`SELECT value FROM parquet_kv_metadata('${path}')`);
    const noted = atob(new TextDecoder().decode(pair!.value as Uint8Array));
    const message = Uint8Array.from(noted, (char) => char.charCodeAt(0));
    assertEquals(decodeSchema(message).fields.map(({ type }) => String(type)), [
      "Int32",
      "LargeUtf8",
    ]);
  }));

Deno.test("write() refuses options of other formats", () => {
  const refused = [
    ["x.csv", { offsets: "large" }, "x.csv: csv has no offsets"],
    ["x.arrow", { rowGroupRows: 5 }, "x.arrow: arrow has no row groups"],
    ["x.csv", { rowGroupBytes: 5 }, "x.csv: csv has no row groups"],
    [
      "x.arrow",
      { compression: "gzip" },
      "x.arrow: Arrow is compressed by zstd or lz4, not by gzip",
    ],
    ["x.csv", { compression: "gzip" }, "x.csv: csv has no compression"],
  ] as const;
  for (const [path, options, message] of refused) {
    assertThrows(() => write(path, options), TypeError, message);
  }
});

Deno.test("writeIpc() refuses what is no policy", () => {
  assertThrows(
    () => writeIpc("out.arrow", { offsets: "wide" as "large" }),
    TypeError,
    'The option offsets must be one of split, large, error, not "wide"',
  );
});
