import { assertEquals, assertThrows } from "@std/assert";
import {
  DataType,
  DateDay,
  DurationMicrosecond,
  DurationMillisecond,
  DurationNanosecond,
  DurationSecond,
  Int32,
  Int64,
} from "apache-arrow";
import { col } from "../../../../ops/expr/expr.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { localTime, randomTimes } from "../../../support/random/random_times.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const x = col("x");
const LENGTHS: Readonly<Record<string, bigint>> = {
  week: 604_800_000_000_000n,
  day: 86_400_000_000_000n,
  hour: 3_600_000_000_000n,
  minute: 60_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
  nanosecond: 1n,
};

Deno.test("a date is made of numbers where the calendar has it, and is null elsewhere with orNull", () =>
  forSeeds(fewOr(20, 100), (random) => {
    const rows = Array.from({ length: 30 }, () => [
      random.chance(0.2) ? Math.floor((random.next() - 0.5) * 40_000) : 1900 + random.below(200),
      random.below(14),
      random.below(33),
    ]);
    const wanted = rows.map(([year, month, day]) => {
      try {
        const date = Temporal.PlainDate.from(
          { year: year!, month: month!, day: day! },
          { overflow: "reject" },
        );
        return date.since("1970-01-01").days;
      } catch {
        return null;
      }
    });
    const input = {
      year: [new Int64(), rows.map(([year]) => BigInt(year!))],
      month: [new Int32(), rows.map(([, month]) => month!)],
      day: [new Int64(), rows.map(([, , day]) => BigInt(day!))],
    } as const;
    const date = col("year").makeDate(col("month"), col("day"));
    assertEquals(evaluateTyped(date.orNull(), input), wanted);
  }));

Deno.test("the last day of the month, and the count of units since 1970, are those of Temporal", () =>
  forSeeds(fewOr(30, 300), (random) => {
    const { type, zone, values, nanoseconds } = randomTimes(random);
    const input = { x: [type, [...values, null]] } as const;
    const days = nanoseconds.map((time) => {
      const date = localTime(time, zone).toPlainDate();
      return date.with({ day: date.daysInMonth }).since("1970-01-01").days;
    });
    assertEquals(evaluateTyped(x.monthEnd(), input), [...days, null]);
    const unit = random.pick(Object.keys(LENGTHS).filter((unit) => unit !== "week"));
    const length = LENGTHS[unit]!;
    const counts = nanoseconds.map((time) => (time - (time % length + length) % length) / length);
    assertEquals(evaluateTyped(x.epoch(unit), input), [...counts, null], `${unit} ${type}`);
  }));

Deno.test("a number of units is a duration of their length, and back", () => {
  const types = [
    new DurationSecond(),
    new DurationMillisecond(),
    new DurationMicrosecond(),
    new DurationNanosecond(),
  ];
  for (const [unit, length] of Object.entries(LENGTHS)) {
    const input = { x: [new Int64(), [90n, -1n, null]] } as const;
    const seconds = length >= 1_000_000_000n;
    const each = seconds ? 1_000_000_000n : length;
    const step = length / each;
    assertEquals(evaluateTyped(x.duration(unit), input), [90n * step, -step, null], unit);
    for (const type of types) {
      const own = 1_000_000_000n / 1000n ** BigInt(DataType.isDuration(type) ? type.unit : 0);
      const totals = [5400n, -7n].map((value) => Number(value * own) / Number(length));
      const rows = { x: [type, [5400n, -7n, null]] } as const;
      assertEquals(evaluateTyped(x.total(unit), rows), [...totals, null], `${unit} ${type}`);
    }
  }
});

Deno.test("units that do not fit an operation are refused with a reason", () => {
  assertThrows(() => x.duration("month"), RangeError, 'plus(n, "month") moves a date by them');
  assertThrows(() => x.total("yaer"), RangeError, "did you mean year?");
  assertThrows(() => x.epoch("month"), RangeError, "no units of it");
  assertThrows(() => x.truncate("hour", 5), RangeError, "n divides 24");
  assertThrows(
    () => evaluateTyped(x.plus(1, "hour"), { x: [new DateDay(), [0]] }),
    Error,
    "toTimestamp() gives a date a time of day",
  );
});
