import { assert, assertEquals } from "@std/assert";
import { Dictionary, Int32, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";
import { FileInput } from "../../../streams/file_input.ts";
import { readIpc, writeIpc } from "../../../streams/ipc.ts";
import { messagesIn } from "../../support/arrow_messages.ts";
import { batchOf, inFolder, readAll, rowsOf, writeAll } from "../../support/streams_samples.ts";

const rowsOfBatch = 2000;
const numBatches = 60;

const category = new Dictionary(new Utf8(), new Int32(), 1);
const batchAt = (start: number) =>
  batchOf({
    id: [new Int32(), Array.from({ length: rowsOfBatch }, (_, i) => start + i)],
    text: [new Utf8(), Array.from({ length: rowsOfBatch }, (_, i) => `text of row ${start + i}`)],
    category: [category, Array.from({ length: rowsOfBatch }, (_, i) => i % 2 === 0 ? "a" : "b")],
  });

for (const format of ["file", "stream"] as const) {
  Deno.test(`readIpc() reads of skipped batches their descriptions and no more (${format})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.arrow`;
      const batches = Array.from({ length: numBatches }, (_, i) => batchAt(i * rowsOfBatch));
      await writeAll(writeIpc(path, { format }), batches);
      const messages = messagesIn(await Deno.readFile(path));
      const described = messages.reduce((sum, { start, body }) => sum + body - start, 0);
      // The schema and the footer are read in pieces of 8 KiB.
      const limit = described + 5 * (8 << 10);

      const counted = readIpc(path);
      assertEquals(await counted.numRows(), numBatches * rowsOfBatch);
      assert(counted.bytesRead <= limit, `${counted.bytesRead} of ${limit} bytes`);

      const source = readIpc(path);
      const last = await readAll(source, { start: (numBatches - 1) * rowsOfBatch + 1 });
      assertEquals(rowsOf(last), rowsOf([batches.at(-1)!.slice(1)]));
      const { body, stop } = messages.at(-1)!;
      const wanted = limit + stop - body + (128 << 10);
      assert(source.bytesRead <= wanted, `${source.bytesRead} of ${wanted} bytes`);
    }));
}

Deno.test("readIpc() reads no dictionary of a column that is not wanted", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const words = Array.from({ length: 200_000 }, (_, i) => `a word of some length ${i}`);
    const encoded = (id: number) => new Dictionary(new Utf8(), new Int32(), id);
    await writeAll(writeIpc(path), [
      batchOf({
        first: [encoded(2), words.map(() => "a")],
        long: [encoded(3), words],
        last: [encoded(4), words.map((_, i) => i % 2 === 0 ? "b" : "c")],
      }),
    ]);
    const { size } = await Deno.stat(path);
    const source = readIpc(path);
    const [batch] = await readAll(source, { columns: ["first", "last"], start: 199_998 });
    assertEquals(rowsOf([batch!]), [{ first: "a", last: "b" }, { first: "a", last: "c" }]);
    assert(source.bytesRead < size / 2, `${source.bytesRead} of ${size} bytes`);
  }));

Deno.test("readIpc() counts the rows of batches without columns", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const batch = new RecordBatch(
      new Schema([]),
      makeData({ type: new Struct([]), length: 7, nullCount: 0, children: [] }),
    );
    await writeAll(writeIpc(path), [batch, batch]);
    assertEquals(await readIpc(path).numRows(), 14);
    assertEquals((await readAll(readIpc(path))).map(({ numRows }) => numRows), [7, 7]);
  }));

Deno.test({
  name: "FileInput reads a file that says it is empty",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    using input = await FileInput.open("/proc/self/status");
    assertEquals(new TextDecoder().decode(await input.read(5)), "Name:");
  },
});
