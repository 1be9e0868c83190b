import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type DataType,
  DateDay,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Utf8,
} from "apache-arrow";
import { col, type Expr } from "../../../../ops/expr/expr.ts";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { compileTyped, evaluateTyped } from "../../../support/kernels/programs.ts";
import { askPython, pythonTest } from "../../../support/judges/python.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";
import {
  instantOf,
  isoTime,
  offsetAt,
  startOfDay,
  writeTime,
} from "../../../support/models/time_model.ts";

const x = col("x");
const DAY = 86_400;
const YEAR = 31_556_952;
const TYPES = [TimestampSecond, TimestampMillisecond, TimestampMicrosecond, TimestampNanosecond];
const ZONES = Intl.supportedValuesOf("timeZone");

/** A transition near a time, as Temporal tells it. */
const { Temporal } = globalThis as unknown as {
  Temporal: {
    Instant: {
      fromEpochMilliseconds(value: number): {
        toZonedDateTimeISO(zone: string): {
          getTimeZoneTransition(way: "next"): { readonly epochMilliseconds: number } | null;
        };
      };
    };
  };
};

function nextChange(second: number, zone: string): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zone);
  const next = zoned.getTimeZoneTransition("next");
  return next === null ? second : Math.floor(next.epochMilliseconds / 1000);
}

/** Seconds, many of them around the times at which the clocks of a zone were changed. */
function someSeconds(random: SeededRandom, zone: string, count: number): number[] {
  return Array.from({ length: count }, () => {
    const second = Math.floor((random.next() * 300 - 130) * YEAR);
    if (random.chance(0.2)) return Math.floor((random.next() * 4000 - 1500) * YEAR);
    const change = nextChange(second, zone);
    return random.chance(0.5) ? second : change + random.pick([-1, 0, 1, -3600, 3600, -DAY, DAY]);
  });
}

Deno.test("times of every zone are written in its local time, as Temporal has it", () =>
  forSeeds(1, (random) => {
    let numChanged = 0;
    const drawn = new Set<string>();
    const [numZones, numOffsets] = [fewOr(14, 50), fewOr(4, 10)];
    for (let i = 0; i < numZones + numOffsets; i++) {
      const zone = i < numZones
        ? random.pick(ZONES)
        : random.pick(["+05:45", "-0330", "+14", "-00:01"]);
      drawn.add(zone);
      const type = new (random.pick(TYPES))(zone);
      const by = 1000n ** BigInt(type.unit);
      const values = someSeconds(random, zone, 40).map((second) =>
        BigInt.asIntN(64, BigInt(second) * by + BigInt(random.below(Number(by))))
      );
      const input = { x: [type, [...values, null]] } as const;
      const wanted = (write: (value: bigint) => unknown) => [...values.map(write), null];
      assertEquals(evaluateTyped(x.toString(), input), wanted((value) => isoTime(value, type)));
      const pattern = "%Y-%m-%d %H:%M:%S.%f%z %j %p";
      assertEquals(
        evaluateTyped(x.format(pattern), input),
        wanted((value) => writeTime(value, type, pattern)),
      );
      const offsets = values.map((value) => offsetAt(floor(value, by), zone));
      numChanged += new Set(offsets).size > 1 ? 1 : 0;
      assertEquals(
        evaluateTyped(x.toDate(), input),
        wanted((value) =>
          Number(floor(floor(value, by) + offsetAt(floor(value, by), zone), 86_400n))
        ),
      );
    }
    const isEnough = numChanged > numZones / 5 && drawn.size > 0.6 * numZones;
    assert(isEnough, `${numChanged} of ${drawn.size} zones changed`);
  }));

function floor(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by;
}

Deno.test("local time becomes the instant that it is there, once; else nothing, or an error", () =>
  forSeeds(1, (random) => {
    const seen = { once: 0, none: 0 };
    for (let i = 0; i < fewOr(12, 40); i++) {
      const zone = random.pick(ZONES);
      const seconds = someSeconds(random, zone, 40).flatMap((second) => {
        const offset = Number(offsetAt(BigInt(second), zone));
        return [second + offset, second + offset + random.pick([-3600, -1800, 1, 1800])];
      }).filter((second) => Math.abs(second) < 200 * YEAR);
      const wanted = seconds.map((second) => instantOf(BigInt(second), zone));
      for (const instant of wanted) seen[instant === null ? "none" : "once"]++;
      const input = { x: [new TimestampSecond(), seconds.map(BigInt)] } as const;
      assertEquals(evaluateTyped(x.tryCast(`timestamp[s, ${zone}]`), input), wanted, zone);
      // As text, with and without an offset, and back.
      const texts = seconds.map((second) => isoTime(BigInt(second), new TimestampSecond()));
      assertEquals(
        evaluateTyped(x.tryCast(`timestamp[s, ${zone}]`), { x: [new Utf8(), texts] }),
        wanted,
        zone,
      );
      const instants = wanted.filter((value) => value !== null);
      const zoned = { x: [new TimestampSecond(zone), instants] } as const;
      assertEquals(evaluateTyped(x.toString().cast(`timestamp[s, ${zone}]`), zoned), instants);
      assertEquals(
        evaluateTyped(x.cast("timestamp[s]").cast(`timestamp[s, ${zone}]`), zoned),
        instants,
      );
    }
    const isEnough = seen.once > fewOr(300, 1000) && seen.none > fewOr(3, 20);
    assert(isEnough, JSON.stringify(seen));
  }));

