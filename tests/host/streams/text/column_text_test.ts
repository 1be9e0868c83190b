import { assertEquals, assertRejects } from "@std/assert";
import {
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  Field,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimeMicrosecond,
  TimeMillisecond,
  TimeNanosecond,
  TimeSecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Vector,
} from "apache-arrow";
import { col } from "../../../../ops/expr/expr.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { isoTime } from "../../../support/models/time_model.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import { write } from "../../../../streams/files/write.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { inFolder, writeAll } from "../../../support/values/streams_samples.ts";

/** A column of values as they are stored. */
function columnBatch(type: DataType, data: ArrayBufferView, length: number): RecordBatch {
  const column = makeData({ type, length, data } as never);
  const fields = [new Field("v", type, true)];
  const rows = makeData({ type: new Struct(fields), length, children: [column] } as never);
  return new RecordBatch(new Schema(fields), rows as never);
}

/** What CSV and NDJSON hold of a column. */
async function texts(batch: RecordBatch): Promise<string[]> {
  const found: string[] = [];
  await inFolder(async (folder) => {
    await writeAll(write(`${folder}/out.csv`), [batch]);
    await writeAll(write(`${folder}/out.ndjson`), [batch]);
    const csv = (await Deno.readTextFile(`${folder}/out.csv`)).trimEnd().split("\n").slice(1);
    const json = (await Deno.readTextFile(`${folder}/out.ndjson`)).trimEnd().split("\n");
    assertEquals(json.map((line) => JSON.parse(line).v), csv);
    found.push(...csv);
  });
  return found;
}

const longs = (...values: bigint[]) => BigInt64Array.from(values);

Deno.test("timestamps in a time zone are written in its local time with the offset, as toString() does", async () => {
  const seconds = [0, 1_711_846_799, 1_711_846_800, 1_729_990_800, -2_500_000_000, 40_000_000_000];
  for (const zone of ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "-03:30", "UTC"]) {
    const type = new TimestampSecond(zone);
    const batch = columnBatch(type, longs(...seconds.map(BigInt)), seconds.length);
    const wanted = seconds.map((second) => isoTime(BigInt(second), type));
    assertEquals(await texts(batch), wanted);
    const own = evaluateTyped(col("x").toString(), { x: [type, seconds.map(BigInt)] });
    assertEquals(own, wanted);
  }
  // A name that no database has says nothing of its local time.
  const unknown = columnBatch(new TimestampMillisecond("Mars/Olympus"), longs(1n), 1);
  assertEquals(await texts(unknown), ["1970-01-01T00:00:00.001Z"]);
});

Deno.test("decimals of a negative scale have their zeros in CSV and NDJSON", async () => {
  const values = BigInt64Array.from([123n, 0n, -123n, -1n, 0n, 0n]);
  const batch = columnBatch(new Decimal(-2, 5, 128), values, 3);
  assertEquals(await texts(batch), ["12300", "-12300", "0"]);
});

const times: readonly (readonly [DataType, ArrayBufferView, readonly string[], string])[] = [
  [
    new TimeSecond(),
    Int32Array.of(0, 86_399, 86_400, -1),
    ["00:00:00", "23:59:59", "24:00:00"],
    "-1 s",
  ],
  [
    new TimeMillisecond(),
    Int32Array.of(1, 86_399_999, 86_400_000, 86_400_001),
    ["00:00:00.001", "23:59:59.999", "24:00:00.000"],
    "86400001 ms",
  ],
  [
    new TimeMicrosecond(),
    longs(1n, 86_399_999_999n, 86_400_000_000n, -(2n ** 63n)),
    ["00:00:00.000001", "23:59:59.999999", "24:00:00.000000"],
    "-9223372036854775808 us",
  ],
  [
    new TimeNanosecond(),
    longs(1n, 86_399_999_999_999n, 86_400_000_000_000n, 2n ** 63n - 1n),
    ["00:00:00.000000001", "23:59:59.999999999", "24:00:00.000000000"],
    "9223372036854775807 ns",
  ],
];
for (const [type, data, expected, problem] of times) {
  Deno.test(`${type} is written from 00:00:00 to 24:00:00, and refused beyond`, async () => {
    const batch = columnBatch(type, data, 4);
    assertEquals(await texts(batch.slice(0, 3)), [...expected]);
    const judged = await queryDuckDb(
      `SELECT * FROM unnest([${
        expected.map((text) => `CAST(CAST('${text.slice(0, 15)}' AS TIME) AS VARCHAR)`).join(", ")
      }]) AS t(v)`,
    );
    assertEquals(
      judged.map(({ v }) => v),
      expected.map((text) =>
        text.slice(0, 15).replace(/\.?0+$/, (zeros) => zeros[0] === "." ? "" : zeros)
      ),
    );
    await inFolder(async (folder) => {
      for (const suffix of ["csv", "ndjson"]) {
        const path = `${folder}/bad.${suffix}`;
        const sink = write(path);
        const error = await assertRejects(
          () => writeAll(sink, [batch.slice(0, 3), batch.slice(1)]),
          FileError,
        );
        assertEquals(error.message, `${path}: row 5, column v: ${problem} is not a time of day`);
        assertEquals([error.row, error.column], [5, "v"]);
        await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
      }
    });
  });
}

