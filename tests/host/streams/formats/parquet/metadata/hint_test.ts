import { assertEquals } from "@std/assert";
import {
  DataType,
  Decimal,
  Dictionary,
  Field,
  Int32,
  Int64,
  List,
  Schema,
  Timestamp,
  TimeUnit,
  Utf8,
} from "apache-arrow";
import { type FlatTable, rootTable } from "../../../../../../streams/data/flat_table.ts";
import { readParquet, writeParquet } from "../../../../../../streams/formats/parquet/parquet.ts";
import { encodeHint, hintKey } from "../../../../../../streams/formats/parquet/metadata/hint.ts";
import { textOf } from "../../../../../../streams/formats/parquet/metadata/metadata.ts";
import { read } from "../../../../../../ops/source/read.ts";
import { take } from "../../../../../../ops/slice/slice.ts";
import { toTable } from "../../../../../../streams/source/memory.ts";
import { changeFooter } from "../../../../../support/files/parquet_files.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  writeAll,
} from "../../../../../support/values/streams_samples.ts";

/** Replaces the types that the writer of a file noted for Arrow. */
function note(path: string, types: readonly DataType[]): Promise<void> {
  return changeFooter(path, ({ schema, keyValues }) => {
    const names = schema!.slice(1).filter(({ repetition }) => repetition !== undefined);
    const fields = types.map((type, index) => new Field(textOf(names[index]!.name), type, true));
    keyValues!.find(({ key }) => textOf(key) === hintKey)!.value = encodeHint(new Schema(fields));
  });
}

const { SECOND, MILLISECOND, MICROSECOND, NANOSECOND } = TimeUnit;
const units = [SECOND, MILLISECOND, MICROSECOND, NANOSECOND];

Deno.test("a timestamp keeps the zone that the writer notes, whatever unit it notes", () =>
  inFolder(async (folder) => {
    for (const stored of [MILLISECOND, MICROSECOND, NANOSECOND]) {
      const second = 1000n ** BigInt(stored);
      const path = `${folder}/${stored}.parquet`;
      const utc = new Timestamp(stored, "UTC");
      const rows = Array.from({ length: 100 }, (_, row) => row * 1000);
      await writeAll(writeParquet(path), [batchOf({ at: [utc, rows] })]);
      // pyarrow notes seconds beside milliseconds, and nanoseconds beside what it coerced them to.
      for (const unit of units) {
        for (const zone of ["Europe/Paris", "+05:30", "UTC"]) {
          await note(path, [new Timestamp(unit, zone)]);
          const [batch] = await readAll(readParquet(path));
          const own = new Timestamp(stored, zone);
          assertEquals(String(batch!.schema.fields[0]!.type), String(own));
          assertEquals(String(batch!.getChildAt(0)!.type), String(own));
          const some = await toTable(read(path).pipeThrough(take([70, 3])));
          assertEquals(String(some.schema.fields[0]!.type), String(own));
          const values = some.batches.flatMap(({ data }) => [...data.children[0]!.values]);
          assertEquals(values, [70n * second, 3n * second]);
        }
      }
    }
  }));

Deno.test("a zone that the writer notes does not make local time a moment", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const local = new Timestamp(MICROSECOND);
    await writeAll(writeParquet(path), [batchOf({ at: [local, [1]] })]);
    await note(path, [new Timestamp(SECOND, "Europe/Paris")]);
    const [batch] = await readAll(readParquet(path));
    assertEquals(String(batch!.schema.fields[0]!.type), String(local));
  }));

Deno.test("a timestamp in a list keeps its zone, too", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const listOf = (unit: TimeUnit, zone: string) =>
      new List(new Field("element", new Timestamp(unit, zone), true));
    const column = batchOf({ at: [listOf(MILLISECOND, "UTC"), [[1, 2], [3]]] });
    await writeAll(writeParquet(path), [column]);
    await note(path, [listOf(SECOND, "Asia/Tokyo")]);
    const [batch] = await readAll(readParquet(path));
    assertEquals(batch!.schema.fields[0]!.type.children[0].type.timezone, "Asia/Tokyo");
  }));

