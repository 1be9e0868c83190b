/** The layouts that Arrow has for the same values. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type DataType,
  Dictionary,
  Float64,
  Int16,
  Int32,
  Int8,
  LargeUtf8,
  Table,
  Utf8,
  Utf8View,
} from "apache-arrow";
import { expr, fromBatches, read, withColumns } from "../../../../mod.ts";
import { encodeArrow } from "../../../../streams/formats/arrow/arrow.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import { memorySource, toTable } from "../../../../streams/source/memory.ts";
import { openSource } from "../../../../streams/files/read.ts";
import { write } from "../../../../streams/files/write.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  wordsBatch,
  writeAll,
} from "../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../support/pipelines/source_batches.ts";

/** Types with the same values; made anew for each column, as dictionaries have ids. */
type Layouts = readonly [() => DataType, ...(() => DataType)[]];

/** Of text; the first is the plain one. */
const textLayouts: Layouts = [
  () => new Utf8(),
  () => new LargeUtf8(),
  () => new Utf8View(),
  () => new Dictionary(new Utf8(), new Int16()),
  () => new Dictionary(new LargeUtf8(), new Int32()),
  () => new Dictionary(new Utf8View(), new Int8()),
];

const batches = [wordsBatch(["a", null]), wordsBatch([], 2), wordsBatch(["é𝄞"], 2)];

for (const name of ["a.arrow", "a.arrows", "a.feather", "a.parquet", "a.csv", "a.tsv", "a.jsonl"]) {
  Deno.test(`openSource() reads ${name} by its suffix`, () =>
    inFolder(async (folder) => {
      await writeAll(write(`${folder}/${name}`), batches);
      const rows = rowsOf(await readAll(openSource(`${folder}/${name}`)));
      const plain = rows.map(({ id, word }) => ({ id: Number(id), word }));
      assertEquals(plain, rowsOf(batches));
    }));
}

