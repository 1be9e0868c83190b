import { assertEquals, assertRejects } from "@std/assert";
import { makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";
import { FileError } from "../../../../base/errors/file_error.ts";
import { openSource } from "../../../../streams/files/read.ts";
import { write } from "../../../../streams/files/write.ts";
import { type CsvType, readCsv, writeCsv } from "../../../../streams/formats/csv/csv.ts";
import { readIpc, writeIpc } from "../../../support/files/ipc.ts";
import { readNdjson, writeNdjson } from "../../../../streams/formats/ndjson/ndjson.ts";
import { readParquet, writeParquet } from "../../../../streams/formats/parquet/parquet.ts";
import { loadPeer, queryDuckDb } from "../../../support/judges/peers.ts";
import {
  columnKinds,
  type RandomTable,
  randomTable,
  rawColumn,
  type RawValue,
  shown,
} from "../../../support/random/random_tables.ts";
import { forSeeds, SeededRandom } from "../../../support/random/seeded_random.ts";
import { batchOf, inFolder, readAll, writeAll } from "../../../support/values/streams_samples.ts";

const allKinds = Object.keys(columnKinds);

/** A table of some columns of random kinds. */
function someTable(random: SeededRandom, kinds: readonly string[] = allKinds): RandomTable {
  const numColumns = 1 + random.below(6);
  return randomTable(random, Array.from({ length: numColumns }, () => random.pick(kinds)));
}

/** The columns as they were made, and as a reader gave them. */
function assertColumns(
  table: RandomTable,
  given: (name: string) => readonly unknown[],
  expected: (value: Exclude<RawValue, null>, name: string) => unknown = (value) => value,
): void {
  for (const [name, values] of Object.entries(table.columns)) {
    const wanted = values.map((value) => shown(value === null ? null : expected(value, name)));
    assertEquals(given(name).map(shown), wanted, name);
  }
}

/** The raw values as DuckDB reads them from `source`. */
async function duckColumns(
  table: RandomTable,
  source: string,
): Promise<(name: string) => readonly unknown[]> {
  const columns = Object.entries(table.kinds).map(([name, kind]) =>
    `${kind.duckValue(`"${name}"`)} AS "${name}"`
  );
  const rows = await queryDuckDb(`SELECT ${columns.join(", ")} FROM ${source}`);
  return (name) => {
    const isText = table.kinds[name]!.duckType === "VARCHAR";
    return rows.map((row) =>
      isText && row[name] !== null ? fromHex(row[name] as string) : row[name]
    );
  };
}

function fromHex(digits: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.fromHex(digits));
}

function duckTypes({ kinds }: RandomTable): string {
  const types = Object.entries(kinds).map(([name, { duckType }]) => `'${name}': '${duckType}'`);
  return `{${types.join(", ")}}`;
}

for (const format of ["file", "stream"] as const) {
  Deno.test(`Arrow: what is written comes back, compressed or not (${format})`, () =>
    forSeeds(15, (random) =>
      inFolder(async (folder) => {
        const path = `${folder}/out.arrow`;
        // Dictionaries that change need the stream format.
        const kinds = allKinds.filter((kind) => format === "stream" || kind !== "category");
        const table = someTable(random, kinds);
        const compression = random.pick(["none", "zstd", "lz4"] as const);
        const offsets = random.pick(["split", "large"] as const);
        await writeAll(writeIpc(path, { format, compression, offsets }), table.batches);
        const batches = await readAll(readIpc(path));
        assertColumns(table, (name) => rawColumn(batches, name));
      })));
}

Deno.test("Parquet: what is written comes back, and DuckDB reads the same", () =>
  forSeeds(25, (random) =>
    inFolder(async (folder) => {
      const path = `${folder}/out.parquet`;
      const table = someTable(random);
      const compression = random.pick(["none", "snappy", "gzip", "zstd", "lz4"] as const);
      const rowGroupRows = random.pick([7, 1 << 18]);
      const offsets = random.pick(["split", "large"] as const);
      await writeAll(writeParquet(path, { compression, rowGroupRows, offsets }), table.batches);
      const batches = await readAll(readParquet(path));
      // Parquet has no seconds.
      assertColumns(
        table,
        (name) => rawColumn(batches, name),
        (value, name) => name.startsWith("seconds") ? (value as bigint) * 1000n : value,
      );
      assertColumns(table, await duckColumns(table, `'${path}'`));
    })));

