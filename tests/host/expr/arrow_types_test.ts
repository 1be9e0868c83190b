import { assertEquals, assertThrows } from "@std/assert";
import {
  Binary,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  DurationSecond,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Int16,
  IntervalMonthDayNano,
  IntervalYearMonth,
  LargeUtf8,
  List,
  Map_,
  Null,
  SparseUnion,
  Struct,
  TimeNanosecond,
  TimeSecond,
  TimestampMicrosecond,
  Uint64,
  Utf8,
  Utf8View,
} from "apache-arrow";
import { columnTypeOf, typeName } from "../../../ops/batch/arrow_types.ts";
import type { ColumnType } from "../../../gpu/column/column.ts";

const text = new Field("item", new Utf8(), true);
const pair = new Struct([
  new Field("key", new Utf8(), false),
  new Field("value", new Int16(), true),
]);
const int = (bits: 16 | 32 | 64): ColumnType => ({ kind: "int", bits, signed: true });

const TYPES: readonly (readonly [type: DataType, name: string, physical: ColumnType])[] = [
  [new Uint64(), "uint64", { kind: "int", bits: 64, signed: false }],
  [new Float16(), "float16", { kind: "float", bits: 16 }],
  [new Utf8(), "string", { kind: "string" }],
  [new LargeUtf8(), "string", { kind: "string" }],
  [new Utf8View(), "string", { kind: "string" }],
  [new Binary(), "binary", { kind: "string" }],
  [new Dictionary(new Utf8(), new Int16()), "dictionary<string>", int(16)],
  [new DateDay(), "date32<day>", int(32)],
  [new DateMillisecond(), "date64<millisecond>", int(64)],
  [new TimeSecond(), "time32<second>", int(32)],
  [new TimeNanosecond(), "time64<nanosecond>", int(64)],
  [new TimestampMicrosecond("UTC"), "timestamp<microsecond, utc>", int(64)],
  [new DurationSecond(), "duration<second>", int(64)],
  [new IntervalYearMonth(), "interval<year_month>", int(32)],
  [new IntervalMonthDayNano(), "interval<month_day_nano>", { kind: "fixed", byteWidth: 16 }],
  [new Decimal(2, 50, 256), "decimal[50e+2]", { kind: "fixed", byteWidth: 32 }],
  [new FixedSizeBinary(7), "fixedsizebinary[7]", { kind: "fixed", byteWidth: 7 }],
  [new List(text), "list<string>", { kind: "list", item: { kind: "string" } }],
  [
    new FixedSizeList(2, text),
    "fixedsizelist[2]<utf8>",
    { kind: "list", item: { kind: "string" } },
  ],
  [new Null(), "null", { kind: "struct", fields: [] }],
  [
    pair,
    "struct<{key:utf8, value:int16}>",
    { kind: "struct", fields: [{ kind: "string" }, int(16)] },
  ],
  [
    new Map_(new Field("entries", pair, false)),
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
  const either = new SparseUnion(Int32Array.of(0), [text]);
  const message = "Columns of type union<";
  assertThrows(() => columnTypeOf(either), TypeError, message);
  assertThrows(() => columnTypeOf(new List(new Field("item", either))), TypeError, message);
});
