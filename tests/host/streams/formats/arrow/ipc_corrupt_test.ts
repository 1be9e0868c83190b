import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  type Data,
  DenseUnion,
  Dictionary,
  Field,
  Int32,
  List,
  makeData,
  Map_,
  Null,
  RecordBatch,
  Schema,
  SparseUnion,
  Struct,
  TimestampMicrosecond,
  Utf8,
  Utf8View,
} from "apache-arrow";
import { encodeArrow } from "../../../../../streams/formats/arrow/arrow.ts";
import { decodeSchema } from "../../../../../streams/data/arrow_data.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readIpc, writeIpc } from "../../../../support/files/ipc.ts";
import { offsetSchema } from "../../../../../streams/data/offset_type.ts";
import { plainSchema } from "../../../../../streams/data/plain_schema.ts";
import { batchOfColumns, columnOfValues } from "../../../../support/values/arrow_columns.ts";
import { messagesIn } from "../../../../support/files/arrow_messages.ts";
import { SeededRandom } from "../../../../support/random/seeded_random.ts";
import {
  batchOf,
  inFolder,
  readAll,
  wordsBatch,
  writeAll,
} from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

/** Sets a 32-bit integer in the buffer of a record batch. */
function patched(bytes: Uint8Array, buffer: number, at: number, value: number): Uint8Array {
  const batch = messagesIn(bytes).find(({ message }) => message.isRecordBatch())!;
  const { buffers } = batch.message.header() as { buffers: { offset: number }[] };
  const wrong = bytes.slice();
  new DataView(wrong.buffer).setInt32(batch.body + buffers[buffer]!.offset + at, value, true);
  return wrong;
}

const union = (dense: boolean) => {
  const children = [new Field("u0", new Int32(), true), new Field("u1", new Null(), true)];
  return dense ? new DenseUnion([0, 1], children) : new SparseUnion([0, 1], children);
};
const unionValues = [{ u0: 1 }, { u1: null }, { u0: 2 }, { u0: 3 }];

/** What is wrong, the buffer in which it is, what is put there, and what the error says. */
const wrongValues: Record<
  string,
  readonly [Field["type"], unknown[], buffer: number, at: number, value: number, RegExp]
> = {
  "an offset that goes back": [new Utf8(), ["a", "b"], 1, 4, 9, /the offset of row 2 lies before/],
  "an offset behind the data": [new Utf8(), ["a", "b"], 1, 8, 99, /2 bytes, but its rows need 99/],
  "a bitmap of more nulls than it says": [
    new Int32(),
    [1, null, 3],
    0,
    0,
    0,
    /it states 1 nulls, but has 3/,
  ],
  "an index that its dictionary has not": [
    new Dictionary(new Utf8(), new Int32(), 8),
    ["a", "b"],
    1,
    4,
    2,
    /row 1 has the index 2 into a dictionary of 2 values/,
  ],
  "a negative index": [
    new Dictionary(new Utf8(), new Int32(), 9),
    ["a", "b"],
    1,
    0,
    -1,
    /row 0 has the index -1/,
  ],
  "a view behind its data": [
    new Utf8View(),
    ["x".repeat(20)],
    1,
    12,
    1,
    /the view of row 0 points outside its data/,
  ],
  "a type id of no child": [union(false), unionValues, 0, 0, 0x00000500, /row 1 has the type id 5/],
  "an offset behind a child of a union": [
    union(true),
    unionValues,
    1,
    12,
    3,
    /row 3 has the offset 3 into a child of 3 values/,
  ],
};
for (const [what, [type, values, buffer, at, value, message]] of Object.entries(wrongValues)) {
  Deno.test(`readIpc() refuses ${what}, and names column, message and bytes`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.arrow`;
      const column = columnOfValues(notSliced, type, values);
      const batch = batchOfColumns([new Field("c", type, true)], [column]);
      const bytes = encodeArrow(batch.schema, [batch]);
      await Deno.writeFile(path, patched(bytes, buffer, at, value));
      const error = await assertRejects(() => readAll(readIpc(path)), FileError);
      assertMatch(error.message, message);
      const messages = messagesIn(bytes);
      const last = messages.at(-1)!;
      const { buffers } = last.message.header() as { buffers: { offset: number }[] };
      const start = `in message ${messages.length} at byte ${last.start}: column c: `;
      assert(error.message.includes(start), error.message);
      const place = last.body + buffers[buffer]!.offset;
      // What an offset points to is missed where the data is read, behind the offsets.
      const isNext = what === "an offset behind the data" || what === "a view behind its data";
      if (!isNext) assert(error.message.endsWith(`buffer at byte ${place}`), error.message);
    }));
}

/** Never draws the slice of a longer column, nor bytes that nobody needs. */
const notSliced = Object.assign(new SeededRandom(1), {
  chance: () => false,
  below: () => 0,
}) as SeededRandom;

Deno.test("readIpc() refuses a stream in which a second schema comes", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrows`;
    const [words, others] = [wordsBatch(["a"]), batchOf({ id: [new Int32(), [1]] })];
    const first = encodeArrow(words.schema, [words]).subarray(0, -8);
    const second = encodeArrow(others.schema, [others]);
    await Deno.writeFile(path, new Uint8Array([...first, ...second]));
    const message = `in message 3 at byte ${first.length}: it is a second schema`;
    const batches = sourceBatches(readIpc(path));
    assertEquals((await batches.next()).value!.numRows, 1);
    await assertRejects(() => batches.next(), FileError, message);
  }));

