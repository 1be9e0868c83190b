import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  DateDay,
  DateMillisecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Utf8,
} from "apache-arrow";
import { col } from "../../../../../ops/expr/expr.ts";
import { piecesOf } from "../../../../../ops/time/time_format.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import { askPython, pythonTest } from "../../../../support/judges/python.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { dayText } from "../../../../../base/time_text.ts";
import { compileTyped, evaluateTyped } from "../../../../support/kernels/programs.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const x = col("x");
const DAY = 86_400_000;
const texts = (values: readonly (string | null)[]) => ({ x: [new Utf8(), values] }) as const;

/** Days at the ends of years and of what is supported, and random ones. */
function someDays(random: SeededRandom): number[] {
  const years = Array.from({ length: 200 }, () => random.below(10_000));
  const ends = [...years, 0, 1, 4, 100, 400, 1600, 1900, 1970, 2000, 2100, 9999].flatMap((year) => {
    const first = new Date(Date.UTC(2000, 0, 1)).setUTCFullYear(year) / DAY;
    return [first, first - 1, first + 58, first + 59, first + 60];
  });
  return ends.filter((day) => day >= -719_528 && day <= 2_932_896);
}

/** ISO by JavaScript's Date. */
function isoDay(day: number): string {
  const text = new Date(day * DAY).toISOString();
  return text.slice(0, text.indexOf("T")).replace(/^\+0*(?=\d{5})/, "").replace(/^-00/, "-");
}

Deno.test("dates of the years 0 to 9999 are written as JavaScript writes them, and read back", () =>
  forSeeds(fewOr(1, 5), (random) => {
    const days = someDays(random);
    const written = evaluateTyped(x.toString(), { x: [new DateDay(), days] });
    assertEquals(written, days.map(isoDay));
    assertEquals(evaluateTyped(x.toString().toDate(), { x: [new DateDay(), days] }), days);
    const midnights = days.map((day) => BigInt(day) * 86_400_000_000n);
    assertEquals(evaluateTyped(x.toTimestamp(), { x: [new DateDay(), days] }), midnights);
    assertEquals(
      evaluateTyped(x.toString().toTimestamp(), { x: [new DateDay(), days] }),
      midnights,
    );
    assertEquals(evaluateTyped(x.toDate(), { x: [new TimestampMicrosecond(), midnights] }), days);
  }));

Deno.test("dates outside of four digits are written with more, or with a sign", () => {
  const days = [-719_529, 2_932_897, 100_000_000, -100_000_000, -800_000];
  assertEquals(evaluateTyped(x.toString(), { x: [new DateDay(), days] }), days.map(isoDay));
  const extremes = [2 ** 31 - 1, -(2 ** 31)];
  assertEquals(evaluateTyped(x.toString(), { x: [new DateDay(), extremes] }), [
    ...["5881580-07-11", "-5877641-06-23"],
  ]);
  const milliseconds = [0n, -1n, 86_400_000n, -86_400_001n];
  assertEquals(evaluateTyped(x.toString(), { x: [new DateMillisecond(), milliseconds] }), [
    ...["1970-01-01", "1969-12-31", "1970-01-02", "1969-12-30"],
  ]);
});

Deno.test("dates and times of every year are read as toString() and as files write them", () =>
  forSeeds(fewOr(4, 40), (random) => {
    // Whole years, from -5877640 to 5881579.
    const days = Array.from(
      { length: 200 },
      () =>
        random.chance(0.5)
          ? random.below(8_000_000) - 4_000_000
          : Math.floor((random.next() - 0.5) * (2 ** 32 - 400)),
    )
      .concat([-2_147_483_456, 2_147_483_454, -719_528, -719_529, 2_932_896, 2_932_897]);
    const typed = { x: [new DateDay(), days] } as const;
    assertEquals(evaluateTyped(x.toString().toDate(), typed), days);
    assertEquals(evaluateTyped(x.toString().cast("date32"), typed), days);
    assertEquals(evaluateTyped(x.toDate(), texts(days.map(dayText))), days);
    const seconds = days.map((day) => BigInt(day) * 86_400n + BigInt(random.below(86_400)));
    const times = { x: [new TimestampSecond(), seconds] } as const;
    assertEquals(evaluateTyped(x.toString().cast("timestamp[s]"), times), seconds);
  }));

