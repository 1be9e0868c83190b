/** Lines that are read without making strings of their long texts, against the usual way. */

import { assertEquals } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { FileInput } from "../../../../../streams/bytes/file_input.ts";
import { GivenKeys } from "../../../../../streams/formats/given_keys.ts";
import {
  type NdjsonDialect,
  readJsonTable,
  readNdjsonRows,
} from "../../../../../streams/formats/ndjson/reader.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { inFolder, rowsOf } from "../../../../support/values/streams_samples.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

type Options = Partial<Omit<NdjsonDialect, "name">>;

/** What comes of a file: its types and rows, and the bytes of its texts; or the error. */
async function outcome(bytes: Uint8Array, options: Options): Promise<unknown> {
  let result: unknown;
  await inFolder(async (folder) => {
    const path = `${folder}/in.ndjson`;
    await Deno.writeFile(path, bytes);
    const keys = new GivenKeys([]).add("in.ndjson");
    const dialect = { name: "in.ndjson", types: {}, keys, invalid: "error", ...options } as const;
    try {
      using input = await FileInput.open(path);
      const { columns } = await readJsonTable(input, dialect);
      await input.rewind();
      const batches = await Array.fromAsync(
        readNdjsonRows(input, {}, columns, dialect),
        ({ batch }) => batch,
      );
      const types = columns.map(({ name, type }) => [name, type]);
      result = { types, rows: rowsOf(batches), texts: batches.flatMap(textBytes) };
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const { message, row, column } = error;
      result = { message, row, column };
    }
  });
  return result;
}

/** The bytes of the texts of a batch, row by row. */
function textBytes({ data, numRows }: RecordBatch): number[][] {
  const columns = data.children.filter(({ type }) => String(type) === "Utf8");
  return Array.from({ length: numRows }, (_, row) =>
    columns.flatMap(({ values, valueOffsets }) => [
      ...values.subarray(valueOffsets[row]!, valueOffsets[row + 1]!),
    ]));
}

async function assertSame(file: string | Uint8Array, options: Options = {}): Promise<unknown> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const usual = await outcome(bytes, options);
  for (const stringBytes of [0, 3, 12, 40]) {
    const long = { lineBytes: 50, stringBytes };
    const found = await outcome(bytes, { ...options, long });
    assertEquals(found, usual, `${stringBytes}: ${new TextDecoder().decode(bytes)}`);
  }
  return usual;
}

const contents = ["Reykjavík", "東京", "𝄞", " ", '\\"', "\\\\", "\\/", "\\b\\f\\n\\r\\t"].concat(
  ["\\u0041", "\\u00e9", "\\u6771", "\\ud834\\udd1e", "\\u0000", "{", "}", "[", "]", ":", ","],
  ["'", "\ufeff", "\u007f", "9007199254740993", "1.0", "\ufdcf", '\\":', "\\\\\\\\"],
);
/** What no string may have, and halves of surrogate pairs, which some may. */
const faults = ["\u0001", "\t", "\\x", "\\u12g4", "\\u12", "\\", '"'];
const halves = ["\\ud834", "\\udd1e", "\\ud834\\u0041", "\\udd1e\\ud834", "\\ud834\\n"];

function randomString(random: SeededRandom, others: readonly string[] = []): string {
  const parts = Array.from(
    { length: random.below(random.pick([2, 5, 20])) },
    () => random.pick(contents),
  );
  for (const other of others) parts.splice(random.below(parts.length + 1), 0, other);
  return `"${parts.join("")}"`;
}

function randomLine(random: SeededRandom, string: string): string {
  const space = () => random.pick(["", "", " ", "\t"]);
  const members = [
    ["id", String(random.below(1000))],
    ["city", string],
    ["note", random.chance(0.3) ? "null" : randomString(random)],
    ["tags", `[${randomString(random)},${space()}${randomString(random)}]`],
    ["more", `{"city":${randomString(random)},"deep":[{"id":${randomString(random)}}]}`],
    ['a"b\\c', randomString(random)],
    ["__proto__", randomString(random)],
    ["raw", random.pick(["null", "1", "[1, 2]", randomString(random)])],
  ].filter(([name]) => name === "city" || random.chance(0.7)) as [string, string][];
  if (random.chance(0.3)) members.reverse();
  const text = members.map(([name, value]) =>
    `${space()}${JSON.stringify(name)}${space()}:${space()}${value}`
  );
  return `${space()}{${text.join(",")}${space()}}${space()}`;
}

Deno.test("readNdjson() reads long strings as it reads short ones, and tells the same errors", async () => {
  const draws = new Draws(["rows", "invalid UTF-8", "is not JSON", "half of a surrogate pair"]);
  await forSeeds(fewOr(60, 150), async (random) => {
    const kind = random.pick(["none", "none", "fault", "half", "bytes", "torn"]);
    const others = kind === "fault"
      ? [random.pick(faults)]
      : kind === "half"
      ? [random.pick(halves)]
      : [];
    const lines = Array.from(
      { length: 1 + random.below(4) },
      () => randomLine(random, randomString(random)),
    );
    lines[random.below(lines.length)] = randomLine(random, randomString(random, others));
    let bytes: Uint8Array = new TextEncoder().encode(
      `${random.pick(["", "\ufeff"])}${lines.join(random.pick(["\n", "\r\n"]))}\n`,
    );
    if (kind === "bytes") bytes[random.below(bytes.length)] = random.pick([0xff, 0xc3, 0xe6, 0x80]);
    if (kind === "torn") bytes = bytes.subarray(0, random.below(bytes.length));
    const types = { raw: "json" };
    for (const invalid of ["error", "replace"] as const) {
      const usual = await assertSame(bytes, { types, invalid }) as { message?: string };
      draws.add("rows" in usual ? "rows" : "");
      for (const told of draws.missing) if (usual.message?.includes(told)) draws.add(told);
    }
  }, draws);
});

Deno.test("readNdjson() names line and column of what is wrong with a long string", async () => {
  const long = "x".repeat(100);
  const told = async (file: string | Uint8Array, options?: Options) =>
    (await assertSame(file, options) as { message: string }).message;
  const one = `{"id":1,"city":"${long}"}\n`;
  assertEquals(
    await told(`${one}{"id":"${long}","city":"Rome"}\n`),
    `in.ndjson: line 2, column id: "${
      "x".repeat(39)
    } is not a valid int64, as the first rows suggested; ` +
      `give its type: { types: { id: "json" } }`,
  );
  assertEquals(
    await told(one, { types: { city: "list<string>" } }),
    `in.ndjson: line 1, column city: "${"x".repeat(39)} is not a valid list<string>`,
  );
  assertEquals(
    await told(`${one}{"city":"${long}","id":2,"city":"${long}"}\n`),
    "in.ndjson: line 2, column city: the key appears twice",
  );
  assertEquals(
    await told(`${one}{"id":1,"city":"${long}\\udc00"}\n`),
    "in.ndjson: line 2, column city: half of a surrogate pair, which UTF-8 cannot hold",
  );
  assertEquals(await told(`${one}{"id":1,"city":"${long}\n`), "in.ndjson: line 2: is not JSON");
  assertEquals(await told(`${one}["${long}"]\n`), "in.ndjson: line 2: is not an object");
  const invalid = new TextEncoder().encode(`${one}{"id":1,"city":"${long}?","b":"${long}?"}\n`);
  for (const [at, byte] of invalid.entries()) if (byte === 0x3f) invalid[at] = 0xe6;
  assertEquals(await told(invalid), "in.ndjson: line 2, column city: invalid UTF-8");
});