Deno.test("a null that lies over a time beyond the day is a null", async () => {
  const column = makeData({
    type: new TimeSecond(),
    length: 2,
    nullCount: 1,
    nullBitmap: Uint8Array.of(0b01),
    data: Int32Array.of(5, -1),
  });
  const fields = [new Field("v", new TimeSecond(), true)];
  const rows = makeData({ type: new Struct(fields), length: 2, children: [column] });
  await inFolder(async (folder) => {
    await writeAll(write(`${folder}/a.ndjson`), [new RecordBatch(new Schema(fields), rows)]);
    assertEquals(
      await Deno.readTextFile(`${folder}/a.ndjson`),
      '{"v":"00:00:05"}\n{"v":null}\n',
    );
  });
});

Deno.test("times in a dictionary are refused beyond the day, too", async () => {
  const values = makeData({ type: new TimeSecond(), length: 2, data: Int32Array.of(5, -1) });
  const type = new Dictionary(new TimeSecond(), new Int32(), 1);
  const data = Int32Array.of(0, 1, 0);
  const column = makeData({ type, length: 3, data, dictionary: new Vector([values]) } as never);
  const fields = [new Field("v", type, true)];
  const rows = makeData({ type: new Struct(fields), length: 3, children: [column] } as never);
  await inFolder(async (folder) => {
    const path = `${folder}/a.csv`;
    const batch = new RecordBatch(new Schema(fields), rows as never);
    const message = `${path}: row 1, column v: -1 s is not a time of day`;
    await assertRejects(() => writeAll(write(path), [batch]), FileError, message);
  });
});

Deno.test("dates of every year are written as ISO 8601 has them", async () => {
  const days = Int32Array.of(0, -719_528, -719_529, 2_932_896, 2_932_897, -(2 ** 31), 2 ** 31 - 1);
  const expected = [
    ...["1970-01-01", "0000-01-01", "-000001-12-31", "9999-12-31", "+010000-01-01"],
    ...["-5877641-06-23", "+5881580-07-11"],
  ];
  assertEquals(await texts(columnBatch(new DateDay(), days, days.length)), expected);
  const milliseconds = BigInt64Array.from(days, (day) => BigInt(day) * 86_400_000n);
  const batch = columnBatch(new DateMillisecond(), milliseconds, days.length);
  assertEquals(await texts(batch), expected);
});

Deno.test("a date of JavaScript keeps its time of day", async () => {
  const milliseconds = ["2024-02-29T23:59:59.999Z", "1969-12-31T00:00:00.001Z", "2024-02-29"]
    .map((text) => BigInt(Date.parse(text)));
  const batch = columnBatch(new DateMillisecond(), longs(...milliseconds), 3);
  const expected = ["2024-02-29T23:59:59.999", "1969-12-31T00:00:00.001", "2024-02-29"];
  assertEquals(await texts(batch), expected);
});

Deno.test("timestamps are exact from the first to the last of each unit", async () => {
  const ends = longs(-(2n ** 63n), -1n, 2n ** 63n - 1n);
  const expected: readonly (readonly [DataType, readonly string[]])[] = [
    [new TimestampNanosecond(), [
      "1677-09-21T00:12:43.145224192",
      "1969-12-31T23:59:59.999999999",
      "2262-04-11T23:47:16.854775807",
    ]],
    [new TimestampMicrosecond("UTC"), [
      "-290308-12-21T19:59:05.224192Z",
      "1969-12-31T23:59:59.999999Z",
      "+294247-01-10T04:00:54.775807Z",
    ]],
    [new TimestampSecond(), [
      "-292277022657-01-27T08:29:52",
      "1969-12-31T23:59:59",
      "+292277026596-12-04T15:30:07",
    ]],
  ];
  for (const [type, wanted] of expected) {
    assertEquals(await texts(columnBatch(type, ends, 3)), [...wanted], String(type));
  }
});
