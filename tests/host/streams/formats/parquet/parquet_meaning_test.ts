import { assertEquals, assertRejects } from "@std/assert";
import {
  type DataType,
  Decimal,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Int32,
  IntervalDayTime,
  IntervalMonthDayNano,
  IntervalYearMonth,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";
import { writeCsv } from "../../../../../streams/formats/csv/csv.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readIpc, writeIpc } from "../../../../support/files/ipc.ts";
import { writeNdjson } from "../../../../../streams/formats/ndjson/ndjson.ts";
import { readParquet, writeParquet } from "../../../../../streams/formats/parquet/parquet.ts";
import {
  decodeMetadata,
  splitFooter,
} from "../../../../../streams/formats/parquet/metadata/footer.ts";
import {
  type FileMetadata,
  textOf,
} from "../../../../../streams/formats/parquet/metadata/metadata.ts";
import { textOf as textOfValues } from "../../../../../streams/text/column_text.ts";
import { asInt96, changeFooter, int96 } from "../../../../support/files/parquet_files.ts";
import { loadPeer, queryDuckDb } from "../../../../support/judges/peers.ts";
import {
  batchOf,
  inFolder,
  readAll,
  writeAll,
} from "../../../../support/values/streams_samples.ts";

const uuids = [
  "00000000-0000-0000-0000-000000000000",
  "f24f9b64-81fa-49d1-b74e-8c09a6e31c56",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
];

/** Rows of bytes of one width. */
function fixedColumn(width: number, rows: readonly (Uint8Array | null)[]) {
  const data = new Uint8Array(width * rows.length);
  const nullBitmap = new Uint8Array(8);
  for (const [row, bytes] of rows.entries()) {
    if (bytes === null) data.fill(0xee, row * width, (row + 1) * width);
    else {
      data.set(bytes, row * width);
      nullBitmap[row >> 3]! |= 1 << (row & 7);
    }
  }
  const type = new FixedSizeBinary(width);
  return makeData({ type, length: rows.length, data, nullBitmap, nullCount: -1 } as never);
}

/** Writes a file whose leaves of 12 bytes are INT96, as those of Spark and Impala are. */
async function writeInt96(
  path: string,
  rows: readonly (Uint8Array | null)[],
  writer: { readonly key?: string; readonly nested?: boolean } = {},
): Promise<void> {
  const flat = fixedColumn(12, rows);
  const list = new List(new Field("item", flat.type, true));
  const offsets = Int32Array.from({ length: rows.length + 1 }, (_, row) => row);
  const column = writer.nested
    ? makeData({ type: list, length: rows.length, valueOffsets: offsets, child: flat } as never)
    : flat;
  const fields = [new Field("id", new Int32(), true), new Field("seen", column.type, true)];
  const ids = makeData({
    type: new Int32(),
    length: rows.length,
    data: Int32Array.from(rows, (_, row) => row),
  });
  const children = [ids, column];
  const data = makeData({ type: new Struct(fields), length: rows.length, children } as never);
  await writeAll(writeParquet(path), [new RecordBatch(new Schema(fields), data as never)]);
  await asInt96(path, writer.key);
}

/** The values of the last column as CSV has them, and its type. */
async function columnOf(path: string): Promise<[string, (string | null)[]]> {
  const batches = await readAll(readParquet(path));
  const values = batches.flatMap((batch) => {
    let data = batch.data.children.at(-1)!;
    if (data.children.length > 0) data = data.children[0]!;
    const text = textOfValues(data)!;
    return Array.from({ length: data.length }, (_, row) => data.getValid(row) ? text(row) : null);
  });
  return [String(batches[0]!.schema.fields.at(-1)!.type), values];
}

/** 2024-01-01 by the Julian calendar of astronomers. */
const newYear = 2_460_311;
const noon = 43_200_000_000_000n;

Deno.test("INT96 is nanoseconds where all dates fit them, and DuckDB reads the same", () =>
  inFolder(async (folder) => {
    const path = `${folder}/impala.parquet`;
    await writeInt96(path, [int96(newYear, 1n), null, int96(2_440_588, 0n), int96(newYear, noon)]);
    const texts = [
      "2024-01-01T00:00:00.000000001",
      null,
      "1970-01-01T00:00:00.000000000",
      "2024-01-01T12:00:00.000000000",
    ];
    assertEquals(await columnOf(path), ["Timestamp<NANOSECOND>", texts]);
    const judged = await queryDuckDb(`SELECT epoch_us(seen) AS us FROM '${path}' ORDER BY id`);
    const [first, third] = [BigInt(newYear - 2_440_588) * 86_400_000_000n, 0n];
    assertEquals(judged.map(({ us }) => us), [first, null, third, first + 43_200_000_000n]);
  }));

Deno.test("INT96 beyond 1677 to 2262 is microseconds, exactly", () =>
  inFolder(async (folder) => {
    const path = `${folder}/far.parquet`;
    // 9999-12-31 and 0001-01-01.
    const rows = [int96(5_373_484, noon), int96(1_721_426, 123_456_000n), null];
    const texts = ["9999-12-31T12:00:00.000000", "0001-01-01T00:00:00.123456", null];
    for (const nested of [false, true]) {
      await writeInt96(path, rows, { nested });
      const [type, values] = await columnOf(path);
      assertEquals(values, texts);
      assertEquals(
        type,
        nested ? "List<Timestamp<MICROSECOND>>" : "Timestamp<MICROSECOND>",
      );
      const column = nested ? "seen[1]" : "seen";
      const judged = await queryDuckDb(`SELECT ${column}::VARCHAR AS t FROM '${path}' ORDER BY id`);
      const asIso = judged.map(({ t }) => (t as string | null)?.replace(" ", "T") ?? null);
      assertEquals(asIso, ["9999-12-31T12:00:00", "0001-01-01T00:00:00.123456", null]);
    }
  }));

Deno.test("INT96 of Spark is microseconds, and wraps around as Spark does", () =>
  inFolder(async (folder) => {
    const path = `${folder}/spark.parquet`;
    const key = "org.apache.spark.version";
    // How Spark writes a date whose days since the start of the Julian calendar overflow its count of
    // microseconds: day and time are the quotient and the rest of what is left.
    const micros = 9_089_380_393_200_000_000n;
    const perDay = 86_400_000_000n;
    const julian = BigInt.asIntN(64, micros + 2_440_588n * perDay);
    const far = int96(Number(julian / perDay), julian % perDay * 1000n);
    await writeInt96(path, [int96(newYear, noon), far], { key });
    const texts = ["2024-01-01T12:00:00.000000", "+290000-12-30T23:00:00.000000"];
    assertEquals(await columnOf(path), ["Timestamp<MICROSECOND>", texts]);
  }));

Deno.test("INT96 that no timestamp of Arrow holds is refused by column and row", () =>
  inFolder(async (folder) => {
    const path = `${folder}/odd.parquet`;
    await writeInt96(path, [int96(newYear, 0n), int96(5_373_484, 0n), int96(newYear, 5n)]);
    const message = "column seen, row 2 has nanoseconds";
    await assertRejects(() => readAll(readParquet(path)), FileError, message);
    await writeInt96(path, [int96(newYear, 0n), int96(2 ** 31 - 1, 0n)]);
    await assertRejects(
      () => readAll(readParquet(path)),
      FileError,
      "column seen, row 1 is outside the range of a 64-bit timestamp",
    );
    // Other columns are read all the same.
    assertEquals((await readAll(readParquet(path), { columns: ["id"] }))[0]!.numRows, 2);
  }));

Deno.test("INTERVAL keeps months, days and milliseconds, from DuckDB and to it", () =>
  inFolder(async (folder) => {
    const [path, copy] = [`${folder}/duck.parquet`, `${folder}/sluice.parquet`];
    const values = "('999 months 999 days 999.999 s'), (NULL), ('0 s'), ('5 years 12 hours')";
    await queryDuckDb(
      `COPY (SELECT v::INTERVAL AS span, [v::INTERVAL] AS spans FROM (VALUES ${values}) t(v)) TO '${path}'`,
    );
    const batches = await readAll(readParquet(path));
    const { type, values: words } = batches[0]!.data.children[0]!;
    assertEquals(String(type), String(new IntervalMonthDayNano()));
    const view = new DataView((words as Int32Array).buffer);
    assertEquals(
      [view.getInt32(0, true), view.getInt32(4, true), view.getBigInt64(8, true)],
      [999, 999, 999_999_000_000n],
    );
    await writeAll(writeParquet(copy), batches);
    const rows = (path: string) => queryDuckDb(`SELECT *, typeof(span) AS kind FROM '${path}'`);
    assertEquals(await rows(copy), await rows(path));
  }));

Deno.test("an interval that Parquet has no room for is refused by column and row", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const second = 1_000_000_000;
    const refused: Record<string, number[]> = {
      "a negative interval": [-1, 0, 0, 0],
      "an interval finer than a millisecond": [0, 0, 1, 0],
      "an interval of 4294967296 ms, which does not fit in 32 bits": [
        0,
        0,
        ...wordsOf(4_294_967_296n * 1_000_000n),
      ],
    };
    for (const [why, words] of Object.entries(refused)) {
      const spans = [Int32Array.of(1, 2, second, 0), Int32Array.from(words)];
      const batch = batchOf({ span: [new IntervalMonthDayNano(), spans] });
      const message = `column span, row 1 is ${why}`;
      await assertRejects(() => writeAll(writeParquet(path), [batch]), FileError, message);
    }
    // Months and days of Parquet have no sign, those of Arrow have.
    const stored = fixedColumn(12, [new Uint8Array(12).fill(0xff)]);
    const fields = [new Field("span", stored.type, true)];
    const data = makeData({ type: new Struct(fields), length: 1, children: [stored] } as never);
    await writeAll(writeParquet(path), [new RecordBatch(new Schema(fields), data as never)]);
    await changeFooter(path, ({ schema }) => void (schema![1]!.convertedType = 21));
    const message =
      "column span, row 0 is an interval of 4294967295 months, but Arrow holds at most 2147483647";
    await assertRejects(() => readAll(readParquet(path)), FileError, message);
  }));