Deno.test("a year of other than four digits is read in the forms that are written, in no other", () => {
  const wrong = ["+2024-02-29", "02024-02-29", "-976-02-28", "-0000-01-01", "+00011024-02-28"]
    .concat(["11024-2-28", "11024-02-30", "5881580-01-01", "-5877641-12-31", "1102-4-02-28"]);
  assertEquals(evaluateTyped(x.toDate(), texts(wrong)), wrong.map(() => null));
  const right = ["11024-02-28", "+011024-02-28", "+0011024-02-28", "-0976-02-28", "-000976-02-28"];
  const days = [3_306_963, 3_306_963, 3_306_963, -1_075_947, -1_075_947];
  assertEquals(evaluateTyped(x.toDate(), texts(right)), days);
  assertEquals(evaluateTyped(x.toTimestamp(), texts(["+011024-02-28T01:00+01:00"])), [
    3_306_963n * 86_400_000_000n,
  ]);
});

const UNITS = [
  [new TimestampSecond(), 1n],
  [new TimestampMillisecond(), 1_000n],
  [new TimestampMicrosecond(), 1_000_000n],
  [new TimestampNanosecond(), 1_000_000_000n],
] as const;

Deno.test("timestamps of every unit are written as JavaScript and BigInt write them", () =>
  forSeeds(fewOr(3, 10), (random) => {
    for (const [type, perSecond] of UNITS) {
      const values = Array.from({ length: 200 }, () => {
        const seconds = BigInt(Math.floor((random.next() - 0.2) * 2 ** (10 + random.below(27))));
        return seconds * perSecond + BigInt(Math.floor(random.next() * Number(perSecond)));
      }).concat([0n, -1n, 1n, perSecond, -perSecond, 86_400n * perSecond - 1n]);
      const input = { x: [type, values.map((value) => BigInt.asIntN(64, value))] } as const;
      const wanted = input.x[1].map((value) => {
        const part = ((value % perSecond) + perSecond) % perSecond;
        const seconds = (value - part) / perSecond;
        const day = new Date(Number(seconds) * 1000).toISOString().slice(0, -5)
          .replace(/^\+0*(?=\d{5})/, "").replace(/^-00/, "-");
        const digits = String(part).padStart(String(perSecond).length - 1, "0").replace(/0+$/, "");
        return part === 0n ? day : `${day}.${digits}`;
      });
      assertEquals(evaluateTyped(x.toString(), input), wanted);
      const floor = (value: bigint, by: bigint) => (value - (((value % by) + by) % by)) / by;
      assertEquals(
        evaluateTyped(x.toDate(), input),
        input.x[1].map((value) => Number(floor(value, 86_400n * perSecond))),
      );
      assertEquals(
        evaluateTyped(x.toTimestamp(), input),
        input.x[1].map((value) => {
          const micros = perSecond > 1_000_000n
            ? floor(value, 1000n)
            : value * 1_000_000n / perSecond;
          return BigInt.asIntN(64, micros) === micros ? micros : null;
        }),
      );
    }
  }));

Deno.test("timestamps at the ends of 64 bits are right or null, never wrong", () => {
  const ends = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 62n, -(2n ** 62n)];
  for (const [type, perSecond] of UNITS) {
    const micros = ends.map((value) => {
      const exact = perSecond > 1_000_000n
        ? (value < 0n ? -((-value + 999n) / 1000n) : value / 1000n)
        : value * (1_000_000n / perSecond);
      return BigInt.asIntN(64, exact) === exact ? exact : null;
    });
    // The least integer has no magnitude of 63 bits, and is refused where it is multiplied.
    assertEquals(evaluateTyped(x.toTimestamp(), { x: [type, ends] }), micros);
    const days = evaluateTyped(x.toDate(), { x: [type, ends] });
    const wanted = ends.map((value) => {
      const by = 86_400n * perSecond;
      const day = (value - (((value % by) + by) % by)) / by;
      return BigInt.asIntN(32, day) === day ? Number(day) : null;
    });
    assertEquals(days, wanted);
  }
});

