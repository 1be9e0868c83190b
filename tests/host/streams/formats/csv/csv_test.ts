import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Binary, Float64, Int64, TimestampMicrosecond, Utf8 } from "apache-arrow";
import { type CsvType, readCsv, writeCsv } from "../../../../../streams/formats/csv/csv.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

/** The rows of a CSV text, after a trip over the disk. */
async function parse(
  text: string | Uint8Array,
  options: { types?: Record<string, CsvType>; delimiter?: string } = {},
): Promise<{ types: string; rows: Record<string, unknown>[] }> {
  let result: { types: string; rows: Record<string, unknown>[] } | undefined;
  await inFolder(async (folder) => {
    const path = `${folder}/in.csv`;
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    await Deno.writeFile(path, bytes);
    const source = readCsv(path, options);
    const { fields } = (await source.schema())!;
    const rows = rowsOf(await readAll(source));
    result = { types: fields.map(({ type }) => String(type)).join(" "), rows };
  });
  return result!;
}

/** The rows of a CSV text as lists of values. */
async function values(text: string, options = {}): Promise<unknown[][]> {
  return (await parse(text, options)).rows.map((row) => Object.values(row));
}

async function failure(text: string | Uint8Array, options = {}): Promise<string> {
  const error = await assertRejects(() => parse(text, options), FileError);
  assert(!error.message.includes("\n"), error.message);
  return error.message.replace(/^.*in\.csv: /, "");
}

Deno.test("readCsv() guesses the types of columns", async () => {
  const { types, rows } = await parse(
    "i,f,b,d,s,code,none\n1,1.5,true,2024-02-29,x,007,\n-2,3,false,1969-12-31,y,12,\n",
  );
  assertEquals(types, "Int64 Float64 Bool Date32<DAY> Utf8 Utf8 Utf8");
  assertEquals(Object.values(rows[1]!), [-2n, 3, false, -86_400_000, "y", "12", null]);
});

const texts: Record<string, readonly [string, unknown[][]]> = {
  "quotes, doubled quotes, delimiters and line ends in quotes": [
    'a,b\n"x,""y""\nz",1\nplain "inside",2\n',
    [['x,"y"\nz', 1n], ['plain "inside"', 2n]],
  ],
  "CRLF": ['a,b\r\nx,1\r\n"y",2\r\n', [["x", 1n], ["y", 2n]]],
  "a byte order mark": ["\ufeffa\nx\n", [["x"]]],
  "no line end at the end": ["a,b\nx,1", [["x", 1n]]],
  "a quoted field at the end": ['a,b\nx,"y"', [["x", "y"]]],
  "empty fields as null, quoted ones as empty strings": [
    'a,b\n,1\n"",\nx,2\n',
    [[null, 1n], ["", null], ["x", 2n]],
  ],
  "empty lines between rows of several columns": ["a,b\n\nx,1\n\r\n\ny,2\n\n", [["x", 1n], [
    "y",
    2n,
  ]]],
  "empty lines in a single column as nulls": ["a\nx\n\ny\n", [["x"], [null], ["y"]]],
  "characters of 1 to 4 bytes": ["é\naé€𝄞\n", [["aé€𝄞"]]],
  "integers of 64 bits": [
    "a\n9223372036854775807\n-9223372036854775808\n9007199254740993\n",
    [[2n ** 63n - 1n], [-(2n ** 63n)], [2n ** 53n + 1n]],
  ],
  "doubles to the last bit": [
    "a\n0.1\n1e+300\n-1.7976931348623157e308\n123456789.12345678\n-0.5\nNaN\ninf\n",
    [[0.1], [1e300], [-1.7976931348623157e308], [123456789.12345678], [-0.5], [NaN], [Infinity]],
  ],
  "a header alone": ["a,b\n", []],
  "CR alone at the end of the last line": ["a,b\r\nx,20\r\ny,30\r", [["x", 20n], ["y", 30n]]],
  "CR alone after an empty and after a quoted last field": [
    'a,b\r\n"x",\r\ny,"z"\r',
    [["x", null], ["y", "z"]],
  ],
  "a last line of CR alone as no row": ["a,b\r\nx,20\r\n\r", [["x", 20n]]],
  "a carriage return in quotes in the header": ['"a\rb"\r\nx\r\n', [["x"]]],
};
for (const [what, [text, expected]] of Object.entries(texts)) {
  Deno.test(`readCsv() reads ${what}`, async () => assertEquals(await values(text), expected));
}