Deno.test("dictionaries of numbers, decimals and times that the writer notes are read as their values", () =>
  inFolder(async (folder) => {
    for (
      const type of [
        new Int64(),
        new Timestamp(MICROSECOND, "Europe/Paris"),
        new Decimal(2, 38),
        new Decimal(2, 9),
      ]
    ) {
      const path = `${folder}/in.parquet`;
      const isDecimal = DataType.isDecimal(type);
      const value = isDecimal ? Uint32Array.of(125, 0, 0, 0) : DataType.isInt(type) ? 125n : 125;
      await writeAll(writeParquet(path), [batchOf({ value: [type, [value, null]] })]);
      await note(path, [new Dictionary(type, new Int32())]);
      const [batch] = await readAll(readParquet(path));
      assertEquals(String(batch!.schema.fields[0]!.type), String(type));
      const own = isDecimal ? 125 : DataType.isInt(type) ? 125n : 125_000n;
      assertEquals(batch!.data.children[0]!.values[0], own);
      assertEquals(batch!.getChildAt(0)!.isValid(1), false);
    }
  }));

/** Gives the types of the schema that a file notes for Arrow other numbers, by those that they have. */
async function renumberTypes(path: string, types: Readonly<Record<number, number>>): Promise<void> {
  let numChanged = 0;
  await changeFooter(path, ({ keyValues }) => {
    const entry = keyValues!.find(({ key }) => textOf(key) === hintKey)!;
    const bytes = Uint8Array.fromBase64(textOf(entry.value));
    const message = bytes.subarray(8);
    const change = (fields: Iterable<FlatTable>) => {
      for (const field of fields) {
        const type = types[field.byte(2)];
        if (type !== undefined) {
          message[field.placeOf(2)] = type;
          numChanged++;
        }
        change(field.tables(5));
      }
    };
    change(rootTable(message).table(2)!.tables(1));
    entry.value = new TextEncoder().encode(bytes.toBase64());
  });
  assertEquals(numChanged > 0, true);
}

for (const [type, number] of Object.entries({ list_view: 25, large_list_view: 26 })) {
  Deno.test(`a ${type} that the writer notes is a list, and takes no zone from its items or others`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.parquet`;
      const zoned = new Timestamp(MICROSECOND, "Asia/Tokyo");
      const listOf = (item: DataType) => new List(new Field("element", item, true));
      const batch = batchOf({
        at: [zoned, [1, 2, 3]],
        list: [listOf(zoned), [[1, 2], null, [3]]],
        texts: [listOf(new Utf8()), [["a"], [], ["b", null]]],
        deep: [listOf(listOf(zoned)), [[[1], [2, 3]], [], null]],
      });
      await writeAll(writeParquet(path), [batch]);
      const types = batch.schema.fields.map(({ type }) => String(type));
      const given = await readAll(readParquet(path));
      await renumberTypes(path, { 12: number });
      const whole = await readAll(readParquet(path));
      const some = await toTable(read(path).pipeThrough(take([2, 0])));
      for (const { schema } of [whole[0]!, some]) {
        assertEquals(schema.fields.map(({ type }) => String(type)), types);
      }
      assertEquals(rowsOf(whole), rowsOf(given));
      assertEquals(rowsOf(some.batches), [2, 0].map((row) => rowsOf(given)[row]));
    }));
}

Deno.test("a type that the writer notes and nobody knows leaves the zones of other columns", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const zoned = new Timestamp(MICROSECOND, "Asia/Tokyo");
    await writeAll(writeParquet(path), [
      batchOf({ at: [zoned, [1, 2]], runs: [new Int32(), [7, 7]] }),
    ]);
    // Run-end encoded, as newer writers have it, and one that does not exist yet.
    for (const [before, type] of [[2, 22], [22, 99]] as const) {
      await renumberTypes(path, { [before]: type });
      const [batch] = await readAll(readParquet(path));
      assertEquals(batch!.schema.fields.map(({ type }) => String(type)), [String(zoned), "Int32"]);
      assertEquals(rowsOf([batch!]).map(({ runs }) => runs), [7, 7]);
    }
  }));