const ISO: readonly (readonly [string, string | null])[] = [
  ["2001-03-14", "2001-03-14T00:00:00.000Z"],
  ["2001-03-14T15:09", "2001-03-14T15:09:00.000Z"],
  ["2001-03-14t15:09:26", "2001-03-14T15:09:26.000Z"],
  ["2001-03-14 15:09:26.5", "2001-03-14T15:09:26.500Z"],
  ["2001-03-14 15:09:26.535897932", "2001-03-14T15:09:26.535Z"],
  ["2001-03-14T15:09:26Z", "2001-03-14T15:09:26.000Z"],
  ["2001-03-14T15:09:26.123+01:30", "2001-03-14T13:39:26.123Z"],
  ["2001-03-14T00:00-0030", "2001-03-14T00:30:00.000Z"],
  ["2001-03-14T00:00+14", "2001-03-13T10:00:00.000Z"],
  ["2001-12-31T23:59:59-23:59", "2002-01-01T23:58:59.000Z"],
  ["1969-12-31T23:59:59.999", "1969-12-31T23:59:59.999Z"],
  ["0000-01-01", "0000-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999", "9999-12-31T23:59:59.999Z"],
  ...[
    ...[
      "",
      "2001",
      "2001-3-14",
      "2001-03-14T",
      "2001-03-14T15",
      "2001-03-14T15:",
      "2001-03-14T15:9",
    ],
    ...["2001-03-14T24:00", "2001-03-14T15:60", "2001-03-14T15:09:60", "2001-03-14T15:09:26."],
    ...["2001-03-14T15:09:26.5+", "2001-03-14T15:09+1", "2001-03-14T15:09+24:00", "2001-02-29"],
    ...[
      "2001-03-14X15:09",
      "2001-03-14T15:09 ",
      " 2001-03-14",
      "2001-00-14",
      "2001-13-01",
      "2001-04-31",
    ],
    ...[
      "2001-03-14T15:09+01:60",
      "2001-03-14Z",
      "1900-02-29",
      "-001-03-14",
      "２００１-03-14",
      "2001-03-14é",
    ],
  ].map((text) => [text, null] as const),
];

Deno.test("toTimestamp() reads ISO 8601 with fractions and offsets, and nothing that is not quite it", () => {
  for (const cases of [ISO, ISO.filter(([text]) => /^[\0-\x7f]*$/.test(text))]) {
    const wanted = cases.map(([text, iso]) => {
      if (iso === null) return null;
      const rest = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? "";
      return BigInt(Date.parse(iso)) * 1000n + BigInt(rest.padEnd(3, "0"));
    });
    assertEquals(evaluateTyped(x.toTimestamp(), texts(cases.map(([text]) => text))), wanted);
  }
});

Deno.test("toTimestamp() agrees with DuckDB on ISO 8601 without an offset wherever both take it", async () => {
  // DuckDB leaves an offset out where a timestamp has no zone.
  const list = ISO.map(([text]) => text).filter((text) =>
    !/[+-]\d\d:?\d\d$|[+-]\d\d$/.test(text.slice(10))
  );
  const rows = await queryDuckDb(
    `select epoch_us(try_cast(t as timestamp)) as n from (select unnest([${
      list.map((text) => `'${text}'`).join(", ")
    }]) as t)`,
  );
  const ours = evaluateTyped(x.toTimestamp(), texts(list));
  let numBoth = 0;
  ours.forEach((value, row) => {
    const theirs = rows[row]!["n"];
    if (value === null || theirs === null) return;
    assertEquals(value, theirs, list[row]);
    numBoth++;
  });
  assert(numBoth >= 6, String(numBoth));
});

const FORMATS = [
  "%Y-%m-%d",
  "%d.%m.%Y",
  "%m/%d/%y",
  "%Y%m%d",
  "%Y%j",
  "%d %b %Y",
  "%B %d, %Y",
  "%Y-%m-%d %H:%M:%S",
  "%Y-%m-%dT%H:%M:%S.%f",
  "%d/%m/%Y %I:%M %p",
  "%Y-%m-%d %H:%M %z",
  "%H%M%S on %Y%m%d",
  "100%% é %Y/%m/%d",
];

