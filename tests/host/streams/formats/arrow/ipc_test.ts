import { Buffer } from "node:buffer";
import { assert, assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readIpc, writeIpc } from "../../../../support/files/ipc.ts";
import { selectColumns } from "../../../../../streams/types/select_columns.ts";
import { loadPeer, readWithFlechette } from "../../../../support/judges/peers.ts";
import {
  allTypesBatch,
  batchOf,
  inFolder,
  plain,
  readAll,
  rowsOf,
  wordsBatch,
  writeAll,
} from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

const samples: Record<string, () => arrow.RecordBatch[]> = {
  "batches of every type": () => [allTypesBatch(40), allTypesBatch(7)],
  "a zero-row batch alone": () => [allTypesBatch(0)],
  "zero-row batches between others": () => [allTypesBatch(0), allTypesBatch(9), allTypesBatch(0)],
  "one row": () => [allTypesBatch(1)],
  "slices off byte boundaries": () => {
    const batch = allTypesBatch(60);
    return [batch.slice(3, 21), batch.slice(8, 8), batch.slice(30, 31), batch.slice(17, 60)];
  },
};

for (const [title, make] of Object.entries(samples)) {
  for (const format of ["file", "stream"] as const) {
    for (const compression of ["none", "zstd", "lz4"] as const) {
      Deno.test(`writeIpc() keeps ${title} (${format}, ${compression})`, () =>
        inFolder(async (folder) => {
          const path = `${folder}/out.arrow`;
          const batches = make();
          await writeAll(writeIpc(path, { format, compression }), batches);
          const expected = rowsOf(batches);

          assertEquals(rowsOf(await readAll(readIpc(path))), expected);
          assertEquals(await readIpc(path).numRows(), expected.length);
          if (compression === "none") {
            const bytes = await Deno.readFile(path);
            assertEquals(rowsOf(arrow.tableFromIPC(bytes).batches), expected);
            assertSameValues((await readWithFlechette(bytes)).map(plain), expected);
          }
        }));
    }
  }
}

/** Compares the rows of another reader, which gives decimals as numbers. */
function assertSameValues(actual: unknown[], expected: Record<string, unknown>[]): void {
  const scaled = expected.map((row) => {
    const decimal = row.decimal as number[] | null;
    return { ...row, decimal: decimal && decimal[0]! / 100 };
  });
  assertEquals(actual, scaled);
}

Deno.test("writeIpc() writes what Polars reads, compressed and sliced", () =>
  inFolder(async (folder) => {
    const { default: polars } = await loadPeer("polars");
    const path = `${folder}/out.arrow`;
    const names = [
      "bool",
      "int32",
      "int64",
      "float64",
      "utf8",
      "large",
      "view",
      "list",
      "category",
    ];
    // Enough rows that every buffer is worth compressing.
    const batch = selectColumns(allTypesBatch(5000), names);
    const batches = [batch.slice(13, 2501), batch.slice(2501)];
    const expected = rowsOf(batches).map((row) => ({
      ...row,
      int64: row.int64 && Number(row.int64),
    }));
    for (const compression of ["none", "zstd", "lz4"] as const) {
      await writeAll(writeIpc(path, { compression }), batches);
      const file = Buffer.from(await Deno.readFile(path));
      assertEquals(polars.readIPC(file).toRecords(), expected, compression);
    }
  }));

for (const compression of ["uncompressed", "zstd", "lz4"]) {
  Deno.test(`readIpc() reads what Polars writes (${compression})`, () =>
    inFolder(async (folder) => {
      const { default: polars } = await loadPeer("polars");
      const path = `${folder}/in.arrow`;
      const words = Array.from(
        { length: 20_000 },
        (_, i) => i % 5 === 0 ? null : `é word ${i % 997}`,
      );
      const numbers = words.map((_, i) => i * i);
      polars.DataFrame({ word: words, number: numbers }).writeIPC(path, { compression });
      const rows = rowsOf(await readAll(readIpc(path)));
      assertEquals(rows.map(({ word }) => word), words);
      assertEquals(rows.map(({ number }) => Number(number)), numbers);
    }));
}

for (const format of ["file", "stream"] as const) {
  Deno.test(`readIpc() gives any range of rows and any columns (${format})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.arrow`;
      const all = allTypesBatch(50);
      await writeAll(writeIpc(path, { format }), [
        all.slice(0, 20),
        all.slice(20, 20),
        all.slice(20, 27),
        all.slice(27),
      ]);
      const columns = ["int32", "view", "struct", "category"];
      const rows = rowsOf([selectColumns(all, columns)]);
      for (
        const [start, stop] of [[0, 50], [19, 21], [20, 27], [27, 28], [49, 99], [50, 51], [7, 7]]
      ) {
        const batches = await readAll(readIpc(path), { columns, start, stop });
        assertEquals(rowsOf(batches), rows.slice(start, stop), `rows ${start} to ${stop}`);
      }
    }));
}

