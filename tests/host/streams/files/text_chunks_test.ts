import { assert, assertEquals } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import { FileInput } from "../../../../streams/bytes/file_input.ts";
import { readCsvColumns, readCsvRows } from "../../../../streams/formats/csv/reader.ts";
import { GivenKeys } from "../../../../streams/formats/given_keys.ts";
import { readJsonTable, readNdjsonRows } from "../../../../streams/formats/ndjson/reader.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { rawColumn } from "../../../support/random/random_tables.ts";
import { inFolder } from "../../../support/values/streams_samples.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

interface Reading {
  readonly types: Record<string, string>;
  /** Bytes that one read of the file gives. */
  readonly chunkBytes: number;
}

/** The values row by row: apache-arrow would take a byte order mark off a text. */
function valuesOf(batches: readonly RecordBatch[]): unknown[][] {
  const columns = batches[0]!.schema.fields.map(({ name }) => rawColumn(batches, name));
  return Array.from(columns[0]!, (_, row) => columns.map((values) => values[row]));
}

/** The values of a CSV file that is read in pieces, or what is wrong with it. */
async function csvValues(path: string, { types, chunkBytes }: Reading): Promise<unknown> {
  const dialect = { name: "in", delimiter: 0x2c, types: types as never, invalid: "error" } as const;
  try {
    using input = await FileInput.open(path, { chunkBytes });
    const columns = await readCsvColumns(input, dialect);
    await input.rewind();
    const batches = await Array.fromAsync(
      readCsvRows(input, {}, columns, dialect),
      ({ batch }) => batch,
    );
    return [columns.map(({ type }) => type), valuesOf(batches)];
  } catch (error) {
    return (error as Error).message;
  }
}

async function jsonValues(path: string, { types, chunkBytes }: Reading): Promise<unknown> {
  const keys = new GivenKeys(Object.keys(types)).add("in");
  const dialect = { name: "in", types, keys, invalid: "error" } as const;
  try {
    using input = await FileInput.open(path, { chunkBytes });
    const { columns } = await readJsonTable(input, dialect);
    await input.rewind();
    const batches = await Array.fromAsync(
      readNdjsonRows(input, {}, columns, dialect),
      ({ batch }) => batch,
    );
    return [columns.map(({ type }) => type), valuesOf(batches)];
  } catch (error) {
    return (error as Error).message;
  }
}

