import { assertEquals, assertRejects } from "@std/assert";
import {
  type Data,
  Field,
  Int32,
  makeData,
  Map_,
  RecordBatch,
  Schema,
  SparseUnion,
  Struct,
  Utf8,
} from "apache-arrow";
import { decodeSchema, encodeArrow } from "../../../streams/arrow.ts";
import { FileError } from "../../../streams/errors.ts";
import { readIpc, writeIpc } from "../../../streams/ipc.ts";
import { offsetSchema } from "../../../streams/offsets/offset_type.ts";
import { plainSchema } from "../../../streams/plain_schema.ts";
import { columnOfValues } from "../../support/arrow_columns.ts";
import { messagesIn } from "../../support/arrow_messages.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { inFolder, readAll, wordsBatch, writeAll } from "../../support/streams_samples.ts";

/** Never draws the slice of a longer column, nor bytes that nobody needs. */
const notSliced = Object.assign(new SeededRandom(1), {
  chance: () => false,
  below: () => 0,
}) as SeededRandom;

Deno.test("readIpc() reads a stream that ends without the mark, and no file", async () => {
  const words = wordsBatch(["Zürich", null, "Genève"]);
  const bytes = encodeArrow(words.schema, [words, words]);
  await inFolder(async (folder) => {
    const path = `${folder}/in.arrows`;
    await Deno.writeFile(path, bytes.subarray(0, -8));
    const batches = await readAll(readIpc(path));
    assertEquals(batches.map(({ numRows }) => numRows), [3, 3]);
    assertEquals(await readIpc(path).numRows(), 6);
    // The same messages in a file that comes through a pipe and breaks off behind them.
    const file = encodeArrow(words.schema, [words], { format: "file" });
    const pipe = `${folder}/pipe`;
    if (Deno.build.os === "windows") return;
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    const written = Deno.writeFile(pipe, file.subarray(0, messagesIn(file).at(-1)!.stop));
    const message = "the data ends there, without a footer";
    await assertRejects(() => readAll(readIpc(pipe)), FileError, message);
    await written;
  });
});

Deno.test("a union whose field has no nulls is written, whatever its children hold", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.arrow`;
    const children = [
      new Field("city", new Utf8(), true),
      new Field("population", new Int32(), true),
    ];
    const type = new SparseUnion(Int32Array.of(0, 1), children);
    const cities = columnOfValues(notSliced, new Utf8(), [null, "Lima", null]);
    const populations = columnOfValues(notSliced, new Int32(), [5, null, null]);
    const typeIds = Int8Array.of(1, 0, 0);
    const data = makeData({ type, length: 3, typeIds, children: [cities, populations] } as never);
    const batch = batchOf("either", data);
    await writeAll(writeIpc(path), [batch]);
    const [back] = await readAll(readIpc(path));
    assertEquals([...back!.getChildAt(0)!], [5, "Lima", null]);
  }));

Deno.test("maps keep the names of their fields, through a file and through select", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrows`;
    const names = new Field(
      "entries",
      new Struct([
        new Field("key", new Utf8(), false),
        new Field("value", new Int32(), true),
      ]),
      false,
    );
    const map = new Map_(names as never);
    const own = [map.children[0]!, ...map.children[0]!.type.children] as { name: string }[];
    for (const [index, name] of ["pairs", "language", "speakers"].entries()) {
      own[index]!.name = name;
    }
    const schema = new Schema([new Field("spoken", map, true)]);
    await Deno.writeFile(path, encodeArrow(schema, []));
    const read = (await readIpc(path).schema())!;
    const named = (schema: Schema) => String(schema.fields[0]!.type);
    assertEquals(named(read), "Map<{language:Utf8, speakers:Int32}>");
    assertEquals(named(plainSchema(read)), named(read));
    assertEquals(read.fields[0]!.type.children[0].name, "pairs");
    assertEquals(
      named(decodeSchema(encodeArrow(offsetSchema(read, 64), []))),
      "Map<{language:LargeUtf8, speakers:Int32}>",
    );
  }));

/** A batch of one column whose field says that it has no nulls. */
function batchOf(name: string, column: Data): RecordBatch {
  const fields = [new Field(name, column.type, false)];
  const data = makeData({ type: new Struct(fields), length: column.length, children: [column] });
  return new RecordBatch(new Schema(fields), data);
}