Deno.test("openSource() takes a format that the name does not say", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/data.txt`, "a\n1\n");
    const source = openSource(`${folder}/data.txt`, { format: "csv" });
    assertEquals(rowsOf(await readAll(source)), [{ a: 1n }]);
    assertThrows(
      () => openSource(`${folder}/data.txt`),
      FileError,
      "data.txt: has an unknown format",
    );
    assertThrows(() => openSource([]), TypeError, "read() needs the path of a file");
  }));

Deno.test("openSource() reads several files as one, in any range of rows", () =>
  inFolder(async (folder) => {
    const paths = ["a.arrow", "b.parquet", "c.arrows"].map((name) => `${folder}/${name}`);
    let start = 0;
    for (const path of paths) {
      await writeAll(write(path), [wordsBatch(["x", null, "z"], start)]);
      start += 3;
    }
    const source = openSource(paths);
    assertEquals([await source.numRows(), await source.canSeek()], [9, true]);
    const ids = async (options: object) =>
      rowsOf(await readAll(source, options)).map(({ id }) => id);
    assertEquals(await ids({}), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assertEquals(await ids({ start: 2, stop: 7, columns: ["id"] }), [2, 3, 4, 5, 6]);
    assertEquals(await ids({ start: 8 }), [8]);
    assert(source.numBytes! > 0 && source.bytesRead > 0);
  }));

Deno.test("openSource() passes over NDJSON files without rows among several", () =>
  inFolder(async (folder) => {
    const [none, some, objects] = ["none.jsonl", "some.jsonl", "objects.jsonl"].map((name) =>
      `${folder}/${name}`
    ) as [string, string, string];
    await Deno.writeTextFile(none, "");
    await Deno.writeTextFile(some, '{"a":1}\n');
    await Deno.writeTextFile(objects, "{}\n");
    for (const paths of [[none, some], [some, none], [none, some, none]]) {
      assertEquals(rowsOf(await readAll(openSource(paths))), [{ a: 1n }]);
      assertEquals(rowsOf(await readAll(openSource(paths), { columns: ["a"] })), [{ a: 1n }]);
    }
    const all = openSource([none, none]);
    assertEquals([await all.numRows(), rowsOf(await readAll(all))], [0, []]);
    // Rows without keys are rows.
    const message = "columns are none, but a are expected";
    await assertRejects(() => readAll(openSource([some, objects])), FileError, message);
  }));

Deno.test("openSource() reads files as one whose text has other layouts in each", () =>
  inFolder(async (folder) => {
    const texts = ["a", null, "longer than twelve bytes"];
    const layouts = [...textLayouts, () => new Utf8()];
    const paths = layouts.map((_, index) => `${folder}/${index}.arrow`);
    for (const [index, layout] of layouts.entries()) {
      const batch = batchOf({ id: [new Int32(), [1, 2, 3]], word: [layout(), texts] });
      await Deno.writeFile(paths[index]!, encodeArrow(batch.schema, [batch], { format: "file" }));
    }
    for (const first of paths.keys()) {
      const source = openSource([...paths.slice(first), ...paths.slice(0, first)]);
      assertEquals(String(await source.schema()), "Schema<{ 0: id: Int32, 1: word: Utf8 }>");
      for (const columns of [["id", "word"], ["word"]]) {
        const table = await toTable(
          fromBatches({ [Symbol.asyncIterator]: () => sourceBatches(source, { columns }) })
            .pipeThrough(withColumns({ upper: expr("word.upper()") })),
        );
        const upper = paths.flatMap(() => texts.map((text) => text?.toUpperCase() ?? null));
        assertEquals(table.toArray().map((row) => row.upper), upper);
      }
      assertEquals((await readAll(source, { start: 2, stop: 5 })).length, 2);
    }
  }));

Deno.test("openSource() refuses files of other columns and names the first", () =>
  inFolder(async (folder) => {
    await writeAll(write(`${folder}/a.arrow`), [wordsBatch(["a"])]);
    await writeAll(write(`${folder}/b.arrow`), [
      batchOf({ id: [new Float64(), [1]], word: [new Utf8(), ["b"]] }),
    ]);
    const source = openSource([`${folder}/a.arrow`, `${folder}/b.arrow`]);
    const message = `${folder}/b.arrow: column id is float64, but int32 is expected`;
    await assertRejects(() => readAll(source), FileError, message);
  }));

Deno.test("memorySource() gives any range and columns of batches and tables, again and again", async () => {
  const rows = rowsOf(batches);
  for (const source of [memorySource(batches), memorySource(new Table(batches))]) {
    assertEquals(await source.numRows(), 3);
    for (const [start, stop] of [[0, 3], [1, 3], [2, 99], [3, 4], [1, 1]]) {
      assertEquals(rowsOf(await readAll(source, { start, stop })), rows.slice(start, stop));
    }
    const ids = rowsOf(await readAll(source, { columns: ["word"] }));
    assertEquals(ids, rows.map(({ word }) => ({ word })));
  }
  assertEquals(await memorySource([]).schema(), undefined);
  assertEquals(rowsOf(await readAll(memorySource(batches[0]!))), rows.slice(0, 2));
});

Deno.test("memorySource() reads an iterable no further than needed, and closes it", async () => {
  let made = 0;
  let closed = false;
  async function* numbers() {
    try {
      for (;;) yield await Promise.resolve(batchOf({ n: [new Int32(), [made++]] }));
    } finally {
      closed = true;
    }
  }
  const seen: unknown[] = [];
  for await (const batch of sourceBatches(memorySource(numbers()))) {
    seen.push(...rowsOf([batch]));
    if (seen.length === 2) break;
  }
  assertEquals([seen, closed], [[{ n: 0 }, { n: 1 }], true]);
  assert(made <= 3, `${made} batches were made`);
});

Deno.test("toTable() reads a stream to its end", async () => {
  const table = await toTable(ReadableStream.from(batches));
  assertEquals([table.numRows, rowsOf(table.batches)], [3, rowsOf(batches)]);
});

Deno.test("read() refuses a treatment of invalid text that is none, for every format", () => {
  for (const file of ["x.csv", "x.ndjson", "x.parquet", "x.arrow"]) {
    for (const invalid of [null, "", "nope", 5]) {
      assertThrows(
        () => read(file, { invalid: invalid as never }),
        TypeError,
        'read() option invalid is "error" or "replace"',
      );
    }
  }
});
