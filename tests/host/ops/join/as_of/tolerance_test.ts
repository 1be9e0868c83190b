import { assertEquals, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { bindTolerance, isWide, parseTolerance } from "../../../../../ops/join/as_of/tolerance.ts";

/** The tolerance in units of a column `ts`. */
function units(given: unknown, type: arrow.DataType): number | bigint {
  const { high, low } = bindTolerance(parseTolerance(given), type, "ts");
  return isWide(type) ? BigInt(high) + BigInt(low) : high;
}

Deno.test("a number is in the unit of the column, and keeps every bit", () => {
  assertEquals(units(0, new arrow.Int8()), 0);
  assertEquals(units(5, new arrow.Uint32()), 5);
  assertEquals(units("5", new arrow.Int64()), 5n);
  assertEquals(units("1e3", new arrow.Int64()), 1000n);
  assertEquals(units(2n ** 60n + 1n, new arrow.Int64()), 2n ** 60n + 1n);
  assertEquals(units("9007199254740993", new arrow.Uint64()), 9007199254740993n);
  assertEquals(units(10n ** 30n, new arrow.Int64()), 2n ** 64n);
  assertEquals(units(0.25, new arrow.Float32()), 0.25);
  assertEquals(units("0.1", new arrow.Float64()), 0.1);
  assertEquals(units(5e-324, new arrow.Float64()), 5e-324);
  assertEquals(units(1500, new arrow.TimestampMillisecond()), 1500n);
  assertEquals(units(3, new arrow.DateDay()), 3);
});

Deno.test("a duration becomes units of dates, times, timestamps and durations", () => {
  const cases: [string, arrow.DataType, number | bigint][] = [
    ["2s", new arrow.TimestampSecond(), 2n],
    ["2s", new arrow.TimestampMillisecond("Europe/Berlin"), 2000n],
    ["500ms", new arrow.TimestampMicrosecond(), 500_000n],
    ["1m", new arrow.TimestampNanosecond(), 60_000_000_000n],
    ["1h", new arrow.DurationSecond(), 3600n],
    ["2d", new arrow.DateDay(), 2],
    ["48h", new arrow.DateDay(), 2],
    ["2d", new arrow.DateMillisecond(), 172_800_000n],
    ["10us", new arrow.TimeMicrosecond(), 10n],
    ["7ns", new arrow.TimeNanosecond(), 7n],
    ["1.5s", new arrow.TimeMillisecond(), 1500],
    ["0s", new arrow.TimeSecond(), 0],
    ["1000 ms", new arrow.DurationSecond(), 1n],
  ];
  for (const [text, type, expected] of cases) assertEquals(units(text, type), expected, text);
});

Deno.test("what does not fit the unit of the column is an error", () => {
  const cases: [unknown, arrow.DataType, typeof RangeError | typeof TypeError, string][] = [
    [
      "500ms",
      new arrow.TimestampSecond(),
      RangeError,
      "not a whole number of seconds, the unit of ts",
    ],
    ["1h", new arrow.DateDay(), RangeError, "A tolerance of 1h is not a whole number of days"],
    ["7ns", new arrow.TimestampMicrosecond(), RangeError, "not a whole number of microseconds"],
    ["0.0005s", new arrow.TimeMillisecond(), RangeError, "not a whole number of milliseconds"],
    [0.5, new arrow.Int64(), RangeError, "A tolerance of 0.5 is not a whole number of units"],
    [1.5, new arrow.DurationSecond(), RangeError, "not a whole number of seconds"],
    ["2s", new arrow.Int64(), TypeError, "but ts is int64; give a number"],
    ["2s", new arrow.Float64(), TypeError, "but ts is float64; give a number"],
    [-1, new arrow.Int64(), RangeError, "A tolerance is a number of 0 or more"],
    [NaN, new arrow.Float64(), RangeError, "not NaN"],
    [Infinity, new arrow.Float64(), RangeError, "not Infinity"],
    ["1e999", new arrow.Float64(), RangeError, 'not "1e999"'],
    ["2 weeks", new arrow.DateDay(), RangeError, 'such as "2s", not "2 weeks"'],
    ["-2s", new arrow.TimestampSecond(), RangeError, 'not "-2s"'],
    ["", new arrow.Int64(), RangeError, 'not ""'],
    [{}, new arrow.Int64(), TypeError, "not object"],
  ];
  for (const [given, type, kind, message] of cases) {
    assertThrows(() => units(given, type), kind, message);
  }
});
