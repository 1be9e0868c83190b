import { assert, assertEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import { cutToWidth, displayWidth } from "../../../../cli/print/terminal.ts";
import { formatTable } from "../../../../cli/print/table.ts";
import { asUuid } from "../../../../streams/data/extension_type.ts";
import { batchOf } from "../../../support/values/streams_samples.ts";

Deno.test("displayWidth() counts columns of the terminal", () => {
  const table: [string, number][] = [
    ["", 0],
    ["abc", 3],
    ["żółć", 4],
    ["e\u0301", 1],
    ["日本語", 6],
    ["한국", 4],
    ["ｆｕｌｌ", 8],
    ["🙂", 2],
  ];
  for (const [text, width] of table) assertEquals(displayWidth(text), width, text);
});

Deno.test("cutToWidth() cuts between characters and shows that it did", () => {
  assertEquals(cutToWidth("abcdef", 6), "abcdef");
  assertEquals(cutToWidth("abcdef", 4), "abc…");
  assertEquals(cutToWidth("日本語", 4), "日…");
  assertEquals(cutToWidth("🙂🙂", 3), "🙂…");
});

const everything = { count: 10, total: undefined, width: Infinity };

Deno.test("formatTable() aligns numbers right, text left, and shows nulls", () => {
  const table = new arrow.Table({
    n: arrow.vectorFromArray([1n, null, -500n], new arrow.Int64()),
    name: arrow.vectorFromArray(["日本", "a\nb", null], new arrow.Utf8()),
    ok: arrow.vectorFromArray([true, null, false], new arrow.Bool()),
  });
  assertEquals(
    formatTable(table, everything),
    `    n  name  ok
int64  utf8  bool
─────  ────  ─────
    1  日本  true
 null  a\\nb  null
 -500  null  false
3 rows
`,
  );
});

Deno.test("formatTable() writes times and decimals exactly", () => {
  const table = new arrow.Table({
    day: arrow.vectorFromArray(
      [new Date("2001-02-03"), new Date("1969-12-31")],
      new arrow.DateDay(),
    ),
    at: arrow.makeVector(arrow.makeData({
      type: new arrow.TimestampMicrosecond("Europe/Paris"),
      data: new BigInt64Array([-1n, 4_102_444_800_123_456n]),
    })),
    time: arrow.makeVector(arrow.makeData({
      type: new arrow.TimeMillisecond(),
      data: new Int32Array([0, 86_399_900]),
    })),
    price: arrow.makeVector(arrow.makeData({
      type: new arrow.Decimal(2, 10, 128),
      data: new Uint32Array([12345, 0, 0, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]),
    })),
    ratio: arrow.vectorFromArray([0.1, 1.02100875e-36], new arrow.Float32()),
    list: arrow.vectorFromArray(
      [[1, 2], []],
      new arrow.List(new arrow.Field("item", new arrow.Int32())),
    ),
  });
  assertEquals(
    formatTable(table, everything).split("\n").slice(1, 5).map((line) => line.split(/ {2,}/)),
    [
      [
        "date32",
        "timestamp[us, Europe/Paris]",
        "time32[ms]",
        "decimal128(10, 2)",
        "float32",
        "list<int32>",
      ],
      [
        "──────────",
        "────────────────────────────────",
        "──────────",
        "─────────────────",
        "──────────────",
        "───────────",
      ],
      ["2001-02-03", "1970-01-01 00:59:59.999999+01:00", "00:00:00", "123.45", "0.1", "[1, 2]"],
      [
        "1969-12-31",
        "2100-01-01 01:00:00.123456+01:00",
        "23:59:59.9",
        "-0.01",
        "1.02100875e-36",
        "[]",
      ],
    ],
  );
});

Deno.test("formatTable() shows a time beyond the day as it is stored, and a date's time of day", () => {
  const times = arrow.makeData({
    type: new arrow.TimeMillisecond(),
    length: 2,
    data: Int32Array.of(-1, 86_400_000),
  });
  const dates = ["2024-02-29T23:59:59.500Z", "2024-02-29"].map((text) => new Date(text));
  const table = new arrow.Table({
    time: new arrow.Vector([times]),
    date: arrow.vectorFromArray(dates, new arrow.DateMillisecond()),
  });
  assertEquals(
    formatTable(table, everything).split("\n").slice(3, 5).map((line) => line.split(/ {2,}/)),
    [["-1 ms", "2024-02-29 23:59:59.5"], ["24:00:00", "2024-02-29"]],
  );
});

Deno.test("formatTable() says how many rows there are, as far as it knows", () => {
  const table = new arrow.Table({ n: arrow.vectorFromArray([1, 2, 3], new arrow.Int32()) });
  const footer = (count: number, total?: number) =>
    formatTable(table, { count, total, width: 80 }).trimEnd().split("\n").at(-1);
  assertEquals(footer(2), "first 2 rows");
  assertEquals(footer(2, 3_000_000), "2 of 3,000,000 rows");
  assertEquals(footer(3), "3 rows");
  assertEquals(footer(0, 0), "0 rows");
});

Deno.test("formatTable() of rows in several batches, and of none, holds together", () => {
  const batches = [[1], [], [2, 3]].map((values) =>
    new arrow.Table({ n: arrow.vectorFromArray(values, new arrow.Int32()) })
  );
  const table = batches[0]!.concat(...batches.slice(1));
  assertEquals(formatTable(table, everything).split("\n").slice(3, 6), ["    1", "    2", "    3"]);
  assertEquals(formatTable(table.slice(1), everything).split("\n")[3], "    2");
  assertEquals(formatTable(table.slice(0, 0), everything), "    n\nint32\n─────\n0 rows\n");
});

Deno.test("formatTable() never prints a line wider than the terminal", () => {
  const text = arrow.vectorFromArray(["0123456789".repeat(9)], new arrow.Utf8());
  const table = new arrow.Table(
    Object.fromEntries("abcdefghij".split("").map((name) => [name, text])),
  );
  for (const width of [20, 40, 79, 80, 200]) {
    const lines = formatTable(table, { count: 1, total: 1, width }).split("\n").slice(0, 4);
    for (const line of lines) assertEquals(line.length <= width, true, `${width}: ${line}`);
  }
  const footer = formatTable(table, { count: 1, total: 1, width: 40 }).split("\n")[4];
  assertEquals(footer, "1 row, 7 more columns");
});

Deno.test("formatTable() cuts text, shows numbers and times whole, and says how many columns are left out", () => {
  const table = new arrow.Table([batchOf({
    cityId: [new arrow.Int32(), [3_039_154, 7]],
    name: [new arrow.Utf8(), ["a name that is longer than many others", "x"]],
    population: [new arrow.Int64(), [12_345_678_901n, 1n]],
    at: [new arrow.TimestampMillisecond(), [1_700_000_000_123, 0]],
    share: [new arrow.Float64(), [0.1 + 0.2, 1e-7]],
    note: [new arrow.Utf8(), ["another text that nobody can read in so few columns", ""]],
  })]);
  const values = ["3039154", "12345678901", "2023-11-14 22:13:20.123", "0.30000000000000004"];
  for (let width = 8; width < 200; width++) {
    const text = formatTable(table, { count: 2, total: 2, width });
    const [names, , , first, , footer] = text.split("\n");
    for (const line of text.split("\n").slice(0, 5)) {
      assert(line.length <= width, `${width}: ${line}`);
    }
    const shown = table.schema.fields.filter((_, index) => columnsShown(names!) > index);
    const left = 6 - shown.length;
    const more = left === 0 ? "" : `, ${left} more ${left === 1 ? "column" : "columns"}`;
    assertEquals(footer, `2 rows${more}`);
    // What is shown of a number is all of it.
    for (const word of first!.match(/[\d.:-]+…?/g) ?? []) {
      assert(!word.endsWith("…"), `${width}: ${first}`);
    }
    const whole = values.filter((value) => first!.includes(value)).length;
    const numbers = shown.filter(({ type }) => !arrow.DataType.isUtf8(type)).length;
    assertEquals(whole, numbers, `${width}: ${first}`);
  }
});

/** How many columns a line of names has. */
function columnsShown(names: string): number {
  return names.trim().split(/ {2,}/).length;
}

Deno.test("formatTable() shows control characters of a name as escapes", () => {
  const table = new arrow.Table({ "a\x1b[2J\r": arrow.vectorFromArray(["x"], new arrow.Utf8()) });
  assertEquals(formatTable(table, everything).split("\n")[0], "a\\u001b[2J\\r");
});

Deno.test("formatTable() writes lists in brackets, their text in quotes, and not without end", () => {
  const texts = new arrow.List(new arrow.Field("item", new arrow.Utf8()));
  const inner = new arrow.List(
    new arrow.Field("item", new arrow.List(new arrow.Field("item", new arrow.Int32()))),
  );
  const words = [["a", "b c", null], [], null, ['"\n', "日本"]];
  const table = new arrow.Table({
    words: arrow.vectorFromArray(words, texts),
    inner: arrow.vectorFromArray([[[1, 2], null], [], null, [[3]]], inner),
  });
  const lines = formatTable(table.slice(0, 4), everything).split("\n").slice(0, 7);
  assertEquals(lines, [
    "words               inner",
    "list<utf8>          list<list<int32>>",
    "──────────────────  ─────────────────",
    '["a", "b c", null]  [[1, 2], null]',
    "[]                  []",
    "null                null",
    '["\\"\\n", "日本"]    [[3]]',
  ]);
  const sliced = formatTable(table.slice(3, 4), everything).split("\n")[3];
  assertEquals(sliced?.trim(), '["\\"\\n", "日本"]  [[3]]');
});

Deno.test("formatTable() shows the first of long lists and binary values, and how many there are", () => {
  const cellOf = (vector: arrow.Vector) =>
    formatTable(new arrow.Table({ n: vector }), everything).split("\n")[3]!;
  const listOf = <T extends arrow.DataType>(item: T, values: unknown[]) =>
    arrow.vectorFromArray([values], new arrow.List(new arrow.Field("item", item)));
  const count = (length: number) => Array.from({ length }, (_, at) => at);
  const ints = new arrow.Int32();
  assertEquals(cellOf(listOf(ints, count(24))), `[${count(24).join(", ")}]`);
  const cut = "[0, 1, 2, 3, 4, 5, 6, 7, … 325,872 values]";
  assertEquals(cellOf(listOf(ints, count(325_872))), cut);
  const fixed = new arrow.FixedSizeList(325_872, new arrow.Field("item", ints));
  const child = arrow.makeData({ type: ints, data: Int32Array.from(count(325_872)) });
  assertEquals(cellOf(new arrow.Vector([arrow.makeData({ type: fixed, length: 1, child })])), cut);
  const word = "x".repeat(400);
  const words = listOf(new arrow.Utf8(), Array(5).fill(word));
  assertEquals(cellOf(words), `["${word}", "${word}", "${word}", … 5 values]`);
  const inner = new arrow.List(new arrow.Field("item", ints));
  const short = "[0, 1, 2, 3, 4, 5, 6, 7, … 30 values]";
  const lists = listOf(inner, Array(30).fill(count(30)));
  assertEquals(cellOf(lists), `[${Array(8).fill(short).join(", ")}, … 30 values]`);
  const bytes = (length: number) => new Uint8Array(length).fill(0xab);
  for (const type of [arrow.Binary, arrow.LargeBinary]) {
    assertEquals(cellOf(arrow.vectorFromArray([bytes(64)], new type())), "ab".repeat(64));
    const long = `${"ab".repeat(32)}… 1,000 bytes`;
    assertEquals(cellOf(arrow.vectorFromArray([bytes(1000)], new type())), long);
  }
});

Deno.test("formatTable() prints more rows than a call can have arguments", () => {
  const table = new arrow.Table({ n: arrow.makeVector(new Int32Array(300_000)) });
  const all = formatTable(table, { count: table.numRows, total: undefined, width: Infinity });
  assertEquals(all.split("\n").at(-2), "300,000 rows");
});

Deno.test("formatTable() shows the parts of intervals that are not 0, with their signs", () => {
  const nanoseconds = (value: bigint) => [Number(BigInt.asIntN(32, value)), Number(value >> 32n)];
  const batch = batchOf({
    months: [new arrow.IntervalYearMonth(), [Int32Array.of(0, 1), null, Int32Array.of(-1, -2)]],
    days: [new arrow.IntervalDayTime(), [Int32Array.of(2, 1500), Int32Array.of(0, 0), null]],
    all: [new arrow.IntervalMonthDayNano(), [
      Int32Array.of(999, 999, ...nanoseconds(999_999_000_000n)),
      Int32Array.of(0, -1, ...nanoseconds(-500_000_001n)),
      null,
    ]],
  });
  const lines = formatTable(new arrow.Table(batch.schema, [batch]), everything).split("\n");
  assertEquals(lines.slice(3, 6).map((line) => line.trim().split(/ {2,}/)), [
    ["1 month", "2 days 1.5 s", "999 months 999 days 999.999 s"],
    ["null", "0 s", "-1 days -0.500000001 s"],
    ["-14 months", "null", "null"],
  ]);
});

Deno.test("formatTable() shows timestamps that no number of milliseconds holds", () => {
  const type = new arrow.TimestampMicrosecond();
  const data = BigInt64Array.of(2n ** 63n - 1n, 0n, 253_402_300_799_999_999n);
  const column = arrow.makeData({
    type,
    length: 3,
    data,
    nullBitmap: Uint8Array.of(0b101),
    nullCount: 1,
  });
  const lines = formatTable(new arrow.Table({ at: arrow.makeVector(column) }), everything).split(
    "\n",
  );
  assertEquals(lines.slice(3, 6), [
    // As DuckDB has the greatest timestamp: JavaScript has no date so far away.
    "+294247-01-10 04:00:54.775807",
    "null",
    "9999-12-31 23:59:59.999999",
  ]);
});

Deno.test("formatTable() shows UUIDs as text, and calls them uuid", () => {
  const uuid = Uint8Array.fromHex("f24f9b6481fa49d1b74e8c09a6e31c56");
  const type = new arrow.FixedSizeBinary(16);
  const batch = batchOf({
    plain: [type, [uuid, null]],
    id: [type, [uuid, null]],
    ids: [new arrow.List(asUuid(new arrow.Field("item", type, true))), [[uuid, null], []]],
  });
  const [plain, id, ids] = batch.schema.fields;
  const schema = new arrow.Schema([plain!, asUuid(id!), ids!]);
  assertEquals(
    formatTable(new arrow.Table(schema, new arrow.RecordBatch(schema, batch.data)), everything),
    `plain                             id                                    ids
fixed_size_binary[16]             uuid                                  list<uuid>
────────────────────────────────  ────────────────────────────────────  ────────────────────────────────────────────
f24f9b6481fa49d1b74e8c09a6e31c56  f24f9b64-81fa-49d1-b74e-8c09a6e31c56  [f24f9b64-81fa-49d1-b74e-8c09a6e31c56, null]
null                              null                                  []
2 rows
`,
  );
});
