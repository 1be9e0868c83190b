/** Columns of lists through every format of files. */

import { assertEquals, assertRejects } from "@std/assert";
import {
  Bool,
  Field,
  Float64,
  Int64,
  List,
  type RecordBatch,
  Struct,
  Uint32,
  Utf8,
} from "apache-arrow";
import { writeCsv } from "../../../../streams/formats/csv/csv.ts";
import { openSource } from "../../../../streams/files/read.ts";
import { write } from "../../../../streams/files/write.ts";
import { loadPeer, queryDuckDb } from "../../../support/judges/peers.ts";
import { randomText } from "../../../support/random/random_text.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../support/values/streams_samples.ts";

const item = new Field("item", new Utf8(), true);
const structType = new Struct([
  new Field("a", new Uint32(), true),
  new Field("b", item.type, true),
]);

const TYPES = {
  texts: new List(item),
  numbers: new List(new Field("item", new Uint32(), true)),
  whole: new List(new Field("item", new Uint32(), false)),
  long: new List(new Field("item", new Int64(), true)),
  floats: new List(new Field("item", new Float64(), true)),
  bools: new List(new Field("item", new Bool(), true)),
  nested: new List(new Field("item", new List(item), true)),
  structs: new List(new Field("item", structType, true)),
};

type Draw = (random: SeededRandom) => unknown;

const list = (value: Draw, nulls = 0.2): Draw => (random) =>
  Array.from(
    { length: random.below(5) },
    () => random.chance(nulls) ? null : value(random),
  );
const text: Draw = (random) => randomText(random, 5);
const uint: Draw = (random) => random.pick([0, 1, 7, 0x7fffffff, 0xffffffff]);

const DRAWS: Readonly<Record<keyof typeof TYPES, Draw>> = {
  texts: list(text),
  numbers: list(uint),
  whole: list(uint, 0),
  long: list((random) => random.pick([0n, -1n, 2n ** 62n, -(2n ** 63n)])),
  floats: list((random) => random.pick([0.5, -1.25e-300, 1e300])),
  bools: list((random) => random.chance(0.5)),
  nested: list(list(text)),
  structs: list((random) => ({ a: uint(random), b: random.chance(0.3) ? null : text(random) })),
};

/** Batches of random rows that are cut out of a longer one. */
function randomBatches(random: SeededRandom, names: readonly string[]): RecordBatch[] {
  const numRows = 1 + random.below(60);
  const columns = Object.fromEntries(names.map((name) => {
    const draw = DRAWS[name as keyof typeof TYPES];
    const values = Array.from({ length: numRows }, () => random.chance(0.2) ? null : draw(random));
    return [name, [TYPES[name as keyof typeof TYPES], values] as const];
  }));
  const batch = batchOf(columns);
  const [start, stop] = [random.below(numRows), random.below(numRows)].sort((a, b) => a - b);
  return [batch.slice(0, start), batch.slice(start!, stop), batch.slice(stop!)];
}

async function roundTrip(file: string, batches: readonly RecordBatch[]): Promise<RecordBatch[]> {
  let result: RecordBatch[] = [];
  await inFolder(async (folder) => {
    const path = `${folder}/${file}`;
    await writeAll(write(path), batches);
    result = await readAll(openSource(path));
  });
  return result;
}

const names = Object.keys(TYPES);

for (const file of ["rows.arrow", "rows.arrows", "rows.parquet"]) {
  Deno.test(`lists of every type come back from ${file} as they went`, () =>
    forSeeds(15, async (random) => {
      const batches = randomBatches(random, names);
      const result = await roundTrip(file, batches);
      assertEquals(rowsOf(result), rowsOf(batches));
      const types = result[0]?.schema.fields.map(({ type }) => String(type));
      assertEquals(types ?? names.length, Object.values(TYPES).map(String));
    }));
}

Deno.test("lists come back from NDJSON with items of the types that JSON has", () =>
  forSeeds(15, async (random) => {
    const batches = randomBatches(random, names.filter((name) => name !== "structs"));
    const result = await roundTrip("rows.ndjson", batches);
    // An integer of any width comes back as one of 64 bits.
    assertEquals(rowsOf(result).map(widened), rowsOf(batches).map(widened));
    const numbers = result[0]!.schema.fields.find(({ name }) => name === "numbers");
    const hasNumber = rowsOf(batches).some(({ numbers }) => /\d/.test(JSON.stringify(numbers)));
    if (hasNumber) assertEquals(String(numbers?.type), "List<Int64>");
  }));

function widened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(widened);
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, widened(inner)]));
}

Deno.test("lists of structs are JSON text when they come back from NDJSON", async () => {
  const rows = [[{ a: 1, b: "é" }, null], [], null];
  const result = await roundTrip("rows.ndjson", [batchOf({ rows: [TYPES.structs, rows] })]);
  assertEquals(rowsOf(result).map((row) => row.rows), ['[{"a":1,"b":"é"},null]', "[]", null]);
});

Deno.test("DuckDB and Polars read the lists of our Parquet files, and DuckDB those of NDJSON", () =>
  forSeeds(3, (random) =>
    inFolder(async (folder) => {
      const batches = randomBatches(random, ["texts", "numbers", "long", "bools", "nested"]);
      const rows = rowsOf(batches).map(widened);
      for (const file of ["rows.parquet", "rows.ndjson"]) {
        await writeAll(write(`${folder}/${file}`), batches);
        const answer = await queryDuckDb(`SELECT * FROM '${folder}/${file}'`);
        assertEquals(answer.map(widened), rows, file);
      }
      const { default: polars } = await loadPeer("polars");
      const frame = polars.readParquet(`${folder}/rows.parquet`);
      assertEquals(frame.getColumn("texts").toArray(), rows.map((row) => Object(row).texts));
    })));

Deno.test("we read the lists of DuckDB's Parquet and NDJSON files", () =>
  inFolder(async (folder) => {
    const query =
      `SELECT * FROM (VALUES (['a', NULL, 'é'], [1, NULL]::UINTEGER[], [['x'], NULL, []]),
      (NULL, NULL, NULL), ([], [4294967295], [[]])) AS t(texts, numbers, nested)`;
    await queryDuckDb(`COPY (${query}) TO '${folder}/rows.parquet'`);
    await queryDuckDb(`COPY (${query}) TO '${folder}/rows.ndjson' (FORMAT json)`);
    const expected = [
      { texts: ["a", null, "é"], numbers: [1n, null], nested: [["x"], null, []] },
      { texts: null, numbers: null, nested: null },
      { texts: [], numbers: [4294967295n], nested: [[]] },
    ];
    for (const file of ["rows.parquet", "rows.ndjson"]) {
      assertEquals(
        rowsOf(await readAll(openSource(`${folder}/${file}`))).map(widened),
        expected,
        file,
      );
    }
  }));

Deno.test("CSV refuses a column of lists in one line, and leaves no file", () =>
  inFolder(async (folder) => {
    const path = `${folder}/rows.csv`;
    const batch = batchOf({ id: [new Uint32(), [1]], tags: [TYPES.texts, [["a"]]] });
    const error = await assertRejects(() => writeAll(writeCsv(path), [batch]), Error);
    assertEquals(
      error.message,
      `${path}: column tags is list<utf8>, which has no form in CSV`,
    );
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), []);
  }));
