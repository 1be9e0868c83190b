import { assert, assertEquals, assertRejects } from "@std/assert";
import { Int64, IntervalMonthDayNano, type RecordBatch, Utf8, Utf8View } from "apache-arrow";
import { FileError } from "../../../streams/errors.ts";
import { readParquet, writeParquet } from "../../../streams/parquet.ts";
import { selectColumns } from "../../../streams/select_columns.ts";
import { loadPeer, queryDuckDb } from "../../support/peers.ts";
import {
  allTypesBatch,
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  wordsBatch,
  writeAll,
} from "../../support/streams_samples.ts";

/** Types that come back as another: Utf8. */
const unsupported = ["large", "view"];

function parquetColumns(batch: RecordBatch): RecordBatch {
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
      id: [new Int64(), [1n, 2n ** 60n, null]],
      word: [new Utf8(), ["naïve 𝄞", "", null]],
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
    assert((await readParquet(path).schema())!.fields[0]!.type instanceof Utf8);
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

Deno.test("writeParquet() takes string views and batches larger than its pieces", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const words = Array.from({ length: 150_000 }, (_, i) => (i % 7 === 0 ? null : `word ${i}`));
    await writeAll(writeParquet(path), [batchOf({ word: [new Utf8View(), words] })]);
    assertEquals(rowsOf(await readAll(readParquet(path))).map(({ word }) => word), words);
  }));

Deno.test("readParquet() stops when the iteration ends early, and closes the file", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeAll(writeParquet(path), [wordsBatch(new Array(200_000).fill("x"))]);
    for await (const batch of readParquet(path).open({})) {
      assertEquals(batch.numRows, 65_536);
      break;
    }
  }));

for (
  const [what, content, message] of [
    ["an empty file", "", "is empty, not a Parquet file"],
    ["a file that is not Parquet", "id,word\n1,a\n", "is not a Parquet file"],
    ["a truncated file", "PAR1 and then nothing", "is a truncated Parquet file"],
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
    const batch = batchOf({ span: [new IntervalMonthDayNano(), [Int32Array.of(1, 2, 3, 0)]] });
    await assertRejects(() => writeAll(writeParquet(path), [batch]), FileError, path);
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("a column that traps the decoder is an error that names the file, each time", () =>
  inFolder(async (folder) => {
    const path = `${folder}/categories.parquet`;
    const { default: pl } = await loadPeer("polars");
    const letters = pl.Series("letter", ["a", "b", "a"]).cast(pl.Categorical);
    pl.DataFrame([letters]).writeParquet(path);
    for (let time = 0; time < 2; time++) {
      const error = await assertRejects(() => readAll(readParquet(path)), FileError);
      assert(error.message.includes("categories.parquet"), error.message);
    }
    const good = `${folder}/good.parquet`;
    await writeAll(writeParquet(good), [wordsBatch(["still", "works"])]);
    assertEquals((await readAll(readParquet(good))).length, 1);
  }));
