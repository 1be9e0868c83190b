import { assertEquals } from "@std/assert";
import {
  dayOfMonth,
  dayOfYearOf,
  firstOfMonth,
  isoYearOfDay,
  monthOfDay,
  plusMonths,
  weekdayOfDay,
  weekOfDay,
  yearOfDay,
} from "../../../../ops/time/civil.ts";
import { NO_DAY } from "../../../../ops/time/calendar.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

/** The days of 400 years, after which the calendar and its weeks repeat. */
const ERA = 146_097;
const EPOCH = Temporal.PlainDate.from("1970-01-01");

/** A day of 32 bits: often at the ends of years, of months or of the range. */
function someDay(random: SeededRandom): number {
  const any = Math.floor((random.next() - 0.5) * 2 ** 32);
  if (random.chance(0.3)) return any;
  if (random.chance(0.1)) return random.pick([-(2 ** 31) + 1, 2 ** 31 - 1, 0, -1, -719468, 11016]);
  const year = 1970 + Math.floor((random.next() - 0.5) * 6000);
  return Math.floor(Date.UTC(year, random.below(13), random.below(4)) / 86_400_000);
}

/** The same day in the years around 1970, and the years between both. */
function near(day: number): { readonly date: Temporal.PlainDate; readonly years: number } {
  const eras = Math.floor(day / ERA);
  return { date: EPOCH.add({ days: day - eras * ERA }), years: 400 * eras };
}

Deno.test("the fields of any day of 32 bits are those of Temporal", () =>
  forSeeds(2000, (random) => {
    const day = someDay(random);
    const { date, years } = near(day);
    assertEquals(
      [yearOfDay(day), monthOfDay(day), dayOfMonth(day), dayOfYearOf(day), weekdayOfDay(day)],
      [date.year + years, date.month, date.day, date.dayOfYear, date.dayOfWeek],
    );
    assertEquals([isoYearOfDay(day), weekOfDay(day)], [date.yearOfWeek! + years, date.weekOfYear]);
    assertEquals(firstOfMonth(yearOfDay(day), monthOfDay(day)), BigInt(day - date.day + 1));
  }));

Deno.test("a day some months later is the one of Temporal, or none beyond 32 bits", () =>
  forSeeds(2000, (random) => {
    const day = someDay(random);
    const months = random.chance(0.5)
      ? random.below(60) - 30
      : Math.floor((random.next() - 0.5) * 2 ** random.below(50));
    const { date, years } = near(day);
    const eras = Math.floor(months / 4800);
    const moved = date.add({ months: months - eras * 4800 });
    const days = moved.since(EPOCH).days + (years / 400 + eras) * ERA;
    const isDay = days > -(2 ** 31) && days < 2 ** 31;
    assertEquals(plusMonths(day, BigInt(months)), isDay ? days : NO_DAY, `${day} + ${months}`);
  }));