pythonTest(
  "toTimestamp(format) agrees with Python's strptime on texts of the format and near it",
  () =>
    forSeeds(fewOr(1, 3), async (random) => {
      const cases = FORMATS.flatMap((format) =>
        Array.from({ length: 150 }, () => ({
          op: "strptime",
          text: nearly(random, randomTime(random, format)),
          args: [format],
        }))
      );
      const answers = await askPython(cases);
      for (const format of FORMATS) {
        const rows = cases.flatMap(({ text, args }, row) =>
          args[0] === format ? [{ text, python: answers[row] ?? null }] : []
        );
        const ours = evaluateTyped(x.toTimestamp(format), texts(rows.map(({ text }) => text)));
        let numBoth = 0;
        let numNeither = 0;
        rows.forEach(({ text, python }, row) => {
          const what = `${text} by ${format}`;
          if (python === null) {
            // Python has no year 0.
            numNeither++;
            return assert(ours[row] === null || /\b0000|0000$/.test(text), what);
          }
          // Python takes a blank in front of a day and seconds of offsets, and gives digits back to
          // what follows: 120 is month 1 and day 20.
          const isLenient = / \d(?!\d)|\d:\d\d:\d\d$/.test(text) || /%\w%/.test(format);
          if (ours[row] === null && isLenient) return;
          const [, whole, rest = ""] = /^([^.]*)(?:\.(\d+))?$/.exec(String(python))!;
          const wanted = BigInt(Date.parse(`${whole}Z`)) * 1000n + BigInt(rest.padEnd(6, "0"));
          assertEquals(ours[row], wanted, what);
          numBoth++;
        });
        assert(numBoth >= 20 && numNeither >= 10, `${format}: ${numBoth} and ${numNeither}`);
      }
    }),
);

Deno.test("toTimestamp(format) reads UTC and GMT where %Z is, in any case, and no other name", () => {
  const names = ["UTC", "GMT", "utc", "gMt"];
  const others = [
    "UTG",
    "UMC",
    "GTC",
    "GMC",
    "GTT",
    "XTC",
    "XMT",
    "UT",
    "GM",
    "UTCX",
    "CET",
    "Z",
    "",
  ];
  const rows = texts([...names, ...others].map((name) => `${name} 1970-01-02`));
  assertEquals(evaluateTyped(x.toTimestamp("%Z %F"), rows), [
    ...names.map(() => 86_400_000_000n),
    ...others.map(() => null),
  ]);
});

pythonTest("format() agrees with Python's strftime", () =>
  forSeeds(fewOr(1, 3), async (random) => {
    const patterns = [...FORMATS, "%F %T", "%I %p %j|%y|%f|%z|%Z|%%", "%b %B"].concat(
      "%a %A|%u|%U|%V|%G",
      "%e|%k|%l",
    );
    const micros = Array.from(
      { length: 200 },
      () =>
        BigInt(Math.floor((random.next() * 8000 - 960) * 31_556_952)) * 1_000_000n +
        BigInt(random.below(1_000_000)),
    );
    const input = { x: [new TimestampMicrosecond(), micros] } as const;
    const isos = evaluateTyped(x.format("%Y-%m-%dT%H:%M:%S.%f"), input).map(String);
    const answers = await askPython(
      patterns.flatMap((pattern) =>
        isos.map((text) => ({ op: "strftime", text, args: [pattern] }))
      ),
    );
    const ours = patterns.flatMap((pattern) => evaluateTyped(x.format(pattern), input));
    assertEquals(ours, answers);
  }));

Deno.test("format() writes the seconds since 1970 in UTC, whatever the time zone", () => {
  const seconds = [0n, -1n, 1_709_208_000n, 253_402_300_800n, -62_135_596_801n];
  for (const zone of [null, "UTC", "Europe/Berlin", "America/New_York"]) {
    const input = { x: [new TimestampMicrosecond(zone), seconds.map((s) => s * 1_000_000n)] };
    assertEquals(
      evaluateTyped(x.format("%s %%s"), input as never),
      seconds.map((second) => `${second} %s`),
    );
  }
});

Deno.test("the name of a day is read where the date has that day, and in no other text", () => {
  const names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
  const dates = names.map((name, k) => ({
    name,
    day: k + 4,
    text: `1970-01-${String(k + 5).padStart(2, "0")}`,
  }));
  const rows = dates.flatMap(({ name, text }, k) => [
    `${name} ${text}`,
    `${name.toUpperCase()} ${text}`,
    `${names[(k + 1) % 7]} ${text}`,
    `${name.slice(0, 3)} ${text}`,
    `${name}x ${text}`,
  ]);
  assertEquals(
    evaluateTyped(x.toDate("%A %F"), texts(rows)),
    dates.flatMap(({ day }) => [day, day, null, null, null]),
  );
  const short = dates.flatMap(({ name, text }, k) => [
    `${name.slice(0, 3)} ${text}`,
    `${names[(k + 6) % 7]!.slice(0, 3)} ${text}`,
    `${name} ${text}`,
    `${name.slice(0, 2)} ${text}`,
  ]);
  assertEquals(
    evaluateTyped(x.toDate("%a %F"), texts(short)),
    dates.flatMap(({ day }) => [day, null, null, null]),
  );
  assertThrows(() => x.toDate("%e %b %Y"), RangeError, "%e at position 0 is only for writing");
});

