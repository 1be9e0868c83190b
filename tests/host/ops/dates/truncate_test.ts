import { assertEquals } from "@std/assert";
import { col } from "../../../../ops/expr/expr.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { localTime, randomTimes } from "../../../support/random/random_times.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const x = col("x");
const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
const NANOSECONDS: Readonly<Record<string, bigint>> = {
  hour: 3_600_000_000_000n,
  minute: 60_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
};

function floor(value: number, by: number): number {
  return Math.floor(value / by) * by;
}

/** The first day of the unit of a day, by counting months and days. */
function firstDay(date: Temporal.PlainDate, unit: string, n: number): Temporal.PlainDate {
  const months = MONTHS[unit];
  if (months !== undefined) {
    const first = floor(date.year * 12 + date.month - 1, months * n);
    return new Temporal.PlainDate(
      Math.floor(first / 12),
      first - Math.floor(first / 12) * 12 + 1,
      1,
    );
  }
  const from = new Temporal.PlainDate(1970, 1, unit === "week" ? 5 : 1);
  const days = floor(date.since(from).days, unit === "week" ? 7 * n : n);
  return from.add({ days });
}

function someUnit(random: SeededRandom, hasClock: boolean): [unit: string, n: number] {
  const day = random.pick(["year", "quarter", "month", "week", "day"]);
  if (!hasClock || random.chance(0.5)) return [day, random.pick([1, 1, 2, 5, 10, 100])];
  const unit = random.pick(Object.keys(NANOSECONDS));
  return [unit, unit === "hour" ? random.pick([1, 2, 6, 12]) : random.pick([1, 5, 10, 20])];
}

Deno.test("truncated dates and timestamps start where Temporal has the start of the unit", () =>
  forSeeds(fewOr(60, 600), (random) => {
    const { type, zone, values, nanoseconds } = randomTimes(random);
    const isDate = String(type).startsWith("Date");
    const [unit, n] = someUnit(random, !isDate);
    const step = NANOSECONDS[unit];
    const wanted = nanoseconds.map((time) => {
      const local = localTime(time, zone);
      if (step !== undefined) {
        const { hour, minute, second, millisecond, microsecond, nanosecond } = local;
        const within = BigInt((hour * 60 + minute) * 60 + second) * 1_000_000_000n +
          BigInt((millisecond * 1000 + microsecond) * 1000 + nanosecond);
        return time - within % (step * BigInt(n));
      }
      const first = firstDay(local.toPlainDate(), unit, n);
      return first.toZonedDateTime({ timeZone: zone ?? "UTC" }).epochNanoseconds;
    });
    const result = evaluateTyped(x.truncate(unit, n), { x: [type, [...values, null]] });
    const perUnit = isDate
      ? 86_400_000_000_000n
      : 1_000_000_000n / 1000n ** BigInt((type as unknown as { unit: number }).unit);
    const expected = wanted.map((time) => {
      if (isDate) return Number(time / perUnit);
      const value = time / perUnit;
      return BigInt.asIntN(64, value) === value ? value : null;
    });
    assertEquals(result, [...expected, null], `${unit} ${n} ${type}`);
  }));
