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
} from "apache-arrow";
import { readParquet, writeParquet } from "../../../streams/parquet.ts";
import { encodeHint, hintKey } from "../../../streams/parquet/hint.ts";
import { textOf } from "../../../streams/parquet/metadata.ts";
import { read } from "../../../ops/source/read.ts";
import { take } from "../../../ops/slice/slice.ts";
import { toTable } from "../../../streams/memory.ts";
import { changeFooter } from "../../support/parquet_files.ts";
import { batchOf, inFolder, readAll, writeAll } from "../../support/streams_samples.ts";

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
