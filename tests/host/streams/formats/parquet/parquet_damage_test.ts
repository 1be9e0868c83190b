import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Int32 } from "apache-arrow";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readParquet, writeParquet } from "../../../../../streams/formats/parquet/parquet.ts";

import {
  lateListOf,
  listOf,
  readThrift,
  struct,
  whenRead,
  writeThrift,
} from "../../../../../streams/formats/parquet/metadata/thrift.ts";
import { ModuleTurns, orTrapNow } from "../../../../../streams/formats/parquet/module/trap.ts";
import { TrapError } from "../../../../../base/errors/data_error.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import { changeFooter } from "../../../../support/files/parquet_files.ts";
import {
  batchOf,
  inFolder,
  readAll,
  writeAll,
} from "../../../../support/values/streams_samples.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

/** A number of rows that stands in no other place of the footer, written as 2 * 21 there. */
const numRows = 21;

Deno.test("readParquet() refuses a wrong number of rows, of the file and of a row group", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const ids = Array.from({ length: numRows }, (_, row) => row);
    await writeAll(writeParquet(path), [batchOf({ id: [new Int32(), ids] })]);
    const bytes = await Deno.readFile(path);
    const footer = bytes.length - 8 - new DataView(bytes.buffer).getInt32(bytes.length - 8, true);
    const messages: string[] = [];
    for (let at = footer; at < bytes.length - 8; at++) {
      if (bytes[at] !== 2 * numRows) continue;
      for (const wrong of [2 * numRows + 2, 2 * numRows - 1]) {
        await Deno.writeFile(path, bytes.with(at, wrong));
        const source = readParquet(path);
        try {
          const batches = await readAll(source);
          const read = batches.reduce((sum, batch) => sum + batch.numRows, 0);
          assertEquals([await source.numRows(), read], [numRows, numRows], `byte ${at}`);
        } catch (error) {
          if (!(error instanceof FileError)) throw error;
          messages.push(error.message.slice(path.length + 2));
        }
      }
    }
    for (
      const message of [
        "is corrupt: its footer states 21 rows, but its row groups state 22",
        "is corrupt: row group 0 states 21 rows, but its column id has 22 values",
        "is corrupt: row group 0 states -21 rows",
      ]
    ) assert(messages.includes(message), `${message}, not among ${messages.join("; ")}`);
  }));

const trap = () => {
  throw new WebAssembly.RuntimeError("unreachable");
};
const outOfBounds = () => {
  throw new WebAssembly.RuntimeError("memory access out of bounds");
};

Deno.test("a trap is an error that does not speak of itself, at once and later", async () => {
  const problem = "is corrupt, or contains data that cannot be decoded";
  const turns = new ModuleTurns();
  assertEquals(assertThrows(() => orTrapNow(trap), TrapError).message, problem);
  assertEquals(assertThrows(() => orTrapNow(outOfBounds), TrapError).message, problem);
  assertEquals((await assertRejects(() => turns.do(trap), TrapError)).message, problem);
  // The promise stays pending, and the error comes to nobody.
  const later = () =>
    new Promise<never>(() => {
      queueMicrotask(trap);
    });
  assertEquals((await assertRejects(() => turns.do(later, "failed"), TrapError)).message, "failed");
  assertThrows(() => orTrapNow(() => JSON.parse("{")), SyntaxError);
});

Deno.test("a module that no longer works says so, and blames no file", () => {
  for (let time = 0; time < 100; time++) assertThrows(() => orTrapNow(trap), TrapError);
  const error = assertThrows(() => orTrapNow(outOfBounds), TypeError);
  assertEquals(
    error.message,
    "cannot be read or written in this process: parquet-wasm no longer works after too many files that " +
      "it could not decode",
  );
});

const inner = struct({ name: [1, "binary"], isSorted: [2, "bool"], width: [40, "i8"] });
const outer = struct({
  small: [1, "i16"],
  count: [2, "i32"],
  offset: [3, "i64"],
  flag: [4, "bool"],
  text: [5, "binary"],
  numbers: [20, listOf("i64")],
  flags: [21, listOf("bool")],
  parts: [22, listOf(inner)],
  part: [300, inner],
});

function someInner(random: SeededRandom) {
  return {
    name: new TextEncoder().encode(random.pick(["Zürich", "", "Þórshöfn"])),
    isSorted: random.chance(0.5),
    width: random.below(256) - 128,
  };
}

function someOuter(random: SeededRandom) {
  const integer = () => random.pick([0, 1, -1, 63, 64, -64, -65, 2 ** 31, 2 ** 51, -(2 ** 51)]);
  const many = <T>(make: () => T) => Array.from({ length: random.pick([0, 1, 14, 15, 200]) }, make);
  return {
    small: random.below(2 ** 16) - 2 ** 15,
    count: random.below(2 ** 31) * random.pick([1, -1]) || 0,
    offset: integer(),
    flag: random.chance(0.5),
    text: new Uint8Array(random.pick([0, 1, 127, 128, 5000])).fill(7),
    numbers: many(integer),
    flags: many(() => random.chance(0.5)),
    parts: many(() => someInner(random)),
    part: someInner(random),
  };
}

Deno.test("a struct of Thrift comes back as it was written", () =>
  forSeeds(50, (random) => {
    const value = someOuter(random);
    const bytes = writeThrift(value, outer);
    const read = readThrift(new Uint8Array([...bytes, 1, 2, 3]), outer);
    assertEquals(read.value, value);
    assertEquals(read.numBytes, bytes.length);
  }));

