import { assert, assertEquals, assertRejects } from "@std/assert";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { FileInput } from "../../../../../streams/bytes/file_input.ts";
import { GrowingBytes } from "../../../../../streams/bytes/growing_bytes.ts";
import { splitLines } from "../../../../../streams/formats/ndjson/split_lines.ts";
import { readNdjson, writeNdjson } from "../../../../../streams/formats/ndjson/ndjson.ts";
import { openSource } from "../../../../../streams/files/read.ts";
import { selectColumns } from "../../../../../streams/types/select_columns.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import {
  allTypesBatch,
  inFolder,
  readAll,
  rowsOf,
  wordsBatch,
  writeAll,
} from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";
import { someOf } from "../../../../support/random/test_size.ts";

async function parse(text: string | Uint8Array, types = {}): Promise<unknown[][]> {
  let rows: unknown[][] = [];
  await inFolder(async (folder) => {
    const path = `${folder}/in.ndjson`;
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    await Deno.writeFile(path, bytes);
    const batches = await readAll(readNdjson(path, { types }));
    rows = rowsOf(batches).map((row) => Object.values(row));
  });
  return rows;
}

async function failure(text: string | Uint8Array, types = {}): Promise<string> {
  const error = await assertRejects(() => parse(text, types), FileError);
  assert(!error.message.includes("\n"), error.message);
  return error.message.replace(/^.*in\.ndjson: /, "");
}

