import { assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import { Buffer } from "node:buffer";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readIpc, writeIpc } from "../../../../support/files/ipc.ts";
import { openSource } from "../../../../../streams/files/read.ts";
import { write } from "../../../../../streams/files/write.ts";
import { batchOfColumns } from "../../../../support/values/arrow_columns.ts";
import { messagesIn } from "../../../../support/files/arrow_messages.ts";
import { loadPeer, readWithFlechette } from "../../../../support/judges/peers.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../../support/values/streams_samples.ts";

const encoded = () => new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());

/** A batch with one column, which takes every value of its dictionary. */
function batchWith(type: arrow.DataType, values: readonly unknown[]): arrow.RecordBatch {
  const dictionary = new arrow.Vector([arrow.vectorFromArray(values as unknown[], type).data[0]!]);
  const dictionaryType = new arrow.Dictionary(type, new arrow.Int32());
  const column = arrow.makeData({
    type: dictionaryType,
    length: values.length,
    data: Int32Array.from(values, (_, i) => i),
    dictionary,
  });
  return batchOfColumns([new arrow.Field("c", dictionaryType, true)], [column]);
}

/** For each dictionary in a stream, whether it is a delta. */
function deltasIn(stream: Uint8Array): boolean[] {
  return messagesIn(stream).flatMap(({ message }) =>
    message.isDictionaryBatch() ? [message.header().isDelta] : []
  );
}