Deno.test("readIpc() reads a file that does not begin with a message, as those of Polars for Python", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const batches = [wordsBatch(["a", null]), wordsBatch(["é"], 2)];
    await writeAll(writeIpc(path, { format: "file" }), batches);
    const bytes = await Deno.readFile(path);
    // The schema stands there without the message around it, its length of -1 being 4.
    new DataView(bytes.buffer).setInt32(8, 4, true);
    new DataView(bytes.buffer).setInt32(12, -14, true);
    await Deno.writeFile(path, bytes);
    assertEquals(rowsOf(await readAll(readIpc(path))), rowsOf(batches));
    assertEquals(await readIpc(path).numRows(), 3);
  }));

Deno.test("readIpc() reads no body that is not wanted", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const wide = (start: number) =>
      batchOf({
        noise: [new arrow.Utf8(), Array.from({ length: 100_000 }, (_, i) => `noise ${start + i}`)],
        id: [new arrow.Int32(), Array.from({ length: 100_000 }, (_, i) => start + i)],
      });
    await writeAll(writeIpc(path), [0, 1, 2, 3].map((part) => wide(part * 100_000)));
    const { size } = await Deno.stat(path);

    const counted = readIpc(path);
    assertEquals(await counted.numRows(), 400_000);
    assert(counted.bytesRead < 100_000, `${counted.bytesRead} bytes were read to count rows`);

    const source = readIpc(path);
    const last = await readAll(source, { columns: ["id"], start: 399_999 });
    assertEquals(rowsOf(last), [{ id: 399_999 }]);
    assert(source.bytesRead < size / 10, `${source.bytesRead} of ${size} bytes were read`);
  }));

Deno.test("readIpc() gives offsets of exactly one more than rows", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    // apache-arrow pads offsets to 8 bytes and leaves the padding in.
    await Deno.writeFile(path, arrow.tableToIPC(new arrow.Table([wordsBatch(["a", "b"])]), "file"));
    const [batch] = await readAll(readIpc(path));
    assertEquals(batch!.getChild("word")!.data[0]!.valueOffsets.length, 3);
  }));

Deno.test("readIpc() reads columns of which apache-arrow has not counted the nulls", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    // A slice of nulls counts its nulls as -1, and that is what is written.
    const batch = selectColumns(allTypesBatch(20), ["nothing", "int32", "utf8"]).slice(3, 14);
    const expected = rowsOf([batch]);
    for (const format of ["file", "stream"] as const) {
      await Deno.writeFile(path, arrow.tableToIPC(new arrow.Table([batch]), format));
      assertEquals(rowsOf(await readAll(readIpc(path))), expected);
    }
  }));

const refusals: Record<string, readonly [Uint8Array | string, string]> = {
  "an empty file": ["", "is empty, not Arrow data"],
  "text": ["id,word\n1,a\n", "is text, not Arrow data"],
  "text with a short first line": ["a,b\n1,x\n2,y\n", "is text, not Arrow data"],
  "a file that claims a huge message": [
    Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 8, 1, 2, 3),
    "truncated or corrupt",
  ],
};
for (const [what, [content, message]] of Object.entries(refusals)) {
  Deno.test(`readIpc() refuses ${what} in one line that names it`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/bad.arrow`;
      await Deno.writeFile(
        path,
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
      const error = await assertRejects(() => readIpc(path).schema(), FileError, message);
      assert(error.message.startsWith(`${path}: `), error.message);
    }));
}

Deno.test("readIpc() names a file that is missing and one that is a folder", () =>
  inFolder(async (folder) => {
    await assertRejects(() => readIpc(`${folder}/no.arrow`).schema(), FileError, "no such file");
    await assertRejects(() => readIpc(folder).schema(), FileError, `${folder}: is a folder`);
  }));

Deno.test("writeIpc() refuses a batch of other columns instead of losing it", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.arrow`;
    const other = batchOf({ id: [new arrow.Int32(), [1]], word: [new arrow.Int32(), [1]] });
    const message = "column word is int32, but utf8 is expected";
    await assertRejects(
      () => writeAll(writeIpc(path), [wordsBatch(["a"]), other]),
      FileError,
      message,
    );
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("writeIpc() refuses nulls in a column that says it has none", () =>
  inFolder(async (folder) => {
    const fields = [new arrow.Field("id", new arrow.Int32(), false)];
    const column = arrow.vectorFromArray([1, null], new arrow.Int32()).data[0]!;
    const data = arrow.makeData({
      type: new arrow.Struct(fields),
      length: 2,
      nullCount: 0,
      children: [column],
    });
    const batch = new arrow.RecordBatch(new arrow.Schema(fields), data);
    const message = "column id has nulls, but its field is not nullable";
    await assertRejects(() => writeAll(writeIpc(`${folder}/x.arrow`), [batch]), FileError, message);
  }));

Deno.test("writeIpc() writes equal columns whose dictionaries have other ids as one", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.arrow`;
    const color = (...values: string[]) =>
      batchOf({ color: [new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()), values] });
    const batches = [color("red", "blue"), color("red", "blue", "green"), color("red")];
    await writeAll(writeIpc(path), batches);
    assertEquals(rowsOf(await readAll(readIpc(path))), rowsOf(batches));
    assertEquals(rowsOf(arrow.tableFromIPC(await Deno.readFile(path)).batches), rowsOf(batches));
  }));

Deno.test("writeIpc() replaces a dictionary in a stream and refuses that in a file", () =>
  inFolder(async (folder) => {
    const color = (...values: string[]) =>
      batchOf({ color: [new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()), values] });
    const batches = [color("red", "blue"), color("green", "red")];
    const stream = `${folder}/out.arrows`;
    await writeAll(writeIpc(stream), batches);
    assertEquals(rowsOf(await readAll(readIpc(stream))), rowsOf(batches));
    const message = "column color changes its dictionary";
    await assertRejects(() => writeAll(writeIpc(`${folder}/x.arrow`), batches), FileError, message);
  }));

Deno.test("writeIpc() writes only the rows of a slice, of string views too", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.arrow`;
    const words = Array.from({ length: 50_000 }, (_, i) => `a word of some length ${i}`);
    const batch = batchOf({ text: [new arrow.Utf8(), words], view: [new arrow.Utf8View(), words] });
    await writeAll(writeIpc(path), [batch.slice(40_000, 40_010)]);
    const { size } = await Deno.stat(path);
    assert(size < 3000, `${size} bytes for 10 rows`);
    assertEquals(rowsOf(await readAll(readIpc(path))), rowsOf([batch.slice(40_000, 40_010)]));
  }));