Deno.test("Parquet: Polars reads texts, floats and bools as they are", () =>
  forSeeds(10, (random) =>
    inFolder(async (folder) => {
      const path = `${folder}/out.parquet`;
      const { default: polars } = await loadPeer("polars");
      const table = someTable(random, ["utf8", "float64", "bool", "int32"]);
      await writeAll(writeParquet(path), table.batches);
      const rows = polars.readParquet(path).toRecords() as Record<string, unknown>[];
      assertColumns(table, (name) => rows.map((row) => row[name]));
    })));

for (const [suffix, delimiter] of [["csv", ","], ["tsv", "\t"], ["csv", ";"], ["csv", "e"]]) {
  Deno.test(`CSV: what is written with ${JSON.stringify(delimiter)} comes back with its types`, () =>
    forSeeds(20, (random) =>
      inFolder(async (folder) => {
        const path = `${folder}/out.${suffix}`;
        const table = someTable(random);
        await writeAll(writeCsv(path, { delimiter }), table.batches);
        const types = Object.fromEntries(
          Object.entries(table.kinds).map(([name, { csvType }]) => [name, csvType as CsvType]),
        );
        const batches = await readAll(readCsv(path, { types, delimiter }));
        // A float of 32 bits is read as one of 64, which is another number but rounds to it.
        assertColumns(table, (name) => rounded(name, rawColumn(batches, name)), (value, name) => {
          const { csvType, text } = table.kinds[name]!;
          return csvType === "string" ? text(value) : value;
        });
      })));
}

function rounded(name: string, values: readonly RawValue[]): readonly RawValue[] {
  if (!name.startsWith("float32")) return values;
  return values.map((value) => value === null ? null : Math.fround(value as number));
}

Deno.test("CSV: DuckDB reads the same, null apart from the empty text", () =>
  forSeeds(20, (random) =>
    inFolder(async (folder) => {
      const path = `${folder}/out.csv`;
      // A line of one empty field is no row to DuckDB.
      const table = randomTable(random, ["bool", ...someKinds(random)]);
      const source = `read_csv('${path}', header = true, delim = ',', quote = '"', escape = '"',
        allow_quoted_nulls = false, max_line_size = 10000000, columns = ${duckTypes(table)})`;
      await writeAll(writeCsv(path), table.batches);
      assertColumns(table, await duckColumns(table, source));
    })));

function someKinds(random: SeededRandom): string[] {
  return Array.from({ length: 1 + random.below(5) }, () => random.pick(allKinds));
}

Deno.test("CSV: what DuckDB writes of our Parquet is read as the same", () =>
  forSeeds(10, (random) =>
    inFolder(async (folder) => {
      const [parquet, csv] = [`${folder}/out.parquet`, `${folder}/out.csv`];
      const table = randomTable(random, ["bool", "utf8", "int64", "float64", "day", "utf8"]);
      await writeAll(writeParquet(parquet), table.batches);
      await queryDuckDb(`COPY (SELECT * FROM '${parquet}') TO '${csv}' (HEADER, NULLSTR '')`);
      const types = Object.fromEntries(
        Object.entries(table.kinds).map(([name, { csvType }]) => [name, csvType as CsvType]),
      );
      const batches = await readAll(readCsv(csv, { types }));
      assertColumns(table, (name) => rawColumn(batches, name));
    })));

Deno.test("NDJSON: what is written comes back with its types, but for what JSON cannot say", () =>
  forSeeds(25, (random) =>
    inFolder(async (folder) => {
      const path = `${folder}/out.ndjson`;
      const table = someTable(random);
      await writeAll(writeNdjson(path), table.batches);
      const types = Object.fromEntries(
        Object.entries(table.kinds).map(([name, { csvType }]) => [
          name,
          csvType === "date" ? "string" : name.startsWith("uint64") ? "json" : csvType,
        ]),
      );
      const batches = await readAll(readNdjson(path, { types }));
      assertColumns(table, (name) => rounded(name, rawColumn(batches, name)), (value, name) => {
        const { csvType, text } = table.kinds[name]!;
        if (csvType === "float64" && !Number.isFinite(value)) return null;
        return csvType === "string" || csvType === "date" ? text(value) : value;
      });
    })));

