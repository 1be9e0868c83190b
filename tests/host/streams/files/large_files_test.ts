/**
 * One batch with more than 2^31 bytes of text into files of every format and back, and files whose
 * rows are too large. Takes about 4 GB of memory, 3 GB of disk and some minutes.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Field, Int32, LargeUtf8, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { readCsv } from "../../../../streams/formats/csv/csv.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import { readNdjson } from "../../../../streams/formats/ndjson/ndjson.ts";
import { loadParquetWasm } from "../../../../streams/formats/parquet/module/module.ts";
import { readParquet } from "../../../../streams/formats/parquet/parquet.ts";
import { replaceInvalid } from "../../../../streams/text/valid_utf8.ts";
import type { Source } from "../../../../streams/plan/source.ts";
import { openSource } from "../../../../streams/files/read.ts";
import { write } from "../../../../streams/files/write.ts";
import { largeTest } from "../../../support/running/large_test.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { assertRepeatedText, repeatedText } from "../../../support/values/repeated_text.ts";
import { inFolder, openRange, readAll, writeAll } from "../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../support/pipelines/source_batches.ts";

/** What the rows hold over and over: the hardest of it takes twice the room in a text format. */
const texts = [
  "alpha, beta; ".repeat(300),
  'the "quick" brown fox\n'.repeat(200),
  "ärger, straße, ÎLE ".repeat(250),
  "",
  "plain ".repeat(1000),
];
const numRows = texts.length * Math.ceil(2.3e9 / 19_250);

let made: RecordBatch | undefined;

function largeBatch(): RecordBatch {
  if (made !== undefined) return made;
  const id = makeData({
    type: new Int32(),
    data: Int32Array.from({ length: numRows }, (_, i) => i),
  });
  const text = repeatedText(texts, numRows / texts.length);
  const fields = [new Field("id", id.type, true), new Field("text", text.type, true)];
  const rows = makeData({ type: new Struct(fields), length: numRows, children: [id, text] });
  assert(text.values.length > 2 ** 31);
  return made = new RecordBatch(new Schema(fields), rows);
}

/** Most bytes of memory that were resident so far. */
function peakBytes(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))!;
  return Number(kilobytes) * 1024;
}

for (const name of ["out.arrow", "out.arrows", "out.parquet", "out.csv", "out.ndjson"]) {
  largeTest(
    `a batch of 2.3 GB of text goes into ${name} and comes back, in little memory`,
    () =>
      inFolder(async (folder) => {
        const path = `${folder}/${name}`;
        const batch = largeBatch();
        const before = peakBytes();
        await writeAll(write(path), [batch]);
        const grown = peakBytes() - before;
        assert(grown < 300e6, `writing took ${grown} bytes`);
        let row = 0;
        for await (const { data, numRows, schema } of sourceBatches(openSource(path))) {
          assertEquals(String(schema.fields[1]!.type), "Utf8");
          const first = row % texts.length;
          const expected = [...texts.slice(first), ...texts.slice(0, first)];
          assertRepeatedText(data.children[1]!, expected, numRows);
          row += numRows;
        }
        assertEquals(row, numRows);
      }),
  );
}

largeTest(
  "readParquet() reads a row group of 1 GB in less memory, from any row",
  () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.parquet`;
      await queryDuckDb(
        `COPY (SELECT i::INT AS id, repeat(chr(97 + (i % 26)::INT), 20000) || i AS text
      FROM range(50000) t(i)) TO '${path}' (COMPRESSION zstd)`,
      );
      const before = (await loadParquetWasm()).wasmMemory().buffer.byteLength;
      for (const start of [0, 40_001]) {
        let row = start;
        for await (const batch of openRange(readParquet(path), { start, stop: 50_000 })) {
          const { id, text } = batch.get(batch.numRows - 1)!.toJSON();
          row += batch.numRows;
          assertEquals(id, row - 1);
          assertEquals(text, String.fromCharCode(97 + id % 26).repeat(20_000) + id);
        }
        assertEquals(row, 50_000);
      }
      const grown = (await loadParquetWasm()).wasmMemory().buffer.byteLength - before;
      assert(grown < 800e6, `the module has grown by ${grown} bytes`);
    }),
);

/** A file of a few bytes and a gap of zeros behind them, which takes no room on the disk. */
async function sparseFile(path: string, front: string, numBytes: number): Promise<void> {
  await Deno.writeTextFile(path, front);
  await Deno.truncate(path, numBytes);
}

largeTest(
  "readCsv() refuses a record that is larger than it can be, and names the row",
  () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.csv`;
      await sparseFile(path, 'a,b\n1,x\n2,"', 2 ** 31);
      const error = await assertRejects(() => readAll(readCsv(path)), FileError);
      const problem =
        "row 1 has more than 2130706432 bytes, the most of CSV, or a quote that is never closed";
      assertEquals(error.message, `${path}: ${problem}`);
    }),
);

largeTest(
  "readNdjson() refuses a line that is longer than a string, and names it",
  () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.ndjson`;
      await sparseFile(path, '{"a":1}\n{"a":"', 2 ** 29 + 8);
      const error = await assertRejects(() => readAll(readNdjson(path)), FileError);
      const problem = "line 2: has more than 536870888 bytes, the longest text";
      assertEquals(error.message, `${path}: ${problem}`);
    }),
);

largeTest("invalid text is replaced in a batch of more than 2^31 bytes", async () => {
  const size = 2 ** 31 + 5;
  const data = new Uint8Array(size + 3);
  data.set([0x61, 0xff, 0xc3], size);
  const valueOffsets = BigInt64Array.of(0n, BigInt(size), BigInt(size + 2), BigInt(size + 3));
  const text = makeData({ type: new LargeUtf8(), length: 3, valueOffsets, data });
  const fields = [new Field("text", text.type, true)];
  const schema = new Schema(fields);
  const rows = makeData({ type: new Struct(fields), length: 3, children: [text] });
  const batch = new RecordBatch(schema, rows);
  const source: Source = {
    name: "memory",
    bytesRead: 0,
    schema: () => Promise.resolve(schema),
    canSeek: () => Promise.resolve(false),
    numRows: () => Promise.resolve(3),
    rows: async function* () {
      yield await Promise.resolve({ batch, firstRow: 0 });
    },
  };
  const [valid] = await readAll(replaceInvalid(source));
  const column = valid!.getChildAt(0)!;
  assertEquals([column.get(1), column.get(2)], ["a\ufffd", "\ufffd"]);
  const [first, ...others] = valid!.data.children[0]!.valueOffsets as unknown as BigInt64Array;
  assertEquals([first, ...others], [0n, BigInt(size), BigInt(size + 4), BigInt(size + 7)]);
});
