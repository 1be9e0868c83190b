import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readParquet, writeParquet } from "../../../../../streams/formats/parquet/parquet.ts";
import { groupWindows } from "../../../../../streams/formats/parquet/read/group_shape.ts";
import { loadParquetWasm } from "../../../../../streams/formats/parquet/module/module.ts";
import { selectColumns } from "../../../../../streams/types/select_columns.ts";
import { loadPeer, queryDuckDb } from "../../../../support/judges/peers.ts";
import {
  allTypesBatch,
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  wordsBatch,
  writeAll,
} from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

/** Types that come back as another: Utf8. */
const unsupported = ["large", "view"];

function parquetColumns(batch: arrow.RecordBatch): arrow.RecordBatch {
  const names = batch.schema.fields.map(({ name }) => name);
  return selectColumns(batch, names.filter((name) => !unsupported.includes(name)));
}

for (const compression of ["none", "snappy", "gzip", "zstd", "lz4"] as const) {
  Deno.test(`writeParquet() and readParquet() keep all types (${compression})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/out.parquet`;
      const batch = parquetColumns(allTypesBatch(50));
      const batches = [batch.slice(3, 20), batch.slice(20, 20), batch.slice(21, 50)];
      await writeAll(writeParquet(path, { compression }), batches);
      assertEquals(rowsOf(await readAll(readParquet(path))), rowsOf(batches));
      assertEquals(await readParquet(path).numRows(), 46);
    }));
}

Deno.test("writeParquet() writes what DuckDB reads", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const batch = batchOf({
      id: [new arrow.Int64(), [1n, 2n ** 60n, null]],
      word: [new arrow.Utf8(), ["naïve 𝄞", "", null]],
    });
    await writeAll(writeParquet(path), [batch]);
    assertEquals(await queryDuckDb(`SELECT * FROM '${path}'`), rowsOf([batch]));
  }));

Deno.test("readParquet() reads what DuckDB writes: lists, structs, decimals, several groups", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(`COPY (SELECT i AS id, 'w' || i AS word, [i, i + 1] AS list,
      {'a': i, 'b': CAST(i AS VARCHAR)} AS pair, CASE WHEN i % 3 = 0 THEN NULL ELSE i / 4 END AS part
      FROM range(5000) t(i)) TO '${path}' (ROW_GROUP_SIZE 2048)`);
    const rows = rowsOf(await readAll(readParquet(path)));
    assertEquals(rows.length, 5000);
    assertEquals(rows[4321], {
      id: 4321n,
      word: "w4321",
      list: [4321n, 4322n],
      pair: { a: 4321n, b: "4321" },
      part: 4321 / 4,
    });
    assertEquals(rows[3]!.part, null);
  }));

Deno.test("readParquet() reads string views and categories of Polars as strings", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const { default: polars } = await loadPeer("polars");
    const words = ["", "naïve", null, "longer than twelve bytes", "𝄞"];
    polars.DataFrame({ word: words }).writeParquet(path);
    assertEquals(rowsOf(await readAll(readParquet(path))).map(({ word }) => word), words);
    assert((await readParquet(path).schema())!.fields[0]!.type instanceof arrow.Utf8);
  }));

Deno.test("a table of typed arrays without rows is written", () =>
  inFolder(async (folder) => {
    const path = `${folder}/none.parquet`;
    const { batches } = arrow.tableFromArrays({ id: new Int32Array(0) });
    await writeAll(writeParquet(path), batches);
    assertEquals(await readParquet(path).numRows(), 0);
  }));

Deno.test("readParquet() gives any range of rows, over row groups and batches", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(
      `COPY (SELECT i::INT AS id FROM range(9000) t(i)) TO '${path}' (ROW_GROUP_SIZE 2048)`,
    );
    const ranges = [[0, 9000], [2040, 2060], [4096, 6144], [8999, 9100], [9000, 9001], [5, 5]];
    for (const [start, stop] of ranges) {
      const rows = rowsOf(await readAll(readParquet(path), { start, stop }));
      const expected = Array.from({ length: 9000 }, (_, id) => ({ id })).slice(start, stop);
      assertEquals(rows, expected, `rows ${start} to ${stop}`);
    }
  }));