Deno.test("NDJSON: DuckDB reads the same, and each line is what JSON.parse wants", () =>
  forSeeds(20, (random) =>
    inFolder(async (folder) => {
      const path = `${folder}/out.ndjson`;
      const table = someTable(random);
      await writeAll(writeNdjson(path), table.batches);
      const source = `read_json('${path}', format = 'newline_delimited',
        maximum_object_size = 100000000, columns = ${duckTypes(table)})`;
      const numRows = Object.values(table.columns)[0]!.length;
      const finite = (value: Exclude<RawValue, null>) =>
        typeof value === "number" && !Number.isFinite(value) ? null : value;
      assertColumns(table, await duckColumns(table, source), finite);
      const lines = (await Deno.readTextFile(path)).split("\n").slice(0, -1);
      assertEquals(lines.length, numRows);
      const rows = lines.map((line) => JSON.parse(line));
      const texts = Object.entries(table.kinds).filter(([, { duckType }]) =>
        duckType === "VARCHAR"
      );
      for (const [name] of texts) {
        assertEquals(rows.map((row) => row[name]), table.columns[name]);
      }
    })));

const emptyBatch = (numRows: number) =>
  new RecordBatch(
    new Schema([]),
    makeData({ type: new Struct([]), length: numRows, nullCount: 0 }),
  );

Deno.test("a table of no rows keeps its columns in every format that has them", () =>
  inFolder(async (folder) => {
    const { batches: [batch] } = randomTable(new SeededRandom(1), allKinds);
    const names = batch!.schema.fields.map(({ name }) => name);
    for (const file of ["out.arrow", "out.arrows", "out.parquet", "out.csv", "out.tsv"]) {
      const path = `${folder}/${file}`;
      await writeAll(write(path), [batch!.slice(0, 0), batch!.slice(5, 5)]);
      const source = openSource(path);
      assertEquals((await source.schema())!.fields.map(({ name }) => name), names, file);
      const rows = (await readAll(source)).reduce((sum, { numRows }) => sum + numRows, 0);
      assertEquals(rows, 0, file);
    }
    await writeAll(write(`${folder}/out.ndjson`), [batch!.slice(0, 0)]);
    assertEquals(await Deno.readTextFile(`${folder}/out.ndjson`), "");
  }));

Deno.test("rows without columns stay in Arrow and NDJSON, and are refused where there is no form", () =>
  inFolder(async (folder) => {
    for (const file of ["out.arrow", "out.arrows", "out.ndjson"]) {
      const path = `${folder}/${file}`;
      await writeAll(write(path), [emptyBatch(3), emptyBatch(0), emptyBatch(2)]);
      const batches = await readAll(openSource(path));
      assertEquals(batches.reduce((sum, { numRows }) => sum + numRows, 0), 5, file);
      assertEquals(batches[0]!.schema.fields, []);
    }
    for (const file of ["out.parquet", "out.csv"]) {
      const path = `${folder}/${file}`;
      const format = file === "out.csv" ? "CSV" : "Parquet";
      const message = `${path}: has no columns, but a ${format} file needs at least one`;
      await assertRejects(() => writeAll(write(path), [emptyBatch(3)]), FileError, message);
    }
  }));

Deno.test("names of columns come back from every format, whatever they are", () =>
  inFolder(async (folder) => {
    const names = [
      "a,b",
      'say "x"',
      "line\nfeed\r",
      " é€𝄞 ",
      "true",
      "__proto__",
      "a.b",
      "\t",
    ];
    const columns = names.map((name) => [name, [new Utf8(), [`${name}!`, null, ""]]] as const);
    const batch = batchOf(Object.fromEntries(columns));
    for (
      const file of ["out.arrow", "out.arrows", "out.parquet", "out.csv", "out.tsv", "out.ndjson"]
    ) {
      const path = `${folder}/${file}`;
      await writeAll(write(path), [batch]);
      const source = openSource(path);
      assertEquals((await source.schema())!.fields.map(({ name }) => name), names, file);
      const batches = await readAll(source);
      for (const name of names) {
        assertEquals(rawColumn(batches, name), [`${name}!`, null, ""], file);
      }
      const one = await readAll(source, { columns: [names[1]!, names[6]!] });
      assertEquals(one[0]!.schema.fields.map(({ name }) => name), [names[1], names[6]], file);
    }
  }));
