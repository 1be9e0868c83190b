import { assertEquals, assertRejects } from "@std/assert";
import {
  type Data,
  Dictionary,
  Field,
  Int32,
  LargeUtf8,
  List,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  type BatchStream,
  col,
  FileError,
  filter,
  fromBatches,
  read,
  regroup,
  slice,
  toTable,
  withColumns,
  write,
} from "../../../../mod.ts";
import { inFolder } from "../../../support/files/folder.ts";

const bytes = Uint8Array.of(0x61, 0xff, 0xc3, 0xa9, 0xe2, 0x82, 0x62);
/** "a\xff", "é", "\xe2\x82b". */
const offsets = [0, 2, 4, 7];
const replaced = ["a\ufffd", "é", "\ufffdb"];

function plain(): Data {
  return makeData({
    type: new Utf8(),
    length: 3,
    valueOffsets: Int32Array.from(offsets),
    data: bytes,
  });
}

function large(): Data {
  const valueOffsets = BigInt64Array.from(offsets, BigInt);
  return makeData({ type: new LargeUtf8(), length: 3, valueOffsets, data: bytes } as never);
}

function dictionary(): Data {
  const type = new Dictionary(new Utf8(), new Int32(), 7);
  const data = Int32Array.of(0, 1, 2);
  return makeData({ type, length: 3, data, dictionary: makeVector(plain()) } as never);
}

function list(): Data {
  const type = new List(new Field("item", new Utf8(), true));
  const valueOffsets = Int32Array.of(0, 1, 2, 3);
  return makeData({ type, length: 3, valueOffsets, child: plain() } as never);
}

const withFile = (
  name: string,
  write: (path: string) => Promise<void>,
  test: (path: string) => Promise<void>,
) =>
  inFolder(async (folder) => {
    await write(`${folder}/${name}`);
    await test(`${folder}/${name}`);
  });

function writeArrow(columns: Record<string, Data>): (path: string) => Promise<void> {
  return async (path) => {
    const fields = Object.entries(columns).map(([name, { type }]) => new Field(name, type, true));
    const children = Object.values(columns);
    const data = makeData({ type: new Struct(fields), length: 3, nullCount: 0, children });
    await fromBatches(new RecordBatch(new Schema(fields), data)).pipeTo(write(path));
  };
}

Deno.test("text of an Arrow file that is not UTF-8 is an error of file, column and row", () =>
  withFile("a.arrow", writeArrow({ name: plain() }), async (path) => {
    const upper = read(path).pipeThrough(withColumns({ big: col("name").upper() }));
    const error = await assertRejects(() => toTable(upper), FileError);
    assertEquals(error.message, `${path}: row 0, column name: invalid UTF-8`);
    assertEquals([error.row, error.column], [0, "name"]);
  }));

Deno.test("the row is that of the file, in a batch that starts further on", async () => {
  const valid = makeData({
    type: new Utf8(),
    length: 2,
    valueOffsets: Int32Array.of(0, 1, 1),
    data: Uint8Array.of(0x61),
  });
  const broken = makeData({
    type: new Utf8(),
    length: 3,
    valueOffsets: Int32Array.of(0, 0, 1, 2),
    data: Uint8Array.of(0x61, 0x80),
  });
  const write2 = async (path: string) => {
    const batches = [valid, broken].map((name) => new RecordBatch({ name }));
    await fromBatches(batches).pipeTo(write(path));
  };
  await withFile("b.arrow", write2, async (path) => {
    const upper = read(path).pipeThrough(filter(col("name").upper().eq("A")));
    const error = await assertRejects(() => toTable(upper), FileError);
    assertEquals([error.row, error.column], [4, "name"]);
  });
});

const plans: Record<string, (stream: BatchStream) => BatchStream> = {
  "all rows": (stream) => stream,
  "regrouped rows": (stream) => stream.pipeThrough(regroup({ rows: 1000 })),
  "rows from the front": (stream) => stream.pipeThrough(slice(2)),
  "rows from the end": (stream) => stream.pipeThrough(slice(-2)),
  "rows backwards": (stream) => stream.pipeThrough(slice(null, null, -1)),
  "one row": (stream) => stream.pipeThrough(slice(-2, -1)),
};

