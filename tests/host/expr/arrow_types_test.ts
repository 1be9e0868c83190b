import { assertEquals, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { columnTypeOf, typeName } from "../../../ops/batch/arrow_types.ts";
import type { ColumnType } from "../../../gpu/column/column.ts";

const text = new arrow.Field("item", new arrow.Utf8(), true);
const pair = new arrow.Struct([
  new arrow.Field("key", new arrow.Utf8(), false),
  new arrow.Field("value", new arrow.Int16(), true),
]);
const int = (bits: 16 | 32 | 64): ColumnType => ({ kind: "int", bits, signed: true });

const TYPES: readonly (readonly [type: arrow.DataType, name: string, physical: ColumnType])[] = [
  [new arrow.Uint64(), "uint64", { kind: "int", bits: 64, signed: false }],
  [new arrow.Float16(), "float16", { kind: "float", bits: 16 }],
  [new arrow.Utf8(), "string", { kind: "string" }],
  [new arrow.LargeUtf8(), "string", { kind: "string" }],
  [new arrow.Utf8View(), "string", { kind: "string" }],
  [new arrow.Binary(), "binary", { kind: "string" }],
  [new arrow.Dictionary(new arrow.Utf8(), new arrow.Int16()), "dictionary<string>", int(16)],
  [new arrow.DateDay(), "date32<day>", int(32)],
  [new arrow.DateMillisecond(), "date64<millisecond>", int(64)],
  [new arrow.TimeSecond(), "time32<second>", int(32)],
  [new arrow.TimeNanosecond(), "time64<nanosecond>", int(64)],
  [new arrow.TimestampMicrosecond("UTC"), "timestamp<microsecond, UTC>", int(64)],
  [new arrow.DurationSecond(), "duration<second>", int(64)],
  [new arrow.IntervalYearMonth(), "interval<year_month>", int(32)],
  [new arrow.IntervalMonthDayNano(), "interval<month_day_nano>", { kind: "fixed", byteWidth: 16 }],
  [new arrow.Decimal(2, 50, 256), "decimal256(50, 2)", { kind: "fixed", byteWidth: 32 }],
  [new arrow.FixedSizeBinary(7), "fixedsizebinary[7]", { kind: "fixed", byteWidth: 7 }],
  [new arrow.List(text), "list<string>", { kind: "list", item: { kind: "string" } }],
  [
    new arrow.FixedSizeList(2, text),
    "fixedsizelist[2]<utf8>",
    { kind: "list", item: { kind: "string" } },
  ],
  [new arrow.Null(), "null", { kind: "struct", fields: [] }],
  [
    pair,
    "struct<{key:utf8, value:int16}>",
    { kind: "struct", fields: [{ kind: "string" }, int(16)] },
  ],
  [
    new arrow.Map_(new arrow.Field("entries", pair, false)),
    "map<{key:utf8, value:int16}>",
    { kind: "list", item: { kind: "struct", fields: [{ kind: "string" }, int(16)] } },
  ],
];

Deno.test("columnTypeOf() gives the physical type of every Arrow type that has one", () => {
  for (const [type, name, physical] of TYPES) {
    assertEquals(columnTypeOf(type), physical, name);
    assertEquals(typeName(type), name);
  }
});

Deno.test("columnTypeOf() refuses the others by name", () => {
  const either = new arrow.SparseUnion(Int32Array.of(0), [text]);
  const message = "Columns of type union<";
  assertThrows(() => columnTypeOf(either), TypeError, message);
  assertThrows(
    () => columnTypeOf(new arrow.List(new arrow.Field("item", either))),
    TypeError,
    message,
  );
});
