import { assertEquals } from "@std/assert";
import {
  clockText,
  dayText,
  isTimeOfDay,
  splitDay,
  withoutZeros,
} from "../../../base/time_text.ts";

const MS_PER_DAY = 86_400_000;

Deno.test("dayText() writes the days that Date does", () => {
  // Both ends of Date, and steps of about 73 years that meet every month and leap rule between.
  for (let day = -100_000_000; day <= 100_000_000; day += 26_729) {
    assertEquals(dayText(day), new Date(day * MS_PER_DAY).toISOString().replace(/T.*/, ""));
  }
  for (let day = -3000; day <= 60_000; day++) {
    assertEquals(dayText(day), new Date(day * MS_PER_DAY).toISOString().slice(0, 10));
  }
});

Deno.test("dayText() goes on beyond Date, by the calendar that repeats after 400 years", () => {
  assertEquals(dayText(100_000_001), "+275760-09-14");
  assertEquals(dayText(-100_000_001), "-271821-04-19");
  assertEquals(dayText(146_097 * 10_000), "+4001970-01-01");
});

Deno.test("splitDay() and clockText() write the times that Date does, before 1970 too", () => {
  for (let ms = -3 * MS_PER_DAY; ms <= 3 * MS_PER_DAY; ms += 12_345_678) {
    const expected = new Date(ms).toISOString().slice(0, -1);
    for (const [unit, zeros] of [[1, ""], [2, "000"], [3, "000000"]] as const) {
      const [day, timeOfDay] = splitDay(BigInt(ms) * 1000n ** BigInt(unit - 1), unit);
      assertEquals(`${dayText(day)}T${clockText(timeOfDay, unit)}`, expected + zeros);
    }
    const [day, timeOfDay] = splitDay(BigInt(Math.floor(ms / 1000)), 0);
    assertEquals(`${dayText(day)}T${clockText(timeOfDay, 0)}`, expected.slice(0, -4));
  }
});

Deno.test("a time of a day lies from 00:00 to 24:00", () => {
  assertEquals([-1n, 0n, 86_400n, 86_401n].map((count) => isTimeOfDay(count, 0)), [
    ...[false, true],
    ...[true, false],
  ]);
  assertEquals(isTimeOfDay(86_400_001n, 1), false);
  assertEquals(clockText(86_400_000_000_000n, 3), "24:00:00.000000000");
});

Deno.test("withoutZeros() drops the zeros at the end of a fraction alone", () => {
  const cases = [
    ["23:59:59.500", "23:59:59.5"],
    ["23:59:00.000", "23:59:00"],
    ["23:59:00", "23:59:00"],
    ["00:00:00.001", "00:00:00.001"],
  ] as const;
  for (const [text, expected] of cases) assertEquals(withoutZeros(text), expected);
});