const texts: Record<string, readonly [string, unknown[][]]> = {
  "all types, missing keys and nulls": [
    '{"i":1,"f":1.5,"b":true,"s":"é𝄞"}\n{"s":null,"i":-2}\n',
    [[1n, 1.5, true, "é𝄞"], [-2n, null, null, null]],
  ],
  "integers and doubles in one column as doubles": ['{"a":1}\n{"a":0.5}\n', [[1], [0.5]]],
  "integers beyond 2^53 to the last digit": [
    '{"a":9007199254740993}\n{"a":-9223372036854775808}\n{"a":1}\n',
    [[2n ** 53n + 1n], [-(2n ** 63n)], [1n]],
  ],
  "integers beyond 64 bits as text, to the last digit": [
    '{"a":18446744073709551615}\n{"a":7}\n{"a":null}\n',
    [["18446744073709551615"], ["7"], [null]],
  ],
  "long integers that a double shows in full as doubles": [
    '{"a":100000000000000000000}\n{"a":7}\n',
    [[1e20], [7]],
  ],
  "long digits inside strings and fractions": [
    '{"a":"12345678901234567890","b":0.12345678901234567}\n',
    [["12345678901234567890", 0.12345678901234567]],
  ],
  "lists of objects, lists of no common type and objects as JSON text": [
    '{"a":[1,{"b":"x"}],"l":[1,"x"],"b":[12345678901234567890],"o":{"n":12345678901234567}}\n',
    [['[1,{"b":"x"}]', '[1,"x"]', "[12345678901234567890]", '{"n":12345678901234567}']],
  ],
  "lists, in which items may be null": [
    '{"s":["é",null],"i":[1,9007199254740993],"f":[0.5],"b":[]}\n{"f":[1],"b":[true]}\n{"s":[]}\n',
    [
      [["é", null], [1n, 2n ** 53n + 1n], [0.5], []],
      [null, null, [1], [true]],
      [[], null, null, null],
    ],
  ],
  "lists of lists, and lists without items as lists of text": [
    '{"n":[],"e":[],"d":[null]}\n{"n":[[],[1],null],"e":null,"d":[[]]}\n',
    [[[], [], [null]], [[[], [1n], null], null, [[]]]],
  ],
  "lists of more than 32 lists as JSON text": [
    `{"a":${"[".repeat(33)}${"]".repeat(33)},"b":${"[".repeat(3000)}${"]".repeat(3000)}}\n`,
    [["[".repeat(33) + "]".repeat(33), "[".repeat(3000) + "]".repeat(3000)]],
  ],
  "lists and numbers in one column as JSON text": [
    '{"a":[1,[]]}\n{"a":[2]}\n{"a":7}\n',
    [["[1,[]]"], ["[2]"], ["7"]],
  ],
  "objects in objects without end as JSON text": [
    `{"a":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}\n`,
    [['{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)]],
  ],
  "empty lines, CRLF and no line end at the end": ['\n{"a":1}\r\n  \n{"a":2}', [[1n], [2n]]],
  "a key named like a method of objects": ['{"toString":1,"__proto__":2}\n', [[1n, 2n]]],
};
for (const [what, [text, expected]] of Object.entries(texts)) {
  Deno.test(`readNdjson() reads ${what}`, async () => assertEquals(await parse(text), expected));
}

const cure = (column: string, type = "json") =>
  `, as the first rows suggested; give its type: { types: { ${column}: "${type}" } }`;
const failures: Record<string, readonly [string | Uint8Array, object, string]> = {
  "a line that is not JSON": ['{"a":1}\n\n{"a":\n', {}, "line 3: is not JSON"],
  "two objects on a line": ['{"a":1}\n{"a":2},{"a":3}\n', {}, "line 2: is not JSON"],
  "two lines that are two objects only together": [
    '{"a":{}}\n{"a":{}},{"a":[{}\n{}]}\n{"a":{}}\n',
    {},
    "line 2: is not JSON",
  ],
  "a line that is not an object": ['{"a":1}\n[1]\n', {}, "line 2: is not an object"],
  "values of two types": [
    '{"a":1}\n{"a":"x"}\n',
    {},
    `line 2, column a: "x" is not a valid int64${cure("a")}`,
  ],
  "text where there were objects": [
    '{"a":{"x":1}}\n{"a":"y"}\n',
    {},
    `line 2, column a: "y" is not a list, object or number${cure("a")}`,
  ],
  "a value that does not fit a given type": [
    '{"a":"1"}\n',
    { a: "int64" },
    'line 1, column a: "1" is not a valid int64',
  ],
  "half of a surrogate pair": [
    '{"a":"😀"}\n{"a":"\\ude00"}\n',
    {},
    "line 2, column a: half of a surrogate pair, which UTF-8 cannot hold",
  ],
  "half of a surrogate pair in a list": [
    '{"a":[["x"],["\\ud83d"]]}\n',
    {},
    "line 1, column a: half of a surrogate pair, which UTF-8 cannot hold",
  ],
  "a list of long integers where there was text": [
    '{"a":"x"}\n{"a":[9007199254740993]}\n',
    {},
    `line 2, column a: [9007199254740993] is not a valid string${cure("a")}`,
  ],
  "a long number that is nested too deeply": [
    `{"a":1}\n{"a":${'{"a":'.repeat(100_000)}12345678901234567890${"}".repeat(100_000)}}\n`,
    { a: "json" },
    "line 2: is nested too deeply",
  ],
  "invalid UTF-8": [
    Uint8Array.of(...new TextEncoder().encode('{"a":"x"}\n{"a":"'), 0xff, 0x22, 0x7d, 10),
    {},
    "line 2, column a: invalid UTF-8",
  ],
  "a character cut off by the end of its text": [
    Uint8Array.of(...new TextEncoder().encode('{"a":"é�","b":["'), 0xe2, 0x82, 0x22, 0x5d, 0x7d),
    {},
    "line 1, column b: invalid UTF-8",
  ],
  "invalid UTF-8 outside of values": [Uint8Array.of(0x7b, 0xff, 0x7d), {}, "line 1: invalid UTF-8"],
};
for (const [what, [text, types, message]] of Object.entries(failures)) {
  Deno.test(`readNdjson() refuses ${what}`, async () =>
    assertEquals(await failure(text, types), message));
}

Deno.test("readNdjson() refuses what the first rows do not have, and names the line", async () => {
  const rows = Array.from({ length: 150_000 }, (_, i) => `{"id":${i}}`).join("\n");
  assertEquals(
    await failure(`${rows}\n{"id":true}\n`),
    `line 150001, column id: true is not a valid int64${cure("id")}`,
  );
  const values = [["1", "int64"], ["2.5", "float64"], ['"x"', "string"], ["null", "string"]];
  const more = [["true", "bool"], ["[1]", "json"], ["{}", "json"]];
  for (const [value, type] of someOf([...values, ...more], 2)) {
    assertEquals(
      await failure(`${rows}\n{"new":${value}}\n`),
      `line 150001, column new: is not a key of the first rows; give its type: { types: { new: "${type}" } }`,
    );
  }
});

for (const text of ["", "\n \r\n"]) {
  Deno.test(`readNdjson() reads ${JSON.stringify(text)} as no rows of the columns whose types are given`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/empty.ndjson`;
      await Deno.writeTextFile(path, text);
      const cases = [[{ a: "int64", b: "string" }, ["a", "b"]], [{}, []]] as const;
      for (const [types, names] of cases) {
        const source = readNdjson(path, { types });
        assertEquals((await source.schema())!.fields.map(({ name }) => name), [...names]);
        assertEquals(await source.numRows(), 0);
        assertEquals((await readAll(source)).map(({ numRows }) => numRows), [0]);
      }
    }));
}

Deno.test("a key that is given a type and is in no row is an error, at the end of all files", () =>
  inFolder(async (folder) => {
    const first = '{"a":1}\n'.repeat(40_000);
    const write = (name: string, text: string) => Deno.writeTextFile(`${folder}/${name}`, text);
    await write("few.ndjson", '{"a":1}\n{"a":2,"b":null}\n');
    await write("many.ndjson", first);
    await write("late.ndjson", `${first}{"a":2,"late":"x"}\n`);
    await write("empty.ndjson", "");
    const sourceOf = (names: string[], types: Record<string, "string">) =>
      openSource(names.map((name) => `${folder}/${name}.ndjson`), { types });
    const problem = (key: string, known: string) =>
      `no row has column ${key}, for which a type was given; there are ${known}`;
    // Where the first rows are all of them, the schema says it.
    const few = sourceOf(["few"], { no: "string" });
    for (const ask of [() => few.schema(), () => readAll(few)]) {
      const { message } = await assertRejects(ask, FileError);
      assertEquals(message, `${folder}/few.ndjson: ${problem("no", "a, b")}`);
    }
    const refused = [
      [["many"], { no: "string" }, "many.ndjson: ", problem("no", "a")],
      [["late"], { late: "string", no: "string" }, "late.ndjson: ", problem("no", "a, late")],
      [["many", "many"], { no: "string" }, "many.ndjson and 1 more: ", problem("no", "a")],
    ] as const;
    for (const [names, types, file, told] of refused) {
      const source = sourceOf([...names], types);
      assertEquals((await source.schema())!.fields.at(-1)!.name, "no");
      const { message } = await assertRejects(() => readAll(source), FileError);
      assertEquals(message, `${folder}/${file}${told}`);
    }
    const taken = [["late"], ["many", "late"], ["late", "many"], ["empty", "empty"]];
    for (const names of taken) {
      const batches = await readAll(sourceOf(names, { late: "string" }));
      assertEquals(batches[0]!.schema.fields.at(-1)!.name, "late");
    }
    // Who leaves before the end is told nothing.
    for await (const batch of sourceBatches(sourceOf(["many"], { no: "string" }))) {
      assertEquals(batch.getChildAt(1)!.nullCount, batch.numRows);
      break;
    }
  }));

Deno.test("readNdjson() reads what writeNdjson() writes of a table without rows", () =>
  inFolder(async (folder) => {
    const path = `${folder}/empty.ndjson`;
    await writeAll(writeNdjson(path), [wordsBatch([])]);
    const [batch, ...more] = await readAll(readNdjson(path));
    assertEquals([batch!.numRows, batch!.numCols, more], [0, 0, []]);
  }));

Deno.test("readNdjson() counts the row of an error from 0, without empty lines", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.ndjson`;
    await Deno.writeTextFile(path, '{"a":1}\n\n{"a":2}\n[]\n');
    const error = await assertRejects(() => readAll(readNdjson(path)), FileError);
    assertEquals([error.message, error.row], [`${path}: line 4: is not an object`, 2]);
  }));

Deno.test("readNdjson() reads over chunk borders", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.ndjson`;
    const rows = Array.from({ length: 50_000 }, (_, i) => ({
      id: BigInt(i),
      text: "𝄞é\n".repeat(i % 6) + i,
    }));
    const lines = rows.map(({ id, text }) => `{"id":${id},"text":${JSON.stringify(text)}}\n`);
    await Deno.writeTextFile(path, lines.join(""));
    assertEquals(rowsOf(await readAll(readNdjson(path))), rows);
  }));

Deno.test({
  name: "readNdjson() loses no row of a slow pipe after it has guessed the types",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder(async (folder) => {
      const path = `${folder}/pipe`;
      await new Deno.Command("mkfifo", { args: [path] }).output();
      const numRows = 30_000;
      const send = async () => {
        using pipe = await Deno.open(path, { write: true });
        // Each piece ends with a line, so that one that is lost would leave no broken line behind.
        for (let start = 0; start < numRows; start += 1000) {
          const ids = Array.from({ length: 1000 }, (_, i) => `{"id":${start + i}}\n`);
          await pipe.write(new TextEncoder().encode(ids.join("")));
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      };
      const [batches] = await Promise.all([readAll(readNdjson(path)), send()]);
      const ids = batches.flatMap((batch) => [...batch.getChild("id")!] as bigint[]);
      assertEquals(ids.length, numRows);
      assertEquals(ids.findIndex((id, row) => id !== BigInt(row)), -1);
    }),
});

Deno.test("readNdjson() reads lines that come in any pieces", () =>
  forSeeds(30, async (random) => {
    const lines = Array.from({ length: random.below(30) }, () => {
      const length = random.pick([0, 5, 200]);
      return random.chance(0.2)
        ? " ".repeat(length % 7)
        : JSON.stringify({ a: "é".repeat(length) });
    });
    const text = lines.join(random.pick(["\n", "\r\n"])) + random.pick(["", "\n", "\n\n"]);
    const expected = lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
    await inFolder(async (folder) => {
      const path = `${folder}/in.ndjson`;
      await Deno.writeTextFile(path, text);
      using input = await FileInput.open(path, { chunkBytes: random.pick([1, 3, 64, 1000]) });
      const split: string[] = [];
      const limits = {
        leastBytes: random.pick([1, 20, 1000]),
        mostBytes: Infinity,
        tooLong: () => new Error("unlimited"),
      };
      for await (const some of splitLines(input, new GrowingBytes(), limits)) {
        split.push(...some.map((line) => new TextDecoder().decode(line)));
      }
      assertEquals(
        split,
        text.replace(/\n$/, "").split("\n").slice(0, text === "" ? 0 : undefined),
      );
      assertEquals(rowsOf(await readAll(readNdjson(path))), expected);
    });
  }));

Deno.test("writeNdjson() writes what DuckDB reads", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.ndjson`;
    const names = [
      "bool",
      "int32",
      "int64",
      "float64",
      "utf8",
      "view",
      "list",
      "struct",
      "category",
    ];
    const batch = selectColumns(allTypesBatch(20), names);
    await writeAll(writeNdjson(path), [batch.slice(0, 3), batch.slice(3, 3), batch.slice(3)]);
    const ours = await readAll(readNdjson(path));
    assertEquals(rowsOf(ours).length, 20);
    assertEquals(rowsOf(ours).map(({ int64 }) => int64), rowsOf([batch]).map(({ int64 }) => int64));
    const judged = await queryDuckDb(`SELECT "list", struct, utf8, category, int64
      FROM read_json('${path}', format = 'newline_delimited')`);
    const expected = rowsOf([batch]).map(({ list, struct, utf8, category, int64 }) => ({
      list: (list as number[] | null)?.map(BigInt) ?? null,
      struct: struct && { ...struct as object, a: BigInt((struct as { a: number }).a) },
      utf8,
      category,
      int64,
    }));
    assertEquals(judged, expected);
  }));
