import { assert, assertEquals, assertInstanceOf, assertMatch, assertRejects } from "@std/assert";
import {
  DenseUnion,
  Dictionary,
  Field,
  Int32,
  Null,
  Schema,
  SparseUnion,
  Utf8,
  Utf8View,
} from "apache-arrow";
import { encodeArrow } from "../../../streams/arrow.ts";
import { FileError } from "../../../streams/errors.ts";
import { readIpc, writeIpc } from "../../../streams/ipc.ts";
import { batchOfColumns, columnOfValues } from "../../support/arrow_columns.ts";
import { messagesIn } from "../../support/arrow_messages.ts";
import { randomType, typeKinds } from "../../support/arrow_types.ts";
import { randomValue, valuesOf } from "../../support/arrow_values.ts";
import { forSeeds, SeededRandom } from "../../support/seeded_random.ts";
import {
  allTypesBatch,
  batchOf,
  inFolder,
  readAll,
  wordsBatch,
  writeAll,
} from "../../support/streams_samples.ts";

const formats = ["file", "stream"] as const;

/** What an error says of data that breaks off or is not what it says. */
const namesPlace =
  /^truncated or corrupt Arrow data (in message \d+ at byte \d+|at byte \d+): \S[^\n]*[^.]$/;
/** Too little is left to see what it is, or two names became one. */
const namesNoPlace = /^(is empty, not Arrow data|is not Arrow data|two columns have the name.*)$/s;

function checkError(error: unknown, path: string): void {
  assertInstanceOf(error, FileError);
  const problem = (error as FileError).message.slice(path.length + 2);
  if (!namesNoPlace.test(problem)) assertMatch(problem, namesPlace);
}

/** Reads a file to its end, and every value of it. */
async function readValues(path: string): Promise<unknown[][]> {
  const batches = await readAll(readIpc(path));
  return batches.map((batch) => batch.data.children.map(valuesOf));
}

for (const format of formats) {
  for (const compression of ["none", "zstd"] as const) {
    Deno.test(`readIpc() names message and byte where data is cut, at any length (${format}, ${compression})`, () =>
      inFolder(async (folder) => {
        const path = `${folder}/in.arrow`;
        const category = (...values: string[]) =>
          batchOf({
            category: [new Dictionary(new Utf8(), new Int32(), 3), values],
            word: [new Utf8View(), values],
          });
        await writeAll(writeIpc(path, { format, compression }), [
          category("a", "b"),
          category("a", "b", "longer than twelve bytes"),
        ]);
        const bytes = await Deno.readFile(path);
        const step = compression === "none" ? 1 : 7;
        for (let length = 0; length < bytes.length; length += step) {
          await Deno.writeFile(path, bytes.subarray(0, length));
          checkError(await readAll(readIpc(path)).catch((error) => error), path);
        }
      }));
  }

  Deno.test(`readIpc() refuses wrong bytes or reads something, and never fails in another way (${format})`, () =>
    inFolder((folder) =>
      forSeeds(15, async (random) => {
        const path = `${folder}/in.arrow`;
        const types = Array.from({ length: 3 }, () => randomType(random, typeKinds, 2));
        const fields = types.map((type, i) => new Field(`c${i}`, type, true));
        const columns = types.map((type) =>
          columnOfValues(random, type, Array.from({ length: 9 }, () => randomValue(random, type)))
        );
        const compression = random.pick(["none", "none", "zstd", "lz4"] as const);
        await writeAll(writeIpc(path, { format, compression }), [batchOfColumns(fields, columns)]);
        const bytes = await Deno.readFile(path);
        for (let round = 0; round < 40; round++) {
          const wrong = bytes.slice();
          for (let flips = 1 + random.below(2); flips > 0; flips--) {
            const at = random.below(bytes.length);
            wrong[at] = random.pick([wrong[at]! ^ (1 << random.below(8)), 0, 0x7f, 0xff]);
          }
          await Deno.writeFile(path, wrong);
          const result = await readValues(path).catch((error) => error);
          if (!Array.isArray(result)) checkError(result, path);
        }
      })
    ));
}

for (const compression of ["zstd", "lz4"] as const) {
  Deno.test(`readIpc() finds every wrong bit of compressed columns (${compression})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.arrow`;
      const words = Array.from({ length: 20 }, (_, i) => i % 7 === 0 ? null : `word ${i % 5}`);
      await writeAll(writeIpc(path, { compression }), [wordsBatch(words)]);
      const bytes = await Deno.readFile(path);
      const batch = messagesIn(bytes).find(({ message }) => message.isRecordBatch())!;
      const { buffers } = batch.message.header() as {
        buffers: { offset: number; length: number }[];
      };
      const random = new SeededRandom(1);
      for (const { offset, length } of buffers) {
        for (let at = 0; at < length; at++) {
          const wrong = bytes.slice();
          wrong[batch.body + offset + at]! ^= 1 << random.below(8);
          await Deno.writeFile(path, wrong);
          // The frame header of zstd has one bit that is unused, and says so.
          const result = await readValues(path).catch((error) => error);
          if (Array.isArray(result)) assertEquals(result, [[...columnsOfWords(words)]]);
          else checkError(result, path);
        }
      }
    }));
}