Deno.test("readCsv() reads what is no number and what is infinite as C and DuckDB write them", async () => {
  const { types, rows } = await parse("x\n1.5\nnan\n-nan\nNaN\ninf\n-Infinity\n");
  assertEquals(types, "Float64");
  assertEquals(rows.map(({ x }) => x), [1.5, NaN, NaN, NaN, Infinity, -Infinity]);
});

Deno.test("readCsv() keeps a byte order mark in a name but at the front of the file", async () => {
  const { rows } = await parse("\ufeffa,\ufeffb\n1,2\n");
  assertEquals(rows, [{ a: 1n, "\ufeffb": 2n }]);
});

Deno.test("readCsv() takes types that are given and another delimiter", async () => {
  const { types, rows } = await parse("a;b\n1;007\n", {
    types: { a: "string", b: "int64" },
    delimiter: ";",
  });
  assertEquals([types, rows], ["Utf8 Int64", [{ a: "1", b: 7n }]]);
});

const failures: Record<string, readonly [string | Uint8Array, object, string]> = {
  "an empty file": ["", {}, "is empty, not CSV"],
  "too many fields": ["a,b\n1,2\n1,2,3\n", {}, "row 1 has 3 fields, but the header has 2"],
  "too few fields": ["a,b\n1,2\n\n1\n", {}, "row 1 has 1 field, but the header has 2"],
  "a quote that is never closed": ['a\nx\n"y\n', {}, "row 1 has a quote that is never closed"],
  "text behind a quote": [
    'a\n"y"z\n',
    {},
    "row 0 has text after the closing quote of field 1",
  ],
  "lines that end with CR alone": [
    "a,b\r1,2\r3,4\r",
    {},
    "ends its lines with CR alone; write LF or CRLF",
  ],
  "a header that ends with CR alone": [
    "a\r1\r\n",
    {},
    "ends its lines with CR alone; write LF or CRLF",
  ],
  "two columns of one name": [
    "a,a\n1,2\n",
    {},
    'columns 1 and 2 have the same name, "a"; duplicates: "number" numbers them',
  ],
  "a value that does not fit a given type": [
    "a,b\nx,1\ny,z\n",
    { types: { b: "int64" } },
    'row 1, column b: "z" is not a valid int64',
  ],
  "a type for a column that has blanks around its name": [
    " Amount,b\n1,2\n",
    { types: { Amount: "int64" } },
    'has no column Amount, for which a type was given; did you mean " Amount"?',
  ],
  "a type for a column that is not there": [
    "a\n1\n",
    { types: { c: "int64" } },
    "has no column c, for which a type was given; there are a",
  ],
  "invalid UTF-8": [
    Uint8Array.of(0x61, 0x2c, 0x62, 10, 0x78, 0x2c, 0x79, 10, 0x7a, 0x2c, 0xc3, 10),
    {},
    "row 1, column b: invalid UTF-8",
  ],
  "UTF-8 that is sound only across fields": [
    Uint8Array.of(0x61, 10, 0x78, 0xc3, 10, 0xa9, 10),
    {},
    "row 0, column a: invalid UTF-8",
  ],
};
for (const [what, [text, options, message]] of Object.entries(failures)) {
  Deno.test(`readCsv() refuses ${what}`, async () =>
    assertEquals(await failure(text, options), message));
}

Deno.test("readCsv() refuses a value that does not fit the guessed type, and says what to do", async () => {
  const numbers = Array.from({ length: 12_000 }, (_, i) => `${i},x`).join("\n");
  assertEquals(
    await failure(`id,name\n${numbers}\n12a,y\n`),
    'row 12000, column id: "12a" is not a valid int64, as the first rows suggested; ' +
      'give its type: { types: { id: "string" } }',
  );
  const zeros = await failure(`id,name\n${numbers}\n0012,y\n`);
  assert(zeros.startsWith('row 12000, column id: "0012" is not a valid int64'), zeros);
});