const changes: Record<string, readonly [arrow.DataType, unknown[], unknown[], boolean[]]> = {
  "text to null": [new arrow.Utf8(), ["null", "b"], [null, "b"], [false, false]],
  "0 to -0": [new arrow.Float64(), [0, 1], [-0, 1], [false, false]],
  "one list to another of the same text": [
    new arrow.List(new arrow.Field("item", new arrow.Utf8(), true)),
    [["a,b"], ["c"]],
    [["a", "b"], ["c"]],
    [false, false],
  ],
  "a dictionary to a longer one": [new arrow.Utf8(), ["a", null], ["a", null, "c"], [false, true]],
  "a dictionary to its beginning": [new arrow.Utf8(), ["a", "b"], ["a"], [false]],
};
for (const [what, [type, first, second, deltas]] of Object.entries(changes)) {
  Deno.test(`writeIpc() tells ${what} apart in the dictionaries of a stream`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/out.arrows`;
      await writeAll(writeIpc(path), [batchWith(type, first), batchWith(type, second)]);
      const rows = rowsOf(await readAll(readIpc(path)));
      assertEquals(rows.map(({ c }) => c), [...first, ...second]);
      for (const [i, value] of [...first, ...second].entries()) {
        assertEquals(Object.is(rows[i]!.c, -0), Object.is(value, -0));
      }
      assertEquals(deltasIn(await Deno.readFile(path)), deltas);
    }));
}

for (const format of ["file", "stream"] as const) {
  Deno.test(`writeIpc() keeps dictionaries of columns apart that share a type or an id (${format})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/out.arrow`;
      const type = encoded();
      const batch = batchOf({
        left: [type, ["a", "b"]],
        right: [type, ["c", "d"]],
        other: [new arrow.Dictionary(type.dictionary, new arrow.Int32(), type.id), ["e", "f"]],
      });
      await writeAll(writeIpc(path, { format }), [batch]);
      const rows = [{ left: "a", right: "c", other: "e" }, { left: "b", right: "d", other: "f" }];
      assertEquals(rowsOf(await readAll(readIpc(path))), rows);
      assertEquals(await readWithFlechette(await Deno.readFile(path)), rows);
    }));

  Deno.test(`writeIpc() writes dictionaries that grow, and every reader follows (${format})`, () =>
    inFolder((folder) =>
      forSeeds(30, async (random) => {
        const path = `${folder}/out.arrow`;
        const words = Array.from({ length: 30 }, (_, i) => random.chance(0.2) ? null : `word ${i}`);
        const batches: arrow.RecordBatch[] = [];
        for (let known = 0; known < words.length;) {
          known = Math.min(words.length, known + random.below(9));
          batches.push(batchWith(new arrow.Utf8(), words.slice(0, known)));
        }
        await writeAll(writeIpc(path, { format }), batches);
        const expected = rowsOf(batches);
        const bytes = await Deno.readFile(path);
        assertEquals(rowsOf(await readAll(readIpc(path))), expected);
        assertEquals(rowsOf(arrow.tableFromIPC(bytes).batches), expected);
        assertEquals(await readWithFlechette(bytes), expected);
      })
    ));
}

Deno.test("writeIpc() refuses a dictionary that changes in a file before it writes the batch", () =>
  inFolder(async (folder) => {
    const sink = writeIpc(`${folder}/out.arrow`);
    const writer = sink.getWriter();
    await writer.write(batchWith(new arrow.Utf8(), ["a"]));
    const { bytesWritten } = sink;
    const refused = writer.write(batchWith(new arrow.Utf8(), ["b"]));
    await assertRejects(() => refused, FileError, "column c changes its dictionary");
    await writer.closed.catch(() => {});
    assertEquals(sink.bytesWritten, bytesWritten);
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

/** A batch of one row whose columns have these names, the first of them the empty one. */
function unnamedBatch(): arrow.RecordBatch {
  const item = new arrow.Field("", new arrow.Int32(), true);
  const nested = new arrow.Struct([
    new arrow.Field("", new arrow.Utf8(), true),
    new arrow.Field("b", new arrow.Int32(), true),
  ]);
  const columns: [string, arrow.DataType, unknown][] = [
    ["", new arrow.Utf8(), "é"],
    ["list", new arrow.List(item), [1, 2]],
    ["struct", nested, { "": "x", b: 3 }],
  ];
  const fields = columns.map(([name, type]) => new arrow.Field(name, type, true));
  const children = columns.map(([, type, value]) => arrow.vectorFromArray([value], type).data[0]!);
  const data = arrow.makeData({
    type: new arrow.Struct(fields),
    length: 1,
    nullCount: 0,
    children,
  });
  return new arrow.RecordBatch(new arrow.Schema(fields), data);
}

const expected = [{ "": "é", list: [1, 2], struct: { "": "x", b: 3 } }];

for (const suffix of ["arrow", "arrows", "parquet"]) {
  Deno.test(`columns, items and members of the empty name come back from .${suffix}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/out.${suffix}`;
      await writeAll(write(path), [unnamedBatch()]);
      const source = openSource(path);
      assertEquals((await source.schema())!.fields.map(({ name }) => name), ["", "list", "struct"]);
      assertEquals(rowsOf(await readAll(source)), expected);
      const [one] = await readAll(source, { columns: [""] });
      assertEquals(rowsOf([one!]), [{ "": "é" }]);
    }));
}

Deno.test("Polars and flechette read the empty name in our Arrow files", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.arrow`;
    const batch = unnamedBatch();
    await writeAll(write(path), [batch.select([""])]);
    const { default: polars } = await loadPeer("polars");
    assertEquals(polars.readIPC(Buffer.from(await Deno.readFile(path))).toRecords(), [{ "": "é" }]);
    await writeAll(write(path), [batch]);
    const [row] = await readWithFlechette(await Deno.readFile(path));
    assertEquals({ ...row, list: [...row!.list as number[]] }, expected[0]);
  }));

Deno.test("a column without a name, as apache-arrow writes it, has the empty one", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrows`;
    const table = new arrow.Table({ "": arrow.vectorFromArray([1, 2], new arrow.Int32()) });
    await Deno.writeFile(path, await arrow.RecordBatchStreamWriter.writeAll(table).toUint8Array());
    assertEquals(rowsOf(await readAll(openSource(path))), [{ "": 1 }, { "": 2 }]);
  }));
