import { assertEquals } from "@std/assert";
import { TimeMicrosecond, TimeMillisecond, TimeNanosecond, TimeSecond } from "apache-arrow";
import { col, type Expr } from "../../../../ops/expr/expr.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { localTime, randomTimes } from "../../../support/random/random_times.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const x = col("x");

/** The fields of days, as Temporal names them. */
const DAYS: readonly (readonly [Expr, (time: Temporal.PlainDateTime) => number])[] = [
  [x.year(), (time) => time.year],
  [x.quarter(), (time) => Math.ceil(time.month / 3)],
  [x.month(), (time) => time.month],
  [x.week(), (time) => time.weekOfYear!],
  [x.isoYear(), (time) => time.yearOfWeek!],
  [x.day(), (time) => time.day],
  [x.weekday(), (time) => time.dayOfWeek],
  [x.dayOfYear(), (time) => time.dayOfYear],
];

/** The fields of a time of a day. */
const CLOCK: readonly (readonly [Expr, (time: Temporal.PlainTime) => number])[] = [
  [x.hour(), (time) => time.hour],
  [x.minute(), (time) => time.minute],
  [x.second(), (time) => time.second],
  [x.millisecond(), (time) => time.millisecond],
  [x.microsecond(), (time) => time.millisecond * 1000 + time.microsecond],
  [
    x.nanosecond(),
    (time) => (time.millisecond * 1000 + time.microsecond) * 1000 + time.nanosecond,
  ],
];

Deno.test("the fields of dates and timestamps are those of Temporal, in local time", () =>
  forSeeds(fewOr(30, 300), (random) => {
    const { type, zone, values, nanoseconds } = randomTimes(random);
    const times = nanoseconds.map((time) => localTime(time, zone));
    const input = { x: [type, [...values, null]] } as const;
    for (const [expr, field] of DAYS) {
      assertEquals(evaluateTyped(expr, input), [...times.map(field), null], `${expr} ${type}`);
    }
    if (nanoseconds.length === 0 || String(type).startsWith("Date")) return;
    for (const [expr, field] of CLOCK) {
      const wanted = times.map((time) => field(time.toPlainTime()));
      assertEquals(evaluateTyped(expr, input), [...wanted, null], `${expr} ${type}`);
    }
  }));

Deno.test("the fields of times of a day are those of Temporal, and 24:00 has hour 24", () =>
  forSeeds(4, (random) => {
    for (const type of [new TimeSecond(), new TimeMillisecond()]) {
      const by = 1000 ** type.unit;
      const values = Array.from({ length: 20 }, () => random.below(86_400 * by));
      const times = values.map((value) =>
        new Temporal.PlainTime().add({ milliseconds: value * (1000 / by) })
      );
      const input = { x: [type, values] } as const;
      for (const [expr, field] of CLOCK) {
        assertEquals(evaluateTyped(expr, input), times.map(field), `${expr} ${type}`);
      }
    }
    for (const type of [new TimeMicrosecond(), new TimeNanosecond()]) {
      const by = 1000 ** type.unit;
      const values = Array.from({ length: 20 }, () => Math.floor(random.next() * 86_400 * by));
      const times = values.map((value) =>
        new Temporal.PlainTime().add({ nanoseconds: value * (1e9 / by) })
      );
      const input = { x: [type, values.map(BigInt)] } as const;
      for (const [expr, field] of CLOCK) {
        assertEquals(evaluateTyped(expr, input), times.map(field), `${expr} ${type}`);
      }
    }
    assertEquals(evaluateTyped(x.hour(), { x: [new TimeSecond(), [86_400]] }), [24]);
  }));