Deno.test("readCsv() refuses a delimiter that is not one ASCII character", () => {
  for (const delimiter of ["", "||", '"', "\n", "é"]) {
    const problem =
      'A delimiter is one ASCII character that is neither a quote (") nor ends a line ' +
      `(LF, CR), not ${JSON.stringify(delimiter)}`;
    assertThrows(() => readCsv("x.csv", { delimiter }), TypeError, problem);
  }
});

Deno.test("readCsv() cuts records at chunk borders wherever they lie", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.csv`;
    // Rows of odd length, quotes and characters of 4 bytes over several chunks of 1 MiB.
    const rows = Array.from({ length: 60_000 }, (_, i) => ({
      id: BigInt(i),
      text: `${'𝄞é,"\r\n'.repeat(i % 5)}${i}`,
      part: i % 7 === 0 ? null : i / 4,
    }));
    const lines = rows.map(({ id, text, part }) =>
      `${id},"${text.replaceAll('"', '""')}",${part ?? ""}\r\n`
    );
    await Deno.writeTextFile(path, `id,text,part\r\n${lines.join("")}`);
    const batches = await readAll(readCsv(path));
    assert(batches.length === 1 || batches.every(({ numRows }) => numRows <= 65_536));
    assertEquals(rowsOf(batches), rows);
  }));

Deno.test("readCsv() reads one record that is larger than many chunks", async () => {
  const large = "x,\n".repeat(1_500_000);
  assertEquals(await values(`a,b\n"${large}",1\n`), [[large, 1n]]);
});

Deno.test("readCsv() gives only the columns that are wanted", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.csv`;
    await Deno.writeTextFile(path, "a,b,c\n1,2,3\n");
    assertEquals(rowsOf(await readAll(readCsv(path), { columns: ["c", "a"] })), [{ a: 1n, c: 3n }]);
  }));

Deno.test("readCsv() reads as DuckDB does", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.csv`;
    await queryDuckDb(`COPY (SELECT i AS id, 'w "' || i || '", é' AS word, i / 7 AS part,
      i % 2 = 0 AS even, DATE '1999-12-30' + i::INT AS day,
      CASE WHEN i % 3 = 0 THEN NULL ELSE 'x' END AS maybe
      FROM range(3000) t(i)) TO '${path}' (HEADER)`);
    const rows = await queryDuckDb(`SELECT * FROM read_csv('${path}')`);
    const expected = rows.map((row) => ({ ...row, day: (row.day as Date).getTime() }));
    assertEquals(rowsOf(await readAll(readCsv(path))), expected);
  }));

Deno.test("writeCsv() writes what readCsv() and DuckDB read back", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.csv`;
    const batch = batchOf({
      id: [new Int64(), [1n, 2n ** 62n, null, 4n]],
      "odd, name": [new Utf8(), ["", "a,b", null, 'say "é𝄞"\n']],
      part: [new Float64(), [0.1, null, 1e300, -2]],
    });
    await writeAll(writeCsv(path), [batch.slice(0, 2), batch.slice(2, 2), batch.slice(2)]);
    assertEquals(
      await Deno.readTextFile(path),
      'id,"odd, name",part\n1,"",0.1\n4611686018427387904,"a,b",\n,,1e+300\n4,"say ""é𝄞""\n",-2.0\n',
    );
    assertEquals(rowsOf(await readAll(readCsv(path))), rowsOf([batch]));
    const judged = await queryDuckDb(
      `SELECT * FROM read_csv('${path}', allow_quoted_nulls = false, header = true)`,
    );
    assertEquals(judged, rowsOf([batch]));
  }));

Deno.test("writeCsv() keeps nulls of a single column", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.csv`;
    const batch = batchOf({ word: [new Utf8(), ["x", null, "", null]] });
    await writeAll(writeCsv(path), [batch]);
    assertEquals(rowsOf(await readAll(readCsv(path))), rowsOf([batch]));
  }));