Deno.test("readIpc() closes the file when the iteration ends early or is aborted", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    await writeAll(writeIpc(path), [wordsBatch(["a"]), wordsBatch(["b"]), wordsBatch(["c"])]);
    for await (const _ of sourceBatches(readIpc(path))) break;
    const abort = new AbortController();
    let seen = 0;
    for await (const _ of sourceBatches(readIpc(path), { signal: abort.signal })) {
      seen++;
      abort.abort();
    }
    assertEquals(seen, 1);
    assertEquals(await readAll(readIpc(path), { signal: AbortSignal.abort() }), []);
  }));

Deno.test("a pipe is read once, in both formats, schema first or not", () =>
  inFolder(async (folder) => {
    const program = `
      import { readIpc, writeIpc } from "${
      import.meta.resolve("../../../../support/files/ipc.ts")
    }";
      import { sourceBatches } from "${
      import.meta.resolve("../../../../support/pipelines/source_batches.ts")
    }";
      const source = readIpc("-");
      if (Deno.args[0] === "schema") await source.schema();
      await ReadableStream.from(sourceBatches(source)).pipeTo(writeIpc("-"));
      await sourceBatches(source).next().catch((error) => console.error(error.message));`;
    const script = `${folder}/pass.ts`;
    await Deno.writeTextFile(script, program);
    const batches = [allTypesBatch(40), allTypesBatch(7)];
    for (const format of ["file", "stream"] as const) {
      const path = `${folder}/in.arrow`;
      await writeAll(writeIpc(path, { format }), batches);
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "--no-check",
          `--config=${configPath}`,
          script,
          format === "file" ? "schema" : "",
        ],
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const output = child.output();
      await (await Deno.open(path)).readable.pipeTo(child.stdin);
      const { code, stdout, stderr } = await output;
      assertEquals([code, new TextDecoder().decode(stderr).trim()], [
        0,
        "standard input: can be read only once",
      ]);
      assertEquals(rowsOf(arrow.tableFromIPC(stdout).batches), rowsOf(batches));
    }
  }));

Deno.test("readIpc() says that a file whose schema is at its end only cannot come through a pipe", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    await writeAll(writeIpc(path, { format: "file" }), [wordsBatch(["a", null])]);
    const bare = await Deno.readFile(path);
    // The schema stands there without the message around it, its length of -1 being 4.
    new DataView(bare.buffer).setInt32(8, 4, true);
    new DataView(bare.buffer).setInt32(12, -14, true);
    const batchesFirst = arrow.tableToIPC(new arrow.Table(wordsBatch(["a", null])), "file");
    const program = `
      import { readIpc } from "${import.meta.resolve("../../../../support/files/ipc.ts")}";
      await readIpc("-").schema().catch((error) => console.log(error.message));`;
    const script = `${folder}/schema.ts`;
    await Deno.writeTextFile(script, program);
    for (const bytes of [bare, batchesFirst]) {
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", `--config=${configPath}`, script],
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const output = child.output();
      await ReadableStream.from([bytes]).pipeTo(child.stdin);
      assertEquals(
        new TextDecoder().decode((await output).stdout).trim(),
        "standard input: is an Arrow file with its schema at the end only, as Polars writes it, " +
          "which cannot be read from the front: save it to a file first, or write an Arrow stream",
      );
    }
  }));

const configPath = new URL("../../../../../deno.json", import.meta.url).pathname;