Deno.test("intervals of days or of months with a sign are refused, and others are what DuckDB reads", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.parquet`;
    const days = [Int32Array.of(2_147_483_647, 2_147_483_647), null, Int32Array.of(0, 5)];
    // Years and months, which are written as months.
    const months = [Int32Array.of(178_956_970, 7), null, Int32Array.of(1, 2)];
    const of = (days: unknown[], months: unknown[]) =>
      batchOf({
        days: [new IntervalDayTime(), days],
        months: [new IntervalYearMonth(), months],
        list: [new List(new Field("item", new IntervalDayTime(), true)), days.map((day) => [day])],
      });
    await writeAll(writeParquet(path), [of(days, months)]);
    const judged = await queryDuckDb(`SELECT datepart('days', days)::INT AS days,
      datepart('milliseconds', days)::INT AS rest,
      datepart('months', months)::INT + 12 * datepart('years', months)::INT AS months
      FROM '${path}'`);
    assertEquals(judged.map(({ months }) => months), [2_147_483_647, null, 14]);
    assertEquals(judged.map(({ days }) => days), [2_147_483_647, null, 0]);
    assertEquals(judged[2]!.rest, 5);
    const wrong = {
      "column days, row 1": of([days[0], Int32Array.of(-1, 5)], months.slice(0, 2)),
      "column days, row 0": of([Int32Array.of(1, -5)], [null]),
      "column months, row 2": of(days, [months[0], null, Int32Array.of(-1, -2)]),
    };
    for (const [place, batch] of Object.entries(wrong)) {
      const message = `${place} is a negative interval, which Parquet cannot hold`;
      await assertRejects(() => writeAll(writeParquet(path), [batch]), FileError, message);
    }
    const list = new List(new Field("item", new IntervalDayTime(), true));
    const inList = batchOf({ list: [list, [[days[2], Int32Array.of(0, -1)]]] });
    const message = "column list is a negative interval";
    await assertRejects(() => writeAll(writeParquet(path), [inList]), FileError, message);
  }));

function wordsOf(value: bigint): [number, number] {
  return [Number(BigInt.asIntN(32, value)), Number(value >> 32n)];
}

Deno.test("UUIDs stay UUIDs, in columns, lists and structs, and are text in CSV and NDJSON", () =>
  inFolder(async (folder) => {
    const path = `${folder}/duck.parquet`;
    const values = uuids.map((uuid, id) => `(${id}, '${uuid}'::UUID)`).join(", ");
    await queryDuckDb(
      `COPY (SELECT id, u, [u, NULL] AS us, {'own': u} AS s FROM (VALUES ${values}, (3, NULL)) t(id, u)) TO '${path}'`,
    );
    const copy = `${folder}/sluice.parquet`;
    await writeAll(writeIpc(`${folder}/between.arrow`), await readAll(readParquet(path)));
    const batches = await readAll(readIpc(`${folder}/between.arrow`));
    await writeAll(writeParquet(copy), batches);
    const rows = (path: string) =>
      queryDuckDb(`SELECT *, typeof(u) AS a, typeof(us) AS b, typeof(s) AS c FROM '${path}'`);
    assertEquals(await rows(copy), await rows(path));
    // Readers that know no extension stumble over one that is noted for Arrow.
    const { keyValues } = decodeMetadata(splitFooter(await Deno.readFile(copy)).metadata);
    const hint = keyValues!.find(({ key }) => textOf(key) === "ARROW:schema")!;
    assertEquals(atob(textOf(hint.value)).includes("arrow.uuid"), false);
    await writeAll(writeNdjson(`${folder}/out.ndjson`), batches);
    const lines = (await Deno.readTextFile(`${folder}/out.ndjson`)).trim().split("\n");
    const [first] = lines.slice(1).map((line) => JSON.parse(line));
    assertEquals(first, { id: 1, u: uuids[1], us: [uuids[1], null], s: { own: uuids[1] } });
    const only = await readAll(readParquet(copy), { columns: ["u"] });
    await writeAll(writeCsv(`${folder}/out.csv`), only);
    assertEquals(await Deno.readTextFile(`${folder}/out.csv`), ["u", ...uuids, "", ""].join("\n"));
  }));

Deno.test("JSON stays JSON, from DuckDB and to it, and Polars reads it as text", () =>
  inFolder(async (folder) => {
    const [path, copy] = [`${folder}/duck.parquet`, `${folder}/sluice.parquet`];
    const value = '{"city": "Zürich", "at": [47.37, 8.54]}';
    await queryDuckDb(
      `COPY (SELECT unnest(['${value}'::JSON, NULL]) AS place, [1] AS n) TO '${path}'`,
    );
    const batches = await readAll(readParquet(path));
    await writeAll(writeParquet(copy), batches);
    const rows = (path: string) => queryDuckDb(`SELECT *, typeof(place) AS kind FROM '${path}'`);
    assertEquals(await rows(copy), await rows(path));
    assertEquals((await rows(copy))[0]!.kind, "JSON");
    await writeAll(writeNdjson(`${folder}/out.ndjson`), batches);
    const [line] = (await Deno.readTextFile(`${folder}/out.ndjson`)).split("\n");
    assertEquals(JSON.parse(line!), { place: JSON.parse(value), n: [1] });
    const { default: pl } = await loadPeer("polars");
    assertEquals(pl.readParquet(copy).getColumn("place").toArray(), [value, null]);
  }));

Deno.test("an ENUM is text, and a column of the old type NULL holds nulls", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(
      `COPY (SELECT unnest(['Perú', NULL, 'Japan']) AS country, NULL::INT AS nothing) TO '${path}'`,
    );
    for (const how of ["converted", "logical"] as const) {
      await changeFooter(path, ({ schema }) => {
        const [, country, nothing] = schema!;
        country!.convertedType = how === "converted" ? 4 : undefined;
        country!.logicalType = how === "converted" ? undefined : { enum: {} };
        nothing!.convertedType = how === "converted" ? 24 : undefined;
        nothing!.logicalType = how === "converted" ? undefined : { unknown: {} };
      });
      const [batch] = await readAll(readParquet(path));
      assertEquals(String(batch!.schema), "Schema<{ 0: country: Utf8, 1: nothing: Null }>");
      assertEquals([...batch!.getChildAt(0)!], ["Perú", null, "Japan"]);
    }
  }));

Deno.test("readParquet() reads categories and enums of Polars as strings", () =>
  inFolder(async (folder) => {
    const path = `${folder}/categories.parquet`;
    const { default: pl } = await loadPeer("polars");
    const values = ["Zürich", "Lima", null, "Zürich"];
    pl.DataFrame([pl.Series("city", values).cast(pl.Categorical)]).writeParquet(path);
    const batches = await readAll(readParquet(path));
    assertEquals(batches.flatMap((batch) => [...batch.getChildAt(0)!]), values);
    await writeAll(writeParquet(path), batches);
    assertEquals((await queryDuckDb(`SELECT city FROM '${path}'`)).map(({ city }) => city), values);
  }));

Deno.test("a decimal of 77 digits keeps its bits, and one of more is refused by column", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const most = 2n ** 255n - 1n;
    const rows = [most, -most - 1n, 5n, null].map((value) =>
      value === null ? null : wordsOf256(value)
    );
    await writeAll(writeParquet(path), [batchOf({ amount: [new Decimal(38, 76, 256), rows] })]);
    const asPrecision = (precision: number) => ({ schema }: FileMetadata) => {
      schema![1]!.precision = precision;
      schema![1]!.logicalType = { decimal: { precision, scale: 38 } };
    };
    await changeFooter(path, asPrecision(77));
    const [batch] = await readAll(readParquet(path));
    const { precision, scale } = batch!.schema.fields[0]!.type as Decimal;
    assertEquals([precision, scale], [77, 38]);
    const text = textOfValues(batch!.data.children[0]!)!;
    assertEquals([text(0), text(2)], [
      `${String(most).slice(0, -38)}.${String(most).slice(-38)}`,
      `0.${"5".padStart(38, "0")}`,
    ]);
    const back = writeAll(writeParquet(`${folder}/out.parquet`), [batch!]);
    await assertRejects(() => back, FileError, "column amount is a decimal of more than 76 digits");
    await changeFooter(path, asPrecision(78));
    const message = "column amount is a decimal of 78 digits, more than the 77 that fit 256 bits";
    await assertRejects(() => readAll(readParquet(path)), FileError, message);
  }));

/** Words of a decimal of 256 bits, the lowest first. */
function wordsOf256(value: bigint): Uint32Array {
  const bits = BigInt.asUintN(256, value);
  return Uint32Array.from({ length: 8 }, (_, i) => Number((bits >> BigInt(32 * i)) & 0xffff_ffffn));
}

Deno.test("writeParquet() refuses a decimal of negative scale by that name", () =>
  inFolder(async (folder) => {
    const type: DataType = new FixedSizeList(1, new Field("item", new Decimal(-2, 5, 128), true));
    const batch = batchOf({ amount: [type, [null]] });
    const message = "column amount is a decimal of scale -2, but Parquet has no negative scales";
    const written = writeAll(writeParquet(`${folder}/out.parquet`), [batch]);
    await assertRejects(() => written, FileError, message);
  }));

Deno.test("the types that a writer notes for Arrow count, and what cannot be read of them does not", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeAll(writeParquet(path), [batchOf({ city: [new Utf8(), ["Rome"]] })]);
    for (const hint of ["", "not base64!", btoa("\xff\xff\xff\xff\x08\0\0\0garbage!")]) {
      await changeFooter(path, ({ keyValues }) => {
        const entry = keyValues!.find(({ key }) => textOf(key) === "ARROW:schema");
        entry!.value = new TextEncoder().encode(hint);
      });
      assertEquals((await readAll(readParquet(path)))[0]!.numRows, 1, hint);
    }
  }));