Deno.test("published times of zones: summer time, half hours, a day left out, local mean time", () => {
  const cases: [string, number, string][] = [
    ["Europe/Berlin", Date.UTC(2024, 2, 31, 0, 59, 59), "2024-03-31T01:59:59+01:00"],
    ["Europe/Berlin", Date.UTC(2024, 2, 31, 1), "2024-03-31T03:00:00+02:00"],
    ["Europe/Berlin", Date.UTC(2024, 9, 27, 0, 30), "2024-10-27T02:30:00+02:00"],
    ["Europe/Berlin", Date.UTC(2024, 9, 27, 1, 30), "2024-10-27T02:30:00+01:00"],
    ["America/New_York", Date.UTC(2024, 6, 4), "2024-07-03T20:00:00-04:00"],
    ["Asia/Kolkata", Date.UTC(2024, 0, 1, 18, 30), "2024-01-02T00:00:00+05:30"],
    ["Asia/Kathmandu", Date.UTC(2024, 0, 1), "2024-01-01T05:45:00+05:45"],
    ["Australia/Lord_Howe", Date.UTC(2024, 3, 6, 14, 59), "2024-04-07T01:59:00+11:00"],
    ["Australia/Lord_Howe", Date.UTC(2024, 3, 6, 15, 0), "2024-04-07T01:30:00+10:30"],
    ["Pacific/Apia", Date.UTC(2011, 11, 30, 9, 59), "2011-12-29T23:59:00-10:00"],
    ["Pacific/Apia", Date.UTC(2011, 11, 30, 10), "2011-12-31T00:00:00+14:00"],
    ["Africa/Monrovia", Date.UTC(1970, 0, 1), "1969-12-31T23:15:30-00:44:30"],
    ["+02:00", 0, "1970-01-01T02:00:00+02:00"],
    ["-03:30", 0, "1969-12-31T20:30:00-03:30"],
  ];
  for (const [zone, milliseconds, text] of cases) {
    const input = { x: [new TimestampMillisecond(zone), [BigInt(milliseconds)]] } as const;
    assertEquals(evaluateTyped(x.toString(), input), [text]);
    assertEquals(evaluateTyped(x.format("%F"), input), [text.slice(0, 10)]);
    assertEquals(evaluateTyped(x.toDate().toString(), input), [text.slice(0, 10)]);
    assertEquals(evaluateTyped(x.eq(text), input), [true]);
    assertEquals(evaluateTyped(x.toString().toTimestamp(), input), [BigInt(milliseconds) * 1000n]);
  }
});

pythonTest("local times agree with Python's zoneinfo", () =>
  forSeeds(1, async (random) => {
    const cases = Array.from({ length: 300 }, () => {
      const zone = random.pick(["Europe/Berlin", "America/Sao_Paulo", "Asia/Tehran", "Asia/Kolkata"]
        .concat(["Australia/Lord_Howe", "America/New_York", "Africa/Cairo"]));
      // Python has rules, and no more than a footer, from 2037 on; both have them before.
      return { zone, second: 1_000_000_000 + random.below(1_000_000_000) };
    });
    const answers = await askPython(
      cases.map(({ zone, second }) => ({ op: "zoned", text: String(second), args: [zone] })),
    );
    for (const zone of new Set(cases.map(({ zone }) => zone))) {
      const rows = cases.flatMap((given, row) => given.zone === zone ? [row] : []);
      const values = rows.map((row) => BigInt(cases[row]!.second));
      assertEquals(
        evaluateTyped(x.toString(), { x: [new TimestampSecond(zone), values] }),
        rows.map((row) => answers[row] as string),
        zone,
      );
    }
  }));

