import { assert, assertEquals } from "@std/assert";
import { Dictionary, Int32, Utf8 } from "apache-arrow";
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

Deno.test("FileInput reads a file that says it is empty", async () => {
  if (Deno.build.os !== "linux") return;
  using input = await FileInput.open("/proc/self/status");
  assertEquals(new TextDecoder().decode(await input.read(5)), "Name:");
});