Deno.test("readIpc() refuses what it cannot read by the name of the column", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrows`;
    const bytes = encodeArrow(new Schema([new Field("id", new Int32(), true)]), []);
    const errors: string[] = [];
    // One of the bytes is the kind of the type, one the order of the bytes of numbers.
    for (let at = 8; at < messagesIn(bytes)[0]!.body; at++) {
      for (const value of [4, 5, 8, 22, 25]) {
        const wrong = bytes.slice();
        wrong[at] = value;
        await Deno.writeFile(path, wrong);
        await readIpc(path).schema().catch((error) => errors.push(error.message));
      }
    }
    for (
      const problem of [
        "column id is run-end encoded, which is not supported yet",
        "column id is a list view, which is not supported yet",
        "has big-endian numbers, which is not supported yet",
        "holds a tensor, which is not supported yet",
      ]
    ) assert(errors.includes(`${path}: ${problem}`), problem);
  }));

Deno.test("readIpc() refuses a file whose footer has another schema than its front", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    await writeAll(writeIpc(path), [batchOf({ id: [new Int32(), [1]] })]);
    const bytes = await Deno.readFile(path);
    const name = new TextDecoder("latin1").decode(bytes).lastIndexOf("id\0");
    bytes[name] = "x".charCodeAt(0);
    await Deno.writeFile(path, bytes);
    const message = "the footer has another schema than message 1: columns are xd, but id are";
    await assertRejects(() => readIpc(path).schema(), FileError, message);
  }));

Deno.test("a damaged schema in front of a file is an error of that message, in its own words", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const list = new List(new Field("item", new Int32(), true));
    await writeAll(writeIpc(path, { format: "file" }), [
      batchOf({ list: [list, [[1], null]], at: [new TimestampMicrosecond(), [1, 2]] }),
    ]);
    const bytes = await Deno.readFile(path);
    const front = 16 + new DataView(bytes.buffer).getInt32(12, true);
    const problems = new Set<string>();
    for (let byte = 16; byte < front; byte++) {
      for (const bits of [4, 255]) {
        const wrong = bytes.slice();
        wrong[byte]! ^= bits;
        await Deno.writeFile(path, wrong);
        await readIpc(path).schema().catch(({ message }) => problems.add(message));
      }
    }
    const unclear = [...problems].filter((problem) => /undefined|reading/.test(problem));
    assertEquals(unclear, []);
    const impossible = /in message 1 at byte 8: column at is of a type that does not exist/;
    assert([...problems].some((problem) => impossible.test(problem)));
  }));

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
    const batch = batchOfOne("either", data);
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
function batchOfOne(name: string, column: Data): RecordBatch {
  const fields = [new Field(name, column.type, false)];
  const data = makeData({ type: new Struct(fields), length: column.length, children: [column] });
  return new RecordBatch(new Schema(fields), data);
}

Deno.test("readIpc() refuses a file that replaces a dictionary, and reads such a stream", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const type = () => new Dictionary(new Utf8(), new Int32(), 0);
    const category = (...values: string[]) => batchOf({ c: [type(), values] });
    const batches = [category("a", "b"), category("a", "b", "c")];
    for (const format of ["file", "stream"] as const) {
      const bytes = encodeArrow(batches[0]!.schema, batches, { format });
      const dictionaries = messagesIn(bytes).filter(({ message }) => message.isDictionaryBatch());
      const { start } = dictionaries[1]!;
      // The second is an addition: one of its bytes says so.
      const flag = bytes.findIndex((byte, at) => {
        if (at < start || byte !== 1) return false;
        const wrong = bytes.with(at, 0);
        const again = messagesIn(wrong).find((message) => message.start === start);
        return (again!.message.header() as { isDelta?: boolean }).isDelta === false;
      });
      await Deno.writeFile(path, bytes.with(flag, 0));
      const message = `at byte ${start}: it replaces the dictionary 0, which no file may`;
      const read = () => readAll(readIpc(path));
      if (format === "file") await assertRejects(read, FileError, message);
      // There the second dictionary has one value, and the indices are those of three.
      else await assertRejects(read, FileError, "into a dictionary of 1 values");
    }
  }));

Deno.test("readIpc() refuses a stream that goes on behind the mark of its end", () =>
  inFolder(async (folder) => {
    const words = wordsBatch(["a", "b"]);
    const stream = encodeArrow(words.schema, [words]);
    const path = `${folder}/in.arrows`;
    await Deno.writeFile(path, new Uint8Array([...stream, ...stream]));
    const where = `in message 3 at byte ${stream.length - 8}`;
    const message = `${where}: it marks the end, and more bytes follow`;
    await assertRejects(() => readAll(readIpc(path)), FileError, message);
    await assertRejects(() => readIpc(path).numRows(), FileError, message);
    // A file that comes through a pipe has its footer there, and nothing else.
    if (Deno.build.os === "windows") return;
    const file = encodeArrow(words.schema, [words], { format: "file" });
    const mark = messagesIn(file).at(-1)!.stop;
    for (
      const [name, bytes] of Object.entries({
        whole: file,
        longer: new Uint8Array([...file.subarray(0, mark + 8), 1, ...file.subarray(mark + 8)]),
        cut: file.subarray(0, -1),
      })
    ) {
      const pipe = `${folder}/${name}`;
      await new Deno.Command("mkfifo", { args: [pipe] }).output();
      const written = Deno.writeFile(pipe, bytes);
      const read = readAll(readIpc(pipe));
      if (name === "whole") assertEquals((await read).length, 1);
      else await assertRejects(() => read, FileError, "what follows is not a footer");
      await written;
    }
  }));