// The bytes of https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
Deno.test("integers, texts and fields of Thrift lie as its specification has them", () => {
  const bytes = writeThrift({ small: -1, offset: 150, text: new Uint8Array([65]) }, outer);
  assertEquals([...bytes], [0x14, 1, 0x26, 0xac, 0x02, 0x28, 1, 65, 0]);
  assertEquals([...writeThrift({ flag: true }, outer)], [0x41, 0]);
  assertEquals([...writeThrift({ flag: false }, outer)], [0x42, 0]);
  assertEquals([...writeThrift({ part: {} }, outer)], [0x0c, 0xd8, 0x04, 0, 0]);
  assertEquals([...writeThrift({ flags: [true, false] }, outer)], [0x09, 0x2a, 0x21, 1, 2, 0]);
});

Deno.test("what the description does not know, or knows as another type, is passed over", () => {
  const passed: Record<string, number[]> = {
    "a double": [0x17, 1, 2, 3, 4, 5, 6, 7, 8],
    "a set of texts": [0x1a, 0x28, 1, 65, 2, 66, 67],
    "a map of numbers to flags": [0x1b, 2, 0x51, 8, 1, 10, 2],
    "an empty map": [0x1b, 0],
    "a struct of structs": [0x1c, 0x1c, 0x15, 4, 0, 0x11, 0],
    "a list where a number is expected": [0x19, 0x35, 2, 4, 6],
    "a text where a number is expected": [0x18, 2, 65, 66],
  };
  for (const [what, field] of Object.entries(passed)) {
    // Field 1, and field 2 behind it.
    const { value, numBytes } = readThrift(new Uint8Array([...field, 0x15, 84, 0]), outer);
    assertEquals(value, { count: 42 }, what);
    assertEquals(numBytes, field.length + 3, what);
  }
  const numbers = readThrift(new Uint8Array([0x09, 0x28, 0x28, 1, 65, 1, 66, 0]), outer);
  assertEquals(numbers.value, {}, "texts where numbers are expected");
});

Deno.test("bytes that end too early are a RangeError, and so is what no bytes can hold", () =>
  forSeeds(5, (random) => {
    const bytes = writeThrift(someOuter(random), outer);
    let numCut = 0;
    for (let length = 0; length < Math.min(bytes.length, 400); length++, numCut++) {
      assertThrows(() => readThrift(bytes.subarray(0, length), outer), RangeError);
    }
    assert(numCut > 0);
    const wrong = {
      "a list of billions": [0x09, 0x28, 0xf6, 0xff, 0xff, 0xff, 0xff, 0x0f],
      "a map of billions": [0x1b, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x55],
      "an endless number": Array(20).fill(0xff).with(0, 0x15),
      "more than 53 bits": [0x36, ...Array(8).fill(0xff), 0x7f, 0],
      "a type that does not exist": [0x1f, 0],
      "structs without end": Array(200).fill(0x1c),
      "lists without end": Array(200).fill(0x19),
    };
    for (const [what, bytes] of Object.entries(wrong)) {
      assertThrows(() => readThrift(new Uint8Array(bytes), outer), RangeError, undefined, what);
    }
  }));

Deno.test("a late list of Thrift is decoded once, when it is asked for", () => {
  const item = struct({ id: [1, "i64"] });
  const early = struct({ name: [1, "binary"], items: [2, listOf(item)], count: [3, "i32"] });
  const late = struct({ ...early.fields, items: [2, lateListOf(item)] });
  const value = { name: Uint8Array.of(7), items: [{ id: 1 }, { id: 2 ** 40 }], count: 2 };
  const bytes = writeThrift(value, early);
  const read = readThrift(bytes, late);
  assertEquals(read.numBytes, bytes.length);
  let numReads = 0;
  whenRead(read.value, "items", (decode) => {
    numReads++;
    return [...decode()!, { id: 3 }];
  });
  assertEquals([read.value.count, numReads], [2, 0]);
  const all = [...value.items, { id: 3 }];
  assertEquals([read.value.items, read.value.items, numReads], [all, all, 1]);
  assertEquals(writeThrift(read.value, late), writeThrift({ ...value, items: all }, early));
  read.value.items = [];
  assertEquals(read.value.items, []);
  // What was decoded before is used at once.
  whenRead(read.value, "items", () => [{ id: 4 }]);
  assertEquals(read.value.items, [{ id: 4 }]);
});

Deno.test("damage of the metadata of one row group is found where its rows are read", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const ids = Int32Array.from({ length: 30 }, (_, id) => id);
    const batch = batchOf({ id: [new Int32(), [...ids]] });
    await writeAll(writeParquet(path, { rowGroupRows: 10 }), [batch]);
    await changeFooter(path, ({ rowGroups }) => {
      rowGroups![1]!.columns![0]!.filePath = new TextEncoder().encode("part-1.parquet");
    });
    const source = readParquet(path);
    assertEquals(await source.numRows(), 30);
    const first: number[] = [];
    for await (const { batch } of source.rows([rowSlice(0, 10)], {})) first.push(batch.numRows);
    assertEquals(first, [10]);
    const problem = "has columns in another file, part-1.parquet, which is not supported yet";
    await assertRejects(
      () => Array.fromAsync(source.rows([rowSlice(5, 15)], {})),
      FileError,
      problem,
    );
  }));