Deno.test("readParquet() reads only the columns and row groups that are wanted", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(`COPY (SELECT i AS id, hash(i) AS noise FROM range(500000) t(i))
      TO '${path}' (ROW_GROUP_SIZE 100000)`);
    const { size } = await Deno.stat(path);
    const source = readParquet(path);
    const options = { columns: ["id"], start: 499_990, stop: 500_000 };
    assertEquals(rowsOf(await readAll(source, options)).at(-1), { id: 499_999n });
    assert(source.bytesRead < size / 8, `${source.bytesRead} of ${size} bytes were read`);
  }));

Deno.test("readParquet() gives rows without columns where no column is wanted", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeAll(writeParquet(path), [wordsBatch(["a", "b", "c"])]);
    const batches = await readAll(readParquet(path), { columns: [] });
    assertEquals(batches.map(({ numRows }) => numRows), [3]);
  }));

Deno.test("writeParquet() keeps the columns of a zero-row batch", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    await writeAll(writeParquet(path), [wordsBatch([])]);
    assertEquals(await readParquet(path).numRows(), 0);
    assertEquals((await readParquet(path).schema())!.fields.map(({ name }) => name), [
      "id",
      "word",
    ]);
  }));

/** Rows, and bytes before compression, of each row group. */
async function rowGroups(path: string): Promise<[rows: number, bytes: number][]> {
  const groups = await queryDuckDb(`SELECT row_group_num_rows AS rows,
    sum(total_uncompressed_size)::BIGINT AS bytes FROM parquet_metadata('${path}')
    GROUP BY row_group_id, row_group_num_rows ORDER BY row_group_id`);
  return groups.map(({ rows, bytes }) => [Number(rows), Number(bytes)]);
}

Deno.test("writeParquet() closes row groups by rows, whatever the batches are", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const batches = [300, 0, 1, 1700, 55].map((rows) => wordsBatch(new Array(rows).fill("é")));
    await writeAll(writeParquet(path, { rowGroupRows: 500 }), batches);
    assertEquals((await rowGroups(path)).map(([rows]) => rows), [500, 500, 500, 500, 56]);
    assertEquals(rowsOf(await readAll(readParquet(path))), rowsOf(batches));
  }));

Deno.test("writeParquet() closes row groups by bytes", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    // Texts that no encoding makes smaller.
    const texts = Array.from(
      { length: 40_000 },
      (_, i) => `${i}`.padEnd(100, `${i * 7919 % 997} `),
    );
    const batch = batchOf({ text: [new arrow.Utf8(), texts] });
    const rowGroupBytes = 1 << 20;
    for (
      const batches of [
        [batch],
        Array.from({ length: 40 }, (_, i) => batch.slice(i * 1000, i * 1000 + 1000)),
      ]
    ) {
      await writeAll(writeParquet(path, { rowGroupBytes, compression: "none" }), batches);
      const groups = await rowGroups(path);
      for (const [index, [rows, bytes]] of groups.entries()) {
        assert(bytes < 1.3 * rowGroupBytes, `${rows} rows of ${bytes} bytes`);
        assert(index === groups.length - 1 || bytes > 0.5 * rowGroupBytes, `${bytes} bytes`);
      }
      assertEquals(rowsOf(await readAll(readParquet(path))), rowsOf([batch]));
    }
  }));

Deno.test("readParquet() gives fewer rows in a batch where texts are long, in dictionaries too", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    // Stored in a few kilobytes, for 10 texts of 20 kB each are all there is.
    await queryDuckDb(`COPY (SELECT i AS id, repeat(chr(97 + (i % 10)::INT), 20000) AS text
      FROM range(5000) t(i)) TO '${path}' (ROW_GROUP_SIZE 5000, COMPRESSION zstd)`);
    let numRows = 0;
    for await (const { data: { children: [, text] } } of sourceBatches(readParquet(path))) {
      const bytes = (text!.values as Uint8Array).length;
      assert(bytes <= 65 << 20, `a batch of ${bytes} bytes`);
      assertEquals((text!.values as Uint8Array)[bytes - 1], 97 + (numRows + text!.length - 1) % 10);
      numRows += text!.length;
    }
    assertEquals(numRows, 5000);
  }));