Deno.test("literals without an offset are local: a day is its first instant, a time has to be there once", () => {
  const zones = ["Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kolkata", "+09:00"];
  for (const zone of zones) {
    for (const day of ["2018-11-04", "2024-03-31", "2011-12-30", "2011-12-31", "1900-01-01"]) {
      const start = startOfDay(day, zone);
      const input = { x: [new TimestampSecond(zone), [start - 1n, start]] } as const;
      assertEquals(evaluateTyped(x.ge(day), input), [false, true], `${zone} ${day}`);
      assertEquals(evaluateTyped(x.isIn(day, "1999-01-01"), input), [false, true]);
      assertEquals(evaluateTyped(lookup(x, day), input), [start, start]);
    }
  }
  const berlin = (expr: Expr, type: DataType = new TimestampSecond("Europe/Berlin")) => () =>
    compileTyped(expr, { x: [type, []] });
  const cases: [() => unknown, string][] = [
    [
      berlin(x.lt("2024-03-31T02:30")),
      'Cannot compare x (timestamp[s, Europe/Berlin]) with "2024-03-31T02:30"; the clocks of ' +
      "Europe/Berlin were put forward over it",
    ],
    [
      berlin(x.isIn("2024-10-27T02:30")),
      'Cannot compare x (timestamp[s, Europe/Berlin]) with "2024-10-27T02:30"; it comes twice ' +
      "in Europe/Berlin; write its offset, +02:00 or +01:00",
    ],
    [
      berlin(x.fillNull("2024-10-27T02:30")),
      'fillNull() needs two values of one type: x (timestamp[s, Europe/Berlin]) and "2024-10-' +
      '27T02:30" (string) have none in common; it comes twice in Europe/Berlin; write its offset, ' +
      "+02:00 or +01:00",
    ],
    [
      berlin(x.eq("2024-01-01"), new TimestampSecond("Mars/Olympus")),
      'Cannot compare x (timestamp[s, Mars/Olympus]) with "2024-01-01"; unknown time zone ' +
      '"Mars/Olympus"; zones are named as Europe/Berlin, UTC or +02:00',
    ],
    [
      berlin(x.format("%H %Z")),
      "format(x): %Z has no short name for Europe/Berlin; %z writes its offset",
    ],
    [
      berlin(x.toTimestamp()),
      'toTimestamp(x): a timestamp in Europe/Berlin is cast("timestamp[us]") for its local time, ' +
      'and cast("timestamp[us, UTC]").toTimestamp() for its time in UTC',
    ],
    [
      berlin(x.toString(), new TimestampSecond("Europe/Berln")),
      'toString(x): unknown time zone "Europe/Berln"; did you mean Europe/Berlin?',
    ],
    [
      berlin(x.cast("date32"), new TimestampSecond("Europe/Berln")),
      "Cannot cast x from timestamp[s, Europe/Berln] to date32: unknown time zone " +
      '"Europe/Berln"; did you mean Europe/Berlin?',
    ],
  ];
  for (const [compile, message] of cases) {
    const error = assertThrows(compile, ExprError);
    assertEquals(error.message, message);
  }
  assertThrows(() => x.cast("timestamp[us, Europe/Berln]"), RangeError, "unknown time zone");
});

/** The literal as a value of the column's type. */
function lookup(column: Expr, literal: string): Expr {
  return column.isNull().ifElse(column, column.ne(column).ifElse(column, literal));
}

Deno.test("two zones are compared by the instant, and a time without a zone is refused beside one", () => {
  const input = {
    x: [new TimestampSecond("Europe/Berlin"), [0n, 5n]],
    y: [new TimestampSecond("Asia/Tokyo"), [0n, 6n]],
    z: [new TimestampSecond(), [0n, 6n]],
  } as const;
  assertEquals(evaluateTyped(x.eq(col("y")), input), [true, false]);
  assertEquals(evaluateTyped(x.cast("timestamp[s, Asia/Tokyo]"), input), [0n, 5n]);
  const error = assertThrows(() => compileTyped(x.eq(col("z")), input), ExprError);
  assertEquals(
    error.message,
    "Cannot compare x (timestamp[s, Europe/Berlin]) with z (timestamp[s]); one has a time " +
      'zone; cast("timestamp[s, Europe/Berlin]") takes the other as local time of it',
  );
  assertEquals(evaluateTyped(x.eq(col("z").cast("timestamp[s, Europe/Berlin]")), input), [
    ...[false, false],
  ]);
});

Deno.test("days become midnights of a zone, and only midnights of it are days", () => {
  const dates = { x: [new DateDay(), [19_813, 0]] } as const;
  assertEquals(evaluateTyped(x.cast("timestamp[s, Europe/Berlin]"), dates), [
    ...[1_711_839_600n, -3_600n],
  ]);
  const back = { x: [new TimestampSecond("Europe/Berlin"), [1_711_839_600n, 1_711_839_601n]] };
  assertEquals(evaluateTyped(x.tryCast("date32"), back as never), [19_813, null]);
});