Deno.test("format() and toString() of UTC write its offset, its name and Z, and midnight of dates", () => {
  for (const zone of ["UTC", "Etc/UTC", "+00:00", "Z"]) {
    const zoned = { x: [new TimestampMillisecond(zone), [1_000_000n, null]] } as const;
    assertEquals(evaluateTyped(x.format("%H:%M%z %Z"), zoned), ["00:16+0000 UTC", null]);
    assertEquals(evaluateTyped(x.toString(), zoned), ["1970-01-01T00:16:40Z", null]);
  }
  const dates = { x: [new DateDay(), [1]] } as const;
  assertEquals(evaluateTyped(x.format("%F %T|%z|%Z|%f %I%p"), dates), [
    "1970-01-02 00:00:00|||000000 12AM",
  ]);
});

Deno.test("what is read goes on as a date, in comparisons and in larger trees", () => {
  const input = texts(["2001-03-14", "x", null, "1999-12-31"]);
  for (const fuse of [true, false]) {
    assertEquals(evaluateTyped(x.toDate().gt("2000-01-01"), input, fuse), [
      true,
      null,
      null,
      false,
    ]);
    assertEquals(evaluateTyped(x.toDate().format("%d.%m.%y").upper(), input, fuse), [
      ...["14.03.01", null, null, "31.12.99"],
    ]);
  }
  assertEquals(String(compileTyped(x.toDate(), input).type), "Date32<DAY>");
  assertEquals(String(compileTyped(x.toTimestamp(), input).type), "Timestamp<MICROSECOND>");
});

Deno.test("a format is refused with the directive and its position, or with what it lacks", () => {
  const cases: [string, string][] = [
    ["%Y-%Q", "toDate(): the directive %Q at position 3 is not known"],
    ["é%", "toDate(): the directive % at position 1 is not known"],
    ["%Y %Y", "toDate(): the directive %Y at position 3 appears twice"],
    ["%Y-%m-%d %F", "toDate(): the directive %Y at position 9 appears twice"],
    ["%y %Y %m", "toDate(): the directive %Y at position 3 rivals %y"],
    ["%Y %d %j", "toDate(): the directive %j at position 6 rivals %d"],
    ["%m-%d", "toDate(): the format has no year"],
    ["%Y-%m", "toDate(): the format has no day"],
    ["%F %I", "toDate(): %I and %p go together in a format"],
  ];
  for (const [format, message] of cases) {
    assertThrows(() => x.toDate(format), RangeError, message);
  }
  assertThrows(
    () => x.format("%L"),
    RangeError,
    "format(): the directive %L at position 0 is not known",
  );
  assertEquals(piecesOf("%%").length, 1);
});

/** A time written by a format: some with fewer zeros, some of which no day exists. */
function randomTime(random: SeededRandom, format: string): string {
  const number = (least: number, most: number, digits: number) => {
    const value = least + random.below(most - least + 1);
    return random.chance(0.3) && digits === 2 ? String(value) : String(value).padStart(digits, "0");
  };
  const names = [
    "jan",
    "FEB",
    "Mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "Dec",
  ];
  const full = ["January", "february", "MARCH", "April", "may", "June", "July", "August"]
    .concat(["September", "October", "November", "december"]);
  const directives: Record<string, () => string> = {
    Y: () => number(1, 9999, 4),
    m: () => number(1, 12, 2),
    d: () => number(1, 31, 2),
    H: () => number(0, 23, 2),
    I: () => number(1, 12, 2),
    M: () => number(0, 59, 2),
    S: () => number(0, 59, 2),
    f: () => String(random.below(1_000_000)),
    y: () => number(0, 99, 3).slice(1),
    j: () => number(1, 366, 3),
    b: () => random.pick(names),
    B: () => random.pick(full),
    p: () => random.pick(["AM", "pm", "Pm"]),
    z: () => random.pick(["Z", "+0000", "-01:30", "+1400", "+23:59"]),
  };
  return format.replace(/%(.)/g, (_, letter) => letter === "%" ? "%" : directives[letter]!());
}

/** The text, or one of its characters changed. */
function nearly(random: SeededRandom, text: string): string {
  if (random.chance(0.6)) return text;
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(["", "0", "9", "x", "-", ":"]) +
    text.slice(at + random.below(2));
}