for (const [name, plan] of Object.entries(plans)) {
  Deno.test(`of several files the one with the invalid text is named, and its row: ${name}`, () =>
    inFolder(async (folder) => {
      const texts = [["Łódź", "Aş"], [], ["Ōsaka", "", "Bon"], ["Ure", null, "?", "Ë"]];
      const paths = texts.map((_, index) => `${folder}/${index}.arrow`);
      for (const [index, names] of texts.entries()) await writeNames(paths[index]!, names);
      const upper = plan(read(paths)).pipeThrough(withColumns({ big: col("name").upper() }));
      const error = await assertRejects(() => toTable(upper), FileError);
      assertEquals(error.message, `${paths[3]}: row 2, column name: invalid UTF-8`);
    }));
}

/** Writes a file of names, in which "?" becomes a byte that is not UTF-8. */
async function writeNames(path: string, names: readonly (string | null)[]): Promise<void> {
  const vector = vectorFromArray(names, new Utf8());
  for (const { values } of vector.data) {
    (values as Uint8Array).forEach((byte, at) => byte === 0x3f && (values[at] = 0xff));
  }
  const name = vector.data[0] ?? makeData({ type: new Utf8(), length: 0 });
  await fromBatches(new RecordBatch({ name })).pipeTo(write(path));
}

for (const [name, make] of Object.entries({ plain, large, dictionary })) {
  Deno.test(`invalid: "replace" makes U+FFFD of it: ${name}`, () =>
    withFile("a.arrow", writeArrow({ name: make() }), async (path) => {
      const table = await toTable(read(path, { invalid: "replace" }));
      assertEquals(table.toArray().map((row) => row.name), replaced);
    }));
}

Deno.test('invalid: "replace" reaches into lists', async () => {
  await withFile("a.arrow", writeArrow({ name: list() }), async (path) => {
    const table = await toTable(read(path, { invalid: "replace" }));
    assertEquals(table.toArray().map((row) => [...row.name]), replaced.map((text) => [text]));
  });
});

for (const [suffix, before, after] of [["csv", "name\n", "\n"], ["ndjson", '{"name":"', '"}\n']]) {
  const write = async (path: string) => {
    const encoder = new TextEncoder();
    const parts: Uint8Array[] = suffix === "csv" ? [encoder.encode(before)] : [];
    for (let row = 0; row < 3; row++) {
      if (suffix === "ndjson") parts.push(encoder.encode(before));
      parts.push(bytes.slice(offsets[row], offsets[row + 1]), encoder.encode(after));
    }
    await Deno.writeFile(path, new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer()));
  };
  Deno.test(`invalid text of ${suffix} is an error with its row, or replaced`, () =>
    withFile(`a.${suffix}`, write, async (path) => {
      const error = await assertRejects(() => toTable(read(path)), FileError, "invalid UTF-8");
      assertEquals([error.row, error.column], [0, "name"]);
      const table = await toTable(read(path, { invalid: "replace" }));
      assertEquals(table.toArray().map((row) => row.name), replaced);
    }));
}

Deno.test("a header of CSV that is not UTF-8 is an error, or replaced, and names stay distinct", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/a.csv`;
    // A header in Latin-1: é, è, b.
    await Deno.writeFile(
      path,
      Uint8Array.of(0xe9, 0x2c, 0xe8, 0x2c, 0x62, 0x0a, 49, 44, 50, 44, 51),
    );
    await assertRejects(() => toTable(read(path)), FileError, "invalid UTF-8 in the header");
    await assertRejects(
      () => toTable(read(path, { invalid: "replace" })),
      FileError,
      'columns 1 and 2 have the same name, "\ufffd"',
    );
    const table = await toTable(read(path, { invalid: "replace", duplicates: "number" }));
    assertEquals(table.schema.names, ["\ufffd", "\ufffd_2", "b"]);
    assertEquals(table.toArray().map(({ b }) => b), [3n]);
  }));