function columnsOfWords(words: readonly (string | null)[]): unknown[][] {
  return [words.map((_, row) => row), [...words]];
}

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
  "an offset behind the data": [new Utf8(), ["a", "b"], 1, 8, 99, /2 bytes where its rows need 99/],
  "a bitmap of more nulls than it says": [
    new Int32(),
    [1, null, 3],
    0,
    0,
    0,
    /it says that 1 values are null where 3 are/,
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
    const batches = readIpc(path).open({});
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
      for (const value of [4, 8, 22, 25]) {
        const wrong = bytes.slice();
        wrong[at] = value;
        await Deno.writeFile(path, wrong);
        await readIpc(path).schema().catch((error) => errors.push(error.message));
      }
    }
    for (
      const problem of [
        "column id is run-end encoded, which is not supported",
        "column id is a list view, which is not supported",
        "its numbers are big-endian, which is not supported",
      ]
    ) assert(errors.some((message) => message.includes(problem)), problem);
  }));

Deno.test("readIpc() refuses a file whose footer has another schema than its front", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    await writeAll(writeIpc(path), [batchOf({ id: [new Int32(), [1]] })]);
    const bytes = await Deno.readFile(path);
    const name = new TextDecoder("latin1").decode(bytes).lastIndexOf("id\0");
    bytes[name] = "x".charCodeAt(0);
    await Deno.writeFile(path, bytes);
    const message = "the footer has another schema than message 1, columns are xd where id are";
    await assertRejects(() => readIpc(path).schema(), FileError, message);
  }));

Deno.test({
  name: "readIpc() names message and byte where a pipe ends",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder(async (folder) => {
      const words = wordsBatch(["a", "é", null]);
      const bytes = encodeArrow(words.schema, [words, words]);
      const huge = bytes.slice();
      // The length of the description of the second message.
      const { start } = messagesIn(bytes)[1]!;
      new DataView(huge.buffer).setInt32(start + 4, 2 ** 30, true);
      const inputs = [
        ...[3, 9, start, start + 30, bytes.length - 9, bytes.length - 8, bytes.length - 4]
          .map((length) => bytes.subarray(0, length)),
        huge,
      ];
      for (const [i, input] of inputs.entries()) {
        const path = `${folder}/pipe${i}`;
        await new Deno.Command("mkfifo", { args: [path] }).output();
        const written = Deno.open(path, { write: true }).then(async (pipe) => {
          await pipe.write(input);
          pipe.close();
        });
        checkError(await readAll(readIpc(path)).catch((error) => error), path);
        await written;
      }
    }),
});

Deno.test("readIpc() asks for no memory that data only claims to need", () =>
  inFolder(async (folder) => {
    const claims = [2 ** 20, 2 ** 30, 2 ** 31 - 1, -1];
    const paths: string[] = [];
    for (const format of formats) {
      for (const compression of ["none", "zstd", "lz4"] as const) {
        const source = `${folder}/in.arrow`;
        await writeAll(writeIpc(source, { format, compression }), [allTypesBatch(9)]);
        const bytes = await Deno.readFile(source);
        const random = new SeededRandom(bytes.length);
        for (let i = 0; i < 60; i++) {
          const wrong = bytes.slice();
          const at = 4 * random.below(bytes.length / 4);
          new DataView(wrong.buffer).setInt32(at, random.pick(claims), true);
          paths.push(`${folder}/${format}_${compression}_${i}.arrow`);
          await Deno.writeFile(paths.at(-1)!, wrong);
        }
      }
    }
    const script = `${folder}/read.ts`;
    await Deno.writeTextFile(
      script,
      `
      import { readIpc } from "${import.meta.resolve("../../../streams/ipc.ts")}";
      const mostMemory = () =>
        Number(/VmHWM:\\s+(\\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1] ?? 0) / 1024;
      const before = mostMemory();
      for (const path of JSON.parse(Deno.args[0])) {
        try {
          for await (const _ of readIpc(path).open({}));
        } catch (error) {
          if (error.name !== "FileError") throw error;
        }
        gc();
      }
      console.log(mostMemory() - before);`,
    );
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        "--v8-flags=--expose-gc",
        `--config=${configPath}`,
        script,
        JSON.stringify(paths),
      ],
    }).output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    const mebibytes = Number(new TextDecoder().decode(stdout));
    assert(mebibytes < 200, `${mebibytes} MiB more for files of 10 KB`);
  }));

const configPath = new URL("../../../deno.json", import.meta.url).pathname;