const nastyCsv: Record<string, readonly [string | Uint8Array, unknown]> = {
  "line ends of all kinds": [
    "a,b\r\n1,x\n2,y\r\n\n\r\n3,z\r",
    [["int64", "string"], [[1n, "x"], [2n, "y"], [3n, "z"]]],
  ],
  "a carriage return alone inside": ["a,b\n1,x\ry\n", [["int64", "string"], [[1n, "x\ry"]]]],
  "quotes, doubled and before each line end": [
    '\ufeff"a","b"\r\n"1","x""y"\r\n"2",""""\n"3","\r\n"\r',
    [["int64", "string"], [[1n, 'x"y'], [2n, '"'], [3n, "\r\n"]]],
  ],
  "a quoted last field without a line end": ['a,b\n1,""', [["int64", "string"], [[1n, ""]]]],
  "an empty last field without a line end": ["a,b\nx,", [["string", "string"], [["x", null]]]],
  "a zero byte and characters of four bytes": [
    "a,b\n\0,𝄞\n𝄞\0,é",
    [["string", "string"], [["\0", "𝄞"], ["𝄞\0", "é"]]],
  ],
  "a mark that is cut off": [Uint8Array.of(0xef, 0xbb), "in: invalid UTF-8 in the header"],
  "a mark alone": ["\ufeff", "in: is empty, not CSV"],
  "a quote that stays open": ['a\n"x\n', "in: row 0 has a quote that is never closed"],
  "text behind a quote": [
    'a\n"x"y\n',
    "in: row 0 has text after the closing quote of field 1",
  ],
  "a character cut off at the end": [
    Uint8Array.of(...bytesOf("a\né\n"), 0xc3),
    "in: row 1, column a: invalid UTF-8",
  ],
};
for (const [what, [text, expected]] of Object.entries(nastyCsv)) {
  Deno.test(`CSV with ${what} is read the same in pieces of any size`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.csv`;
      const bytes = typeof text === "string" ? bytesOf(text) : text;
      await Deno.writeFile(path, bytes);
      for (let chunkBytes = 1; chunkBytes <= bytes.length + 1; chunkBytes++) {
        const found = await csvValues(path, { types: {}, chunkBytes });
        assertEquals(found, expected, `${chunkBytes} bytes at a time`);
      }
    }));
}

const nastyJson: Record<string, readonly [string | Uint8Array, unknown]> = {
  "line ends of all kinds": [
    '\ufeff{"a":1}\r\n\n \r\n{"a":2}\n{"a":3}\r',
    [["int64"], [[1n], [2n], [3n]]],
  ],
  "strings, objects and long numbers": [
    '{"s":"é𝄞\\u00e9\\"","o":{"x":[1,{}]},"n":12345678901234567890}\n{"n":0.5}',
    [["string", "json", "json"], [
      ['é𝄞é"', '{"x":[1,{}]}', "12345678901234567890"],
      [null, null, "0.5"],
    ]],
  ],
  "a line that is cut off": ['{"a":1}\n{"a"', "in: line 2: is not JSON"],
  "a zero byte": ['{"a":"\0"}\n', "in: line 1: is not JSON"],
  "a character cut off": [
    Uint8Array.of(...bytesOf('{"a":"é"}\n{"a":"'), 0xc3, 0x22, 0x7d),
    "in: line 2, column a: invalid UTF-8",
  ],
};
for (const [what, [text, expected]] of Object.entries(nastyJson)) {
  Deno.test(`NDJSON with ${what} is read the same in pieces of any size`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.ndjson`;
      const bytes = typeof text === "string" ? bytesOf(text) : text;
      await Deno.writeFile(path, bytes);
      for (let chunkBytes = 1; chunkBytes <= bytes.length + 1; chunkBytes++) {
        const found = await jsonValues(path, { types: {}, chunkBytes });
        assertEquals(found, expected, `${chunkBytes} bytes at a time`);
      }
    }));
}

const pieces = [
  "",
  "a",
  "é𝄞",
  '"',
  '""',
  ",",
  "\n",
  "\r\n",
  "\r",
  "\0",
  " ",
  "007",
  "x,y",
  "\ufeff",
];

/** A field and how it may be written. */
function someField(random: SeededRandom): readonly [value: string | null, text: string] {
  if (random.chance(0.2)) return [null, ""];
  const value = random.pick(pieces) + random.pick(pieces) + random.pick(pieces);
  const needsQuotes = value === "" || /^"|[,\n\r]/.test(value) || value.startsWith("\ufeff");
  if (!needsQuotes && random.chance(0.5)) return [value, value];
  return [value, `"${value.replaceAll('"', '""')}"`];
}

Deno.test("fields come back as they were written, however lines end and in pieces of any size", () => {
  let numFields = 0;
  return forSeeds(150, (random) =>
    inFolder(async (folder) => {
      const path = `${folder}/in.csv`;
      const names = ["a", "b", "c"].slice(0, 2 + random.below(2));
      const lineEnd = () => random.pick(["\n", "\r\n"]);
      const rows = Array.from(
        { length: random.below(12) },
        () => names.map(() => someField(random)),
      );
      const lines = [names.join(","), ...rows.map((row) => row.map(([, text]) => text).join(","))];
      const between = () => lineEnd() + (random.chance(0.1) ? lineEnd() : "");
      const text = random.pick(["", "\ufeff"]) +
        lines.map((line, index) => (index === 0 ? "" : between()) + line).join("") +
        random.pick(["", "\n", "\r\n", "\r"]);
      await Deno.writeTextFile(path, text);
      const types = Object.fromEntries(names.map((name) => [name, "string"]));
      const [, found] = await csvValues(path, { types, chunkBytes: 1 + random.below(20) }) as [
        unknown,
        unknown[][],
      ];
      assertEquals(found, rows.map((row) => row.map(([value]) => value)), JSON.stringify(text));
      numFields += rows.length * names.length;
    })).then(() => assert(numFields > 500, `${numFields} fields`));
});
