import { assertEquals } from "@std/assert";
import { Int32, Int64, TimeMicrosecond, TimeSecond } from "apache-arrow";
import { col } from "../../../../ops/expr/expr.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { localTime, randomTimes } from "../../../support/random/random_times.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const x = col("x");
const CALENDAR = ["year", "month", "week", "day"];
const CLOCK = ["hour", "minute", "second", "millisecond", "microsecond", "nanosecond"];
const LENGTH = [3600_000_000_000n, 60_000_000_000n, 1_000_000_000n, 1_000_000n, 1_000n, 1n];

Deno.test("dates and timestamps move as Temporal moves them, in the time zone too", () =>
  forSeeds(fewOr(60, 600), (random) => {
    const { type, zone, values, nanoseconds } = randomTimes(random);
    const isDate = String(type).startsWith("Date");
    const perUnit = isDate
      ? 86_400_000_000_000n
      : 1_000_000_000n / 1000n ** BigInt((type as unknown as { unit: number }).unit);
    const counts = values.map(() => random.below(40) - 20);
    const clock = CLOCK.filter((_, index) => !isDate && LENGTH[index]! % perUnit === 0n);
    const unit = random.pick([...CALENDAR, ...clock]);
    const wanted = nanoseconds.map((time, index) => {
      const by = { [`${unit}s`]: counts[index]! };
      const moved = Temporal.Instant.fromEpochNanoseconds(time).toZonedDateTimeISO(zone ?? "UTC")
        .add(by).epochNanoseconds;
      if (isDate) return Number(moved / perUnit);
      const value = moved / perUnit;
      return BigInt.asIntN(64, value) === value ? value : null;
    });
    const numbers = random.chance(0.5) ? [new Int32(), counts] as const : [
      new Int64(),
      counts.map(BigInt),
    ] as const;
    const input = { x: [type, [...values, null]], n: [numbers[0], [...numbers[1], 1]] } as const;
    assertEquals(
      evaluateTyped(x.plus(col("n"), unit), input),
      [...wanted, null],
      `${unit} ${type}`,
    );
  }));

Deno.test("since counts the whole units of Temporal between local times", () =>
  forSeeds(fewOr(60, 600), (random) => {
    const { type, zone, values, nanoseconds } = randomTimes(random, { years: 60 });
    const isDate = String(type).startsWith("Date");
    const starts = values.map(() => random.below(values.length));
    const unit = random.pick(isDate ? CALENDAR : [...CALENDAR, "hour", "minute", "second"]);
    const wanted = nanoseconds.map((time, index) => {
      const start = nanoseconds[starts[index]!]!;
      const at = CLOCK.indexOf(unit);
      if (at >= 0) return (time - start) / LENGTH[at]!;
      // Not rounded by Temporal, which counts a month more where the last day is almost complete.
      const between = localTime(start, zone).until(localTime(time, zone), {
        largestUnit: unit as "day",
      });
      return BigInt(between[`${unit}s` as "days"]);
    });
    const input = {
      x: [type, values],
      start: [type, starts.map((row) => values[row]!)],
    } as const;
    assertEquals(evaluateTyped(x.since(col("start"), unit), input), wanted, `${unit} ${type}`);
  }));

Deno.test("times of a day of 32 bits move and are truncated as those of 64", () => {
  const seconds = Array.from({ length: 40 }, (_, row) => row % 7 === 3 ? null : row * 2203);
  const input = { x: [new TimeSecond(), seconds] } as const;
  const wide = {
    x: [new TimeMicrosecond(), seconds.map((value) => value && BigInt(value) * 1_000_000n)],
  } as const;
  for (const moved of [x.plus(-5, "hour").orNull(), x.truncate("minute", 15)]) {
    const wanted = evaluateTyped(moved, wide).map((value) =>
      value === null ? null : Number(value) / 1e6
    );
    assertEquals(evaluateTyped(moved, input), wanted);
  }
});