Deno.test("row groups beyond the memory of the module are read window by window, if it can skip", () => {
  const shape = { numRows: 1000, storedBytes: 2 ** 30, canSkip: true };
  const range = { start: 100, stop: 700 };
  assertEquals(groupWindows(shape, range), [
    { start: 100, stop: 350 },
    { start: 350, stop: 600 },
    { start: 600, stop: 700 },
  ]);
  assertEquals(groupWindows({ ...shape, canSkip: false }, range), [range]);
  assertEquals(groupWindows({ ...shape, storedBytes: 2 ** 29 }, range), [range]);
  const tall = { ...shape, numRows: 3, storedBytes: 2 ** 40 };
  assertEquals(groupWindows(tall, { start: 1, stop: 3 }), [
    { start: 1, stop: 2 },
    { start: 2, stop: 3 },
  ]);
});

Deno.test("writeParquet() notes the least, the greatest and the nulls of each row group", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const batch = batchOf({
      id: [new arrow.Int64(), [5n, -7n, null, 2n ** 60n, 1n, null]],
      word: [new arrow.Utf8(), ["b", null, "a", "é", "z", "naïve"]],
      part: [new arrow.Float64(), [0.5, -1.5, 2, null, null, null]],
    });
    await writeAll(writeParquet(path, { rowGroupRows: 3 }), [batch]);
    const statistics = await queryDuckDb(`SELECT path_in_schema AS name, stats_min_value AS least,
      stats_max_value AS greatest, stats_null_count::INT AS nulls FROM parquet_metadata('${path}')
      ORDER BY row_group_id, column_id`);
    assertEquals(statistics.map((row) => Object.values(row)), [
      ["id", "-7", "5", 1],
      ["word", "a", "b", 1],
      ["part", "-1.5", "2.0", 0],
      ["id", "1", String(2n ** 60n), 1],
      ["word", "naïve", "é", 0],
      ["part", null, null, 3],
    ]);
  }));

Deno.test("writeParquet() refuses limits that mean nothing", () => {
  const limits = [{ rowGroupRows: 0 }, { rowGroupRows: 1.5 }, { rowGroupBytes: 2 ** 29 + 1 }];
  for (const options of limits) {
    const [name] = Object.keys(options);
    const message = `The option ${name} must be a whole number from 1 to `;
    assertThrows(() => writeParquet("out.parquet", options), RangeError, message);
  }
  const compression = "brotli" as "zstd";
  const message = 'option compression must be one of none, snappy, gzip, zstd, lz4, not "brotli"';
  assertThrows(() => writeParquet("out.parquet", { compression }), TypeError, message);
});

Deno.test("writeParquet() refuses a row that is larger than its module can take", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const data = new Uint8Array(2 ** 28 + 1);
    const valueOffsets = Int32Array.of(0, 1, 1, data.length);
    const text = arrow.makeData({ type: new arrow.Utf8(), length: 3, valueOffsets, data });
    const fields = [new arrow.Field("text", new arrow.Utf8(), true)];
    const rows = arrow.makeData({ type: new arrow.Struct(fields), length: 3, children: [text] });
    const batch = new arrow.RecordBatch(new arrow.Schema(fields), rows);
    const error = await assertRejects(() => writeAll(writeParquet(path), [batch]), FileError);
    assert(error.message.startsWith(`${path}: row 2 has 2684354`), error.message);
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("writeParquet() hands a large batch over in pieces, so that the module stays small", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    // Rows of 10 kB, so that pieces are cut by bytes.
    const words = new Array(20_000).fill("long text ".repeat(1000));
    const wasm = await loadParquetWasm();
    const before = wasm.wasmMemory().buffer.byteLength;
    await writeAll(writeParquet(path), [batchOf({ word: [new arrow.Utf8(), words] })]);
    const grown = wasm.wasmMemory().buffer.byteLength - before;
    assert(grown < 100e6, `200 MB of text needed ${grown} bytes`);
    assertEquals(await readParquet(path).numRows(), 20_000);
  }));

