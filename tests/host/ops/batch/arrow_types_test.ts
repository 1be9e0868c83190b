import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { columnTypeOf, typeName } from "../../../../ops/batch/arrow_types.ts";
import type { ColumnType } from "../../../../gpu/column/column.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { expr } from "../../../../ops/expr/parse.ts";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { typeName as exactName } from "../../../../streams/types/type_name.ts";
import { write } from "../../../../streams/files/write.ts";
import { inFolder, writeAll } from "../../../support/values/streams_samples.ts";

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
  [new arrow.DateDay(), "date32", int(32)],
  [new arrow.DateMillisecond(), "date64", int(64)],
  [new arrow.TimeSecond(), "time32[s]", int(32)],
  [new arrow.TimeNanosecond(), "time64[ns]", int(64)],
  [new arrow.TimestampMicrosecond("UTC"), "timestamp[us, UTC]", int(64)],
  [new arrow.DurationSecond(), "duration[s]", int(64)],
  [new arrow.IntervalYearMonth(), "interval<year_month>", int(32)],
  [new arrow.IntervalMonthDayNano(), "interval<month_day_nano>", { kind: "fixed", byteWidth: 16 }],
  [new arrow.Decimal(2, 50, 256), "decimal256(50, 2)", { kind: "fixed", byteWidth: 32 }],
  [new arrow.FixedSizeBinary(7), "fixed_size_binary[7]", { kind: "fixed", byteWidth: 7 }],
  [new arrow.List(text), "list<string>", { kind: "list", item: { kind: "string" } }],
  [
    new arrow.FixedSizeList(2, text),
    "fixed_size_list<string, 2>",
    { kind: "list", item: { kind: "string" } },
  ],
  [new arrow.Null(), "null", { kind: "struct", fields: [] }],
  [
    pair,
    "struct<key: string, value: int16>",
    { kind: "struct", fields: [{ kind: "string" }, int(16)] },
  ],
  [
    new arrow.Map_(new arrow.Field("entries", pair, false)),
    "map<string, int16>",
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

Deno.test("a type is spelt the same in expressions, in schemas and in errors of files", async () => {
  const item = (type: arrow.DataType) => new arrow.Field("item", type, true);
  const empty = (type: arrow.DataType) =>
    arrow.makeData({ type, length: 0 } as never) as arrow.Data;
  const types: [arrow.DataType, string, object][] = [
    [new arrow.FixedSizeList(3, item(new arrow.Float32())), "fixed_size_list<float32, 3>", {
      child: empty(new arrow.Float32()),
    }],
    [new arrow.List(item(new arrow.TimestampMicrosecond("UTC"))), "list<timestamp[us, UTC]>", {
      valueOffsets: new Int32Array(1),
      child: empty(new arrow.TimestampMicrosecond("UTC")),
    }],
    [new arrow.Struct([new arrow.Field("a", new arrow.DateDay(), true)]), "struct<a: date32>", {
      children: [empty(new arrow.DateDay())],
    }],
  ];
  for (const [type, name, parts] of types) {
    assertEquals([typeName(type), exactName(type)], [name, name]);
    const schema = new arrow.Schema([new arrow.Field("v", type, true)]);
    const inExpression = assertThrows(() => bindExpr(expr("v.upper()"), schema), ExprError);
    assertEquals(inExpression.message, `upper(v): v is ${name}, not a string`);
    await inFolder(async (folder) => {
      const column = arrow.makeData({ type, length: 0, ...parts } as never) as arrow.Data;
      const rows = { type: new arrow.Struct(schema.fields), length: 0, children: [column] };
      const batch = new arrow.RecordBatch(schema, arrow.makeData(rows) as never);
      for (const suffix of ["csv", "tsv"]) {
        const error = await assertRejects(() => writeAll(write(`${folder}/v.${suffix}`), [batch]));
        assertStringIncludes((error as Error).message, `column v is ${name}, which has no form`);
      }
    });
  }
});