Deno.test("writeCsv() writes timestamps with all digits and refuses binary data", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.csv`;
    const stamps = batchOf({ at: [new TimestampMicrosecond("UTC"), [1.5, -1]] });
    await writeAll(writeCsv(path), [stamps]);
    assertEquals(
      await Deno.readTextFile(path),
      "at\n1970-01-01T00:00:00.001500Z\n1969-12-31T23:59:59.999000Z\n",
    );
    const binary = batchOf({ raw: [new Binary(), [Uint8Array.of(1)]] });
    const message = "column raw is binary, which has no form in CSV";
    await assertRejects(() => writeAll(writeCsv(path), [binary]), FileError, message);
  }));

Deno.test("readCsv() keeps integers beyond 64 bits as text, to the last digit", async () => {
  const long = ["18446744073709551615", "9223372036854775808", "-9223372036854775809"];
  for (const text of long) {
    const { types, rows } = await parse(`n\n1\n${text}\n`);
    assertEquals([types, rows], ["Utf8", [{ n: "1" }, { n: text }]]);
  }
  const edges = ["9223372036854775807", "-9223372036854775808"];
  const { types, rows } = await parse(`n\n${edges.join("\n")}\n`);
  assertEquals([types, rows], ["Int64", edges.map((text) => ({ n: BigInt(text) }))]);
});

Deno.test("readCsv() takes long integers as doubles where a double shows every digit", async () => {
  assertEquals(await values("n\n100000000000000000000\n0.5\n"), [[1e20], [0.5]]);
  assertEquals(await values("n\n18446744073709551615\n", { types: { n: "float64" } }), [[2 ** 64]]);
});

Deno.test("readCsv() refuses a type that no CSV column can have", async () => {
  const message = await failure("n\n1\n", { types: { n: "json" } });
  assertEquals(
    message,
    "type json of column n is none of string, int64, float64, bool, date, int8 to int32, " +
      "uint8 to uint64, float16, float32, date32, date64, binary, timestamp, timestamp[s, UTC], " +
      "time32[s], time64[us], duration[us], decimal(10, 2); units are s, ms, us, ns",
  );
});

Deno.test("a value that is longer than any number is text", () =>
  inFolder(async (folder) => {
    const [digits, text] = ["1".repeat(3000), "abcdefghij 0123456789 ".repeat(1_000_000)];
    await Deno.writeTextFile(`${folder}/long.csv`, `n,t\n${digits},${text}\n`);
    const [batch] = await Array.fromAsync(sourceBatches(readCsv(`${folder}/long.csv`)));
    assertEquals(batch!.getChild("n")!.get(0), digits);
    assertEquals(batch!.getChild("t")!.get(0).length, text.length);
  }));

Deno.test("a line that tells Excel the delimiter is refused by name, with the cure", () =>
  inFolder(async (folder) => {
    const path = `${folder}/a.csv`;
    const cases = [
      ["sep=;\na;b\n1;2\n", {}, `remove it, and give delimiter: ";"`],
      ["\ufeffsep=;\r\na;b\r\n", {}, `remove it, and give delimiter: ";"`],
      ["sep=;\na;b\n1;2\n", { delimiter: ";" }, "remove it"],
      ["sep=,\na,b\n1,2\n", {}, "remove it"],
      ['"sep=\t"\na\tb\n', {}, 'remove it, and give delimiter: "\\t"'],
    ] as const;
    for (const [text, options, cure] of cases) {
      await Deno.writeTextFile(path, text);
      const error = await assertRejects(() => readCsv(path, options).schema(), FileError);
      assert(error.message.startsWith(`${path}: begins with the line "sep=`), error.message);
      assert(error.message.endsWith(` for Excel, which is not a header; ${cure}`), error.message);
    }
    for (
      const [text, options] of [["sep,x\n1,2\n", {}], ["sep=a\n1\n", {}], [
        "sep=\n1\n",
        {},
      ]] as const
    ) {
      await Deno.writeTextFile(path, text);
      assertEquals((await readCsv(path, options).schema())!.names[0], text.split(/[,\n]/)[0]);
    }
  }));
