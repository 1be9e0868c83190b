import { assertEquals } from "@std/assert";
import {
  Bool,
  DateDay,
  DateMillisecond,
  Decimal,
  Field,
  Float32,
  Int32,
  Int64,
  List,
  makeData,
  makeVector,
  Table,
  TimeMillisecond,
  TimestampMicrosecond,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { formatTable } from "../../../cli/table.ts";

const everything = { count: 10, total: undefined, width: Infinity };

Deno.test("formatTable() aligns numbers right, text left, and shows nulls", () => {
  const table = new Table({
    n: vectorFromArray([1n, null, -500n], new Int64()),
    name: vectorFromArray(["日本", "a\nb", null], new Utf8()),
    ok: vectorFromArray([true, null, false], new Bool()),
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
  const table = new Table({
    day: vectorFromArray([new Date("2001-02-03"), new Date("1969-12-31")], new DateDay()),
    at: makeVector(makeData({
      type: new TimestampMicrosecond("Europe/Paris"),
      data: new BigInt64Array([-1n, 4_102_444_800_123_456n]),
    })),
    time: makeVector(makeData({
      type: new TimeMillisecond(),
      data: new Int32Array([0, 86_399_900]),
    })),
    price: makeVector(makeData({
      type: new Decimal(2, 10, 128),
      data: new Uint32Array([12345, 0, 0, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]),
    })),
    ratio: vectorFromArray([0.1, 1e-8], new Float32()),
    list: vectorFromArray([[1, 2], []], new List(new Field("item", new Int32()))),
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
        "───────────────────────────",
        "──────────",
        "─────────────────",
        "───────",
        "───────────",
      ],
      ["2001-02-03", "1969-12-31 23:59:59.999999Z", "00:00:00", "123.45", "0.1", "[1, 2]"],
      ["1969-12-31", "2100-01-01 00:00:00.123456Z", "23:59:59.9", "-0.01", "1e-8", "[]"],
    ],
  );
});

Deno.test("formatTable() shows a time beyond the day as it is stored, and a date's time of day", () => {
  const times = makeData({
    type: new TimeMillisecond(),
    length: 2,
    data: Int32Array.of(-1, 86_400_000),
  });
  const dates = ["2024-02-29T23:59:59.500Z", "2024-02-29"].map((text) => new Date(text));
  const table = new Table({
    time: new Vector([times]),
    date: vectorFromArray(dates, new DateMillisecond()),
  });
  assertEquals(
    formatTable(table, everything).split("\n").slice(3, 5).map((line) => line.split(/ {2,}/)),
    [["-1 ms", "2024-02-29 23:59:59.5"], ["24:00:00", "2024-02-29"]],
  );
});

Deno.test("formatTable() says how many rows there are, as far as it knows", () => {
  const table = new Table({ n: vectorFromArray([1, 2, 3], new Int32()) });
  const footer = (count: number, total?: number) =>
    formatTable(table, { count, total, width: 80 }).trimEnd().split("\n").at(-1);
  assertEquals(footer(2), "first 2 rows");
  assertEquals(footer(2, 3_000_000), "2 of 3,000,000 rows");
  assertEquals(footer(3), "3 rows");
  assertEquals(footer(0, 0), "0 rows");
});

Deno.test("formatTable() of rows in several batches, and of none, holds together", () => {
  const batches = [[1], [], [2, 3]].map((values) =>
    new Table({ n: vectorFromArray(values, new Int32()) })
  );
  const table = batches[0]!.concat(...batches.slice(1));
  assertEquals(formatTable(table, everything).split("\n").slice(3, 6), ["    1", "    2", "    3"]);
  assertEquals(formatTable(table.slice(1), everything).split("\n")[3], "    2");
  assertEquals(formatTable(table.slice(0, 0), everything), "    n\nint32\n─────\n0 rows\n");
});

Deno.test("formatTable() never prints a line wider than the terminal", () => {
  const text = vectorFromArray(["0123456789".repeat(9)], new Utf8());
  const table = new Table(Object.fromEntries("abcdefghij".split("").map((name) => [name, text])));
  for (const width of [20, 40, 79, 80, 200]) {
    const lines = formatTable(table, { count: 1, total: 1, width }).split("\n").slice(0, 4);
    for (const line of lines) assertEquals(line.length <= width, true, `${width}: ${line}`);
  }
  const footer = formatTable(table, { count: 1, total: 1, width: 40 }).split("\n")[4];
  assertEquals(footer, "1 row, 5 more columns");
});

Deno.test("formatTable() shows control characters of a name as escapes", () => {
  const table = new Table({ "a\x1b[2J\r": vectorFromArray(["x"], new Utf8()) });
  assertEquals(formatTable(table, everything).split("\n")[0], "a\\u001b[2J\\r");
});

Deno.test("formatTable() writes lists in brackets, their text in quotes, and not without end", () => {
  const texts = new List(new Field("item", new Utf8()));
  const inner = new List(new Field("item", new List(new Field("item", new Int32()))));
  const words = [["a", "b c", null], [], null, ['"\n', "日本"]];
  const table = new Table({
    words: vectorFromArray(words, texts),
    inner: vectorFromArray([[[1, 2], null], [], null, [[3]]], inner),
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
  const long = new Table({ n: vectorFromArray([Array(200).fill("x")], texts) });
  assertEquals(formatTable(long, everything).includes('"x", ...]'), true);
  const sliced = formatTable(table.slice(3, 4), everything).split("\n")[3];
  assertEquals(sliced?.trim(), '["\\"\\n", "日本"]  [[3]]');
});

Deno.test("formatTable() prints more rows than a call can have arguments", () => {
  const table = new Table({ n: makeVector(new Int32Array(300_000)) });
  const all = formatTable(table, { count: table.numRows, total: undefined, width: Infinity });
  assertEquals(all.split("\n").at(-2), "300,000 rows");
});
