import { assertEquals, assertRejects } from "@std/assert";
import {
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  List,
  makeData,
  type RecordBatch,
  tableFromIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { FileError } from "../../../streams/errors.ts";
import { readIpc, writeIpc } from "../../../streams/ipc.ts";
import { batchOfColumns } from "../../support/arrow_columns.ts";
import { messagesIn } from "../../support/arrow_messages.ts";
import { readWithFlechette } from "../../support/peers.ts";
import { forSeeds } from "../../support/seeded_random.ts";
import { batchOf, inFolder, readAll, rowsOf, writeAll } from "../../support/streams_samples.ts";

const encoded = () => new Dictionary(new Utf8(), new Int32());

/** A batch with one column, which takes every value of its dictionary. */
function batchWith(type: DataType, values: readonly unknown[]): RecordBatch {
  const dictionary = new Vector([vectorFromArray(values as unknown[], type).data[0]!]);
  const dictionaryType = new Dictionary(type, new Int32());
  const column = makeData({
    type: dictionaryType,
    length: values.length,
    data: Int32Array.from(values, (_, i) => i),
    dictionary,
  });
  return batchOfColumns([new Field("c", dictionaryType, true)], [column]);
}

/** For each dictionary in a stream, whether it is a delta. */
function deltasIn(stream: Uint8Array): boolean[] {
  return messagesIn(stream).flatMap(({ message }) =>
    message.isDictionaryBatch() ? [message.header().isDelta] : []
  );
}

const changes: Record<string, readonly [DataType, unknown[], unknown[], boolean[]]> = {
  "text to null": [new Utf8(), ["null", "b"], [null, "b"], [false, false]],
  "0 to -0": [new Float64(), [0, 1], [-0, 1], [false, false]],
  "one list to another of the same text": [
    new List(new Field("item", new Utf8(), true)),
    [["a,b"], ["c"]],
    [["a", "b"], ["c"]],
    [false, false],
  ],
  "a dictionary to a longer one": [new Utf8(), ["a", null], ["a", null, "c"], [false, true]],
  "a dictionary to its beginning": [new Utf8(), ["a", "b"], ["a"], [false]],
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
        other: [new Dictionary(type.dictionary, new Int32(), type.id), ["e", "f"]],
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
        const batches: RecordBatch[] = [];
        for (let known = 0; known < words.length;) {
          known = Math.min(words.length, known + random.below(9));
          batches.push(batchWith(new Utf8(), words.slice(0, known)));
        }
        await writeAll(writeIpc(path, { format }), batches);
        const expected = rowsOf(batches);
        const bytes = await Deno.readFile(path);
        assertEquals(rowsOf(await readAll(readIpc(path))), expected);
        assertEquals(rowsOf(tableFromIPC(bytes).batches), expected);
        assertEquals(await readWithFlechette(bytes), expected);
      })
    ));
}

Deno.test("writeIpc() refuses a dictionary that changes in a file before it writes the batch", () =>
  inFolder(async (folder) => {
    const sink = writeIpc(`${folder}/out.arrow`);
    const writer = sink.getWriter();
    await writer.write(batchWith(new Utf8(), ["a"]));
    const { bytesWritten } = sink;
    const refused = writer.write(batchWith(new Utf8(), ["b"]));
    await assertRejects(() => refused, FileError, "column c changes its dictionary");
    await writer.closed.catch(() => {});
    assertEquals(sink.bytesWritten, bytesWritten);
    assertEquals([...Deno.readDirSync(folder)], []);
  }));
