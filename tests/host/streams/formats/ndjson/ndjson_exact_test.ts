import { assert, assertEquals, assertRejects } from "@std/assert";
import { makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { concatSources } from "../../../../../streams/source/concat_sources.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { hasJsonMark } from "../../../../../streams/data/extension_type.ts";
import { readNdjson, writeNdjson } from "../../../../../streams/formats/ndjson/ndjson.ts";
import { parseJson } from "../../../../../streams/formats/ndjson/parse_json.ts";
import { openSource } from "../../../../../streams/files/read.ts";
import { write } from "../../../../../streams/files/write.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { inFolder, readAll, rowsOf, writeAll } from "../../../../support/values/streams_samples.ts";

interface Parsed {
  /** Types of the columns, JSON text as JSON. */
  readonly types: string;
  readonly rows: Record<string, unknown>[];
  /** The same file once it was read and written. */
  readonly again: string;
}

async function parse(text: string, types: Record<string, string> = {}): Promise<Parsed> {
  let parsed: Parsed | undefined;
  await inFolder(async (folder) => {
    const [path, copy] = [`${folder}/in.ndjson`, `${folder}/out.ndjson`];
    await Deno.writeTextFile(path, text);
    const batches = await readAll(readNdjson(path, { types }));
    await writeAll(writeNdjson(copy), batches);
    const { fields } = batches[0]!.schema;
    parsed = {
      types: fields.map((field) => hasJsonMark(field) ? "JSON" : String(field.type)).join(" "),
      rows: rowsOf(batches),
      again: await Deno.readTextFile(copy),
    };
  });
  return parsed!;
}

async function failure(text: string, types: Record<string, string> = {}): Promise<string> {
  const { message } = await assertRejects(() => parse(text, types), FileError);
  assert(!message.includes("\n"), message);
  return message.replace(/^.*in\.ndjson: /, "");
}

/** Numbers that a double says. */
const exact = ["0.1", "-0.5", "1e5", "1E23", "5e-324", "0.0", "-0.0", "0e-400", "1e+2"].concat(
  ["9007199254740992", "100000000000000000000", "1152921504606847000.0", "0.12345678901234567"],
  ["0.1000000000000000055511151", "-0.00001234567890123456", "123456789.12345678"],
);
/** Numbers of which a double would lose digits. */
const inexact = ["9007199254740993", "-9007199254740993", "9007199254740993.0"].concat(
  ["9.007199254740993e15", "1152921504606846976", "9223372036854775807", "18446744073709551615"],
  ["540354322189616262244.80", "12345678901234567890123", "0.123456789012345678"],
  [
    "3.14159265358979323846",
    "1.00000000000000000001",
    "1e400",
    "-1e400",
    "1e-400",
    "1.2345678901234e-320",
  ],
  [`1${"0".repeat(400)}`, `0.${"0".repeat(400)}1`],
);
/** More rows than types are looked for in: lines of 26 bytes, of which a page has 10,083. */
const numFirst = 10_200;
const floats = '{"a":1.5,"pad":"........"}\n'.repeat(numFirst);

for (const text of exact) {
  Deno.test(`readNdjson() takes ${text} as a double, wherever it stands`, async () => {
    const { types, rows } = await parse(`{"a":1.5}\n{"a":${text}}\n`);
    assertEquals([types, rows[1]], ["Float64", { a: Number(text) }]);
    const late = await parse(`${floats}{"a": ${text} }\n`);
    assertEquals(late.rows.slice(numFirst), [{ a: Number(text), pad: null }]);
  });
}

for (const text of inexact) {
  Deno.test(`readNdjson() never rounds ${text.slice(0, 30)}, wherever it stands`, async () => {
    for (const rows of [`{"a":1.5}\n{"a":${text}}\n`, `{"a":${text}}\n{"a":1.5}\n`]) {
      const { types, again } = await parse(rows);
      assertEquals([types, again], ["JSON", rows]);
    }
    const list = `{"a":[1.5,${text}]}\n`;
    assertEquals(await parse(list).then(({ types, again }) => [types, again]), ["JSON", list]);
    assertEquals(
      await failure(`${floats}{"a":${text}}\n`),
      `line ${numFirst + 1}, column a: ${
        text.slice(0, 40)
      } is not a valid float64, as the first rows suggested; ` +
        'give its type: { types: { a: "json" } }',
    );
    const { rows } = await parse(`${floats}{"a":${text}}\n`, { a: "json" });
    assertEquals(rows[numFirst]!.a, text);
  });
}

Deno.test("readNdjson() takes integers of 64 bits as such, and floats that are whole as floats", async () => {
  const integers = '{"a":9007199254740993}\n{"a":-9223372036854775808}\n{"a":1}\n';
  assertEquals((await parse(integers)).types, "Int64");
  assertEquals((await parse('{"a":1.0}\n{"a":2.0}\n')).types, "Float64");
  assertEquals((await parse('{"a":[1.0]}\n{"a":[2]}\n')).again, '{"a":[1.0]}\n{"a":[2.0]}\n');
  // A float that is whole is the integer that it is where the first rows have integers.
  const late = await parse(`${floats.replaceAll("1.5", "100")}{"a":2.0}\n`);
  assertEquals([late.types, late.rows.at(-1)!.a], ["Int64 Utf8", 2n]);
});

/** A number near an integer, with its point anywhere, and whether it is one. */
function nearInteger(random: SeededRandom): { readonly text: string; readonly isWhole: boolean } {
  const length = 1 + random.below(15);
  const numDigits = 1 + random.below(18 - length);
  const digits = (count: number) =>
    Array.from({ length: count }, () => random.pick(["0", "1", "9"])).join("");
  const fraction = random.chance(0.2)
    ? digits(numDigits)
    : random.pick(["0", "9"]).repeat(numDigits - 1) + random.pick(["0", "1", "6", "9"]);
  const whole = random.pick(["1", "7", "9"]) + digits(length - 1);
  const isWhole = BigInt(fraction) === 0n;
  const sign = random.pick(["", "-"]);
  if (random.chance(0.5)) return { text: `${sign}${whole}.${fraction}`, isWhole };
  const all = whole + fraction;
  const point = 1 + random.below(all.length - 1);
  const exponent = whole.length - point;
  return { text: `${sign}${all.slice(0, point)}.${all.slice(point)}e${exponent}`, isWhole };
}

Deno.test("a fraction that a double rounds to an integer is told from one, wherever its point is", async () => {
  const drawn = { rounded: 0, whole: 0 };
  await forSeeds(5000, (random) => {
    const { text, isWhole } = nearInteger(random);
    if (!Number.isSafeInteger(Number(text))) return;
    const [value] = parseJson(`[${text}]`, "values") as unknown[];
    assertEquals(
      [typeof value, Number(value)],
      [isWhole ? "number" : "object", Number(text)],
      text,
    );
    drawn[isWhole ? "whole" : "rounded"]++;
  });
  assert(drawn.rounded > 0 && drawn.whole > 0, JSON.stringify(drawn));
});

Deno.test("a fraction or -0.0 behind the first rows is never an integer, alone or in a list", async () => {
  for (const text of ["99999999999999.999", "-9.9999999999999999", "-0.0", "-0e0"]) {
    for (const [value, type] of [[text, "int64"], [`[3,${text}]`, "list<int64>"]] as const) {
      const first = floats.replaceAll("1.5", type === "int64" ? "500" : "[5]");
      const cure = type === "int64" ? "float64" : "json";
      assertEquals(
        await failure(`${first}{"a":${value}}\n`),
        `line ${
          numFirst + 1
        }, column a: ${value} is not a valid ${type}, as the first rows suggested; ` +
          `give its type: { types: { a: "${cure}" } }`,
      );
    }
  }
  const first = floats.replaceAll("1.5", "500");
  for (const whole of ["-0", "2.0", "20e-1", "2000000000000000.0000"]) {
    const { rows } = await parse(`${first}{"a":${whole}}\n`);
    assertEquals(rows.at(-1)!.a, BigInt(Number(whole)));
  }
  assertEquals((await parse('{"a":-0.0}\n', { a: "int64" })).rows, [{ a: 0n }]);
});

Deno.test("readNdjson() rounds what is given as float64, and refuses what is beyond it", async () => {
  const text = '{"a":9007199254740993}\n{"a":3.14159265358979323846}\n{"a":1e-400}\n';
  const { types, again } = await parse(text, { a: "float64" });
  assertEquals([types, again], ["Float64", `{"a":${2 ** 53}.0}\n{"a":${Math.PI}}\n{"a":0.0}\n`]);
  for (const text of ["1e400", `1${"0".repeat(309)}`]) {
    const problem = `line 1, column a: ${text.slice(0, 40)} is not a valid float64`;
    assertEquals(await failure(`{"a":${text}}\n`, { a: "float64" }), problem);
  }
});

Deno.test("objects come back as they stand, without the spaces between their parts", async () => {
  const line = '{ "a" : { "x" : 1e400 , "z":12345678901234567890.50,\t"k":1,"k":2, "2":1,"1":2,' +
    ' "u":"\\u00e9\\/ \\" \\\\" }\r, "b": [ 1, { } , [ ] , "x , y" ] }\r\n';
  const { types, rows, again } = await parse(line);
  const a = '{"x":1e400,"z":12345678901234567890.50,"k":1,"k":2,"2":1,"1":2,' +
    '"u":"\\u00e9\\/ \\" \\\\"}';
  const b = '[1,{},[],"x , y"]';
  assertEquals([types, rows, again], ["JSON JSON", [{ a, b }], `{"a":${a},"b":${b}}\n`]);
});

Deno.test("a column of the type json holds any value as its text, and null as null", async () => {
  const values = ['"x"', '"\\ud800"', "1.50", "true", "[]", "null", '{"a":null}'];
  const text = values.map((value) => `{"a":${value}}\n`).join("") + "{}\n";
  const { rows, again } = await parse(text, { a: "json" });
  assertEquals(rows.map(({ a }) => a), [...values.map((v) => v === "null" ? null : v), null]);
  assertEquals(again, text.replace("{}", '{"a":null}'));
});

for (const suffix of ["arrow", "arrows", "parquet"]) {
  Deno.test(`objects are objects again after a trip through .${suffix}`, () =>
    inFolder(async (folder) => {
      const [path, between, last] = [
        `${folder}/1.ndjson`,
        `${folder}/2.${suffix}`,
        `${folder}/3.ndjson`,
      ];
      const text = '{"id":1,"a":{"x":[1,"é"],"y":{}}}\n{"id":2,"a":null}\n{"id":3,"a":{}}\n';
      await Deno.writeTextFile(path, text);
      await writeAll(write(between), await readAll(openSource(path)));
      await writeAll(write(last), await readAll(openSource(between)));
      assertEquals(await Deno.readTextFile(last), text);
    }));
}

Deno.test("DuckDB reads the objects that we write as it reads those of the file", () =>
  inFolder(async (folder) => {
    const [path, copy] = [`${folder}/1.ndjson`, `${folder}/2.ndjson`];
    const text = '{"id":1,"a":{"x":[1,2],"y":{"z":"Çeşme"}}}\n{"id":2,"a":{"x":[],"y":null}}\n';
    await Deno.writeTextFile(path, text);
    await writeAll(writeNdjson(copy), await readAll(readNdjson(path)));
    const query = (file: string) => queryDuckDb(`SELECT *, typeof(a) FROM read_json('${file}')`);
    assertEquals(await query(copy), await query(path));
  }));

const twice: Record<string, readonly [string, string]> = {
  "a key twice": ['{"a":1}\n{"a":1,"a":2}\n', "line 2, column a: the key appears twice"],
  "a key twice, once as an escape": [
    '{"a":1,"b":2,"\\u0061":2}\n',
    "line 1, column a: the key appears twice",
  ],
  "a key twice, with spaces": [
    '{"a" :1, "b":"x\\":" , "a"\t: 1}\n',
    "line 1, column a: the key appears twice",
  ],
  "a key twice around an object": [
    '{"a":{"b":1},"b":{"b":2},"a":{}}\n',
    "line 1, column a: the key appears twice",
  ],
  "the empty key twice": ['{"":{},"":1}\n', "line 1, column : the key appears twice"],
};
for (const [what, [text, message]] of Object.entries(twice)) {
  Deno.test(`readNdjson() refuses ${what}`, async () => {
    assertEquals(await failure(text), message);
    // Where the first rows give the types, later ones are looked at as well.
    const first = JSON.stringify({ a: "x".repeat(100), b: "", "": "" });
    const late = `${`${first}\n`.repeat(12_000)}${text}`;
    const line = 12_000 + Number(/\d+/.exec(message)![0]);
    assertEquals(
      await failure(late, { a: "json", b: "json", "": "json" }),
      message.replace(/\d+/, String(line)),
    );
  });
}

Deno.test("readNdjson() keeps the order of keys that look like numbers", async () => {
  const { rows, again } = await parse('{"b":1,"2":2,"1":3,"a":4}\n');
  assertEquals([rows, again], [[{ b: 1n, 2: 2n, 1: 3n, a: 4n }], '{"b":1,"2":2,"1":3,"a":4}\n']);
});

/** Some value as text of JSON, with spaces anywhere. */
function someJson(random: SeededRandom, depth: number): string {
  const space = () => random.chance(0.2) ? random.pick([" ", "\t", "\r", "  "]) : "";
  const text = () =>
    JSON.stringify(
      random.pick(["", "a", "é𝄞", 'x":', '\\"', "{", "]", ",", "\\", "\u0001", "\ufeff"]),
    );
  const kind = depth === 0 ? random.below(4) : random.below(6);
  const items = <T>(make: () => T) => Array.from({ length: random.below(4) }, make);
  const value = [
    () => text(),
    () => random.pick(["0", "-0", "1.50", "12345678901234567890", "1e400", "-0.1E-7", "0.30"]),
    () => random.pick(["true", "false"]),
    () => random.pick(["null", '"\\u00e9\\ud834\\udd1e"', '"\\/"']),
    () => `[${items(() => someJson(random, depth - 1)).join(",") || space()}]`,
    () =>
      `{${items(() => `${space()}${text()}${space()}:${someJson(random, depth - 1)}`).join(",")}}`,
  ][kind]!();
  return space() + value + space();
}

/** Parts of JSON text, the spaces between them left out. */
function partsOf(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|[^\s"]/g) ?? [];
}

Deno.test("any value comes back part by part, as DuckDB and JSON.parse see it", () => {
  let numValues = 0;
  return forSeeds(200, async (random) => {
    const values = Array.from({ length: 1 + random.below(20) }, () => someJson(random, 3));
    const text = values.map((value) => `{"a":${value},"b":1}\n`).join("");
    const { rows, again } = await parse(text, { a: "json" });
    for (const [index, value] of values.entries()) {
      const found = rows[index]!.a as string | null;
      assertEquals(partsOf(found ?? "null"), partsOf(value), value);
      assertEquals(found, found === null ? null : partsOf(value).join(""));
      numValues++;
    }
    const lines = again.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(lines, text.trimEnd().split("\n").map((line) => JSON.parse(line)));
  }).then(() => assert(numValues > 500));
});

Deno.test("text that is marked as JSON and is none is an error of row and column", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.ndjson`;
    await Deno.writeTextFile(path, '{"a":{"x":1},"b":"{not json}"}\n');
    const [batch] = await readAll(readNdjson(path));
    // The text of b under the mark of a.
    const fields = [batch!.schema.fields[0]!];
    const children = [batch!.data.children[1]!];
    const data = makeData({ type: new Struct(fields), length: 1, nullCount: 0, children });
    const wrong = new RecordBatch(new Schema(fields), data);
    const out = `${folder}/out.ndjson`;
    const { message } = await assertRejects(() => writeAll(writeNdjson(out), [wrong]), FileError);
    assertEquals(
      message,
      `${out}: row 0, column a: "{not json}" is not JSON, although the column is marked as JSON`,
    );
  }));

Deno.test("files of which one has text and one has JSON in a column are refused together", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/1.ndjson`, '{"a":{"x":1}}\n');
    await Deno.writeTextFile(`${folder}/2.ndjson`, '{"a":"123"}\n');
    const [one, two] = [`${folder}/1.ndjson`, `${folder}/2.ndjson`];
    const error = await assertRejects(
      () => readAll(concatSources([readNdjson(one), readNdjson(two)])),
      FileError,
    );
    assertEquals(
      error.message,
      `${two}: column a is text, but JSON is expected; give it the type "json" in types`,
    );
    const types = { a: "json" };
    const both = concatSources([readNdjson(one, { types }), readNdjson(two, { types })]);
    assertEquals(rowsOf(await readAll(both)), [{ a: '{"x":1}' }, { a: '"123"' }]);
  }));

Deno.test("a fraction that a double rounds to an integer does not make a column of integers", async () => {
  for (const a of ["1.0000000000000001", "0.99999999999999999", "-99999999999999.999"]) {
    const { types, rows } = await parse(`{"a":${a}}\n{"a":0.5}\n`);
    assertEquals([types, rows], ["Float64", [{ a: Number(a) }, { a: 0.5 }]]);
    const { types: alone } = await parse(`{"b":7,"a":${a}}\n`);
    assertEquals(alone, "Int64 Float64");
  }
});