Deno.test("writeParquet() writes units of time that others know", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const batch = batchOf({
      second: [new arrow.TimestampSecond(), [1000, null, -1000]],
      noon: [new arrow.TimeSecond(), [43_200, 0, null]],
      date: [new arrow.DateMillisecond(), [1, null, 86_400_000]],
      list: [new arrow.List(new arrow.Field("item", new arrow.TimestampSecond(), true)), [
        [1000],
        null,
        [null, 0],
      ]],
    });
    await writeAll(writeParquet(path), [batch.slice(0, 1), batch.slice(1)]);
    const judged = await queryDuckDb(`SELECT epoch_ms(second)::INT AS second, noon::VARCHAR AS noon,
      epoch_ms(date)::INT AS date, list::VARCHAR AS list FROM '${path}'`);
    assertEquals(judged.map((row) => Object.values(row)), [
      [1000, "12:00:00", 1, "['1970-01-01 00:00:01']"],
      [null, "00:00:00", null, null],
      [-1000, null, 86_400_000, "[NULL, '1970-01-01 00:00:00']"],
    ]);
  }));

Deno.test("writeParquet() takes string views and batches larger than its pieces", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const words = Array.from({ length: 150_000 }, (_, i) => (i % 7 === 0 ? null : `word ${i}`));
    await writeAll(writeParquet(path), [batchOf({ word: [new arrow.Utf8View(), words] })]);
    assertEquals(rowsOf(await readAll(readParquet(path))).map(({ word }) => word), words);
  }));

Deno.test("readParquet() stops when the iteration ends early, and closes the file", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeAll(writeParquet(path), [wordsBatch(new Array(200_000).fill("x"))]);
    for await (const batch of sourceBatches(readParquet(path))) {
      assertEquals(batch.numRows, 65_536);
      break;
    }
  }));

for (
  const [what, content, message] of [
    ["an empty file", "", "is empty, not a Parquet file"],
    ["a file that is not Parquet", "id,word\n1,a\n", "is text, not Parquet"],
    ["bytes that are not Parquet", "\x01\0\x02\0 and so on", "is not a Parquet file"],
    ["a truncated file", "PAR1\x15\0 and then nothing", "is a truncated Parquet file"],
    ["a corrupt footer", "PAR1xxxxxxxxxxxx\x08\0\0\0PAR1", ""],
  ] as const
) {
  Deno.test(`readParquet() refuses ${what} in one line that names it`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/bad.parquet`;
      await Deno.writeTextFile(path, content);
      const error = await assertRejects(() => readParquet(path).schema(), FileError, message);
      assert(error.message.startsWith(`${path}: `) && !error.message.includes("\n"), error.message);
    }));
}

Deno.test("writeParquet() reports what it cannot hold and leaves no file", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const batch = batchOf({
      span: [new arrow.IntervalMonthDayNano(), [Int32Array.of(1, 2, 3, 0)]],
    });
    await assertRejects(() => writeAll(writeParquet(path), [batch]), FileError, path);
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("a column that traps the decoder is an error that names file and column, each time", () =>
  inFolder(async (folder) => {
    const path = `${folder}/damaged.parquet`;
    const words = wordsBatch(["still", "works", "still"]);
    await writeAll(writeParquet(path, { compression: "none" }), [words]);
    const bytes = await Deno.readFile(path);
    // The number of values of the dictionary, which its header has last.
    const at = bytes.indexOf(2 * 3, 4);
    await Deno.writeFile(path, bytes.with(at, 2 * 60));
    const column = words.schema.fields[0]!.name;
    for (let time = 0; time < 2; time++) {
      const error = await assertRejects(() => readAll(readParquet(path)), FileError);
      const problem = "row group 0, is corrupt, or contains data that cannot be decoded";
      assertEquals(error.message, `${path}: column ${column}, ${problem}`);
    }
    const good = `${folder}/good.parquet`;
    await writeAll(writeParquet(good), [wordsBatch(["still", "works"])]);
    assertEquals((await readAll(readParquet(good))).length, 1);
  }));
