import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type DataType,
  DateDay,
  DateMillisecond,
  Duration,
  Field,
  Float64,
  Int64,
  Schema,
  Table,
  Time,
  Timestamp,
  vectorFromArray,
} from "apache-arrow";
import {
  createEngine,
  expr,
  fromBatches,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { typeName } from "../../../../ops/batch/arrow_types.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const DAY_NS = 86_400_000_000_000n;

/** A kind of times, and the nanoseconds of its count. */
interface Drawn {
  readonly kind: "date" | "timestamp" | "time" | "duration";
  readonly type: DataType;
  /** The unit as in Arrow; -1 counts days. */
  readonly unit: number;
  readonly values: readonly (bigint | null)[];
}

const lengthOf = (unit: number) => unit < 0 ? DAY_NS : 1_000_000_000n / 1000n ** BigInt(unit);

function draw(random: SeededRandom, kind: Drawn["kind"]): Drawn {
  const isDays = random.chance(0.7);
  const unit = kind === "date" ? (isDays ? -1 : 1) : random.below(4);
  const type = kind === "date"
    ? (isDays ? new DateDay() : new DateMillisecond())
    : kind === "timestamp"
    ? new Timestamp(unit, random.chance(0.5) ? "Europe/Berlin" : null)
    : kind === "time"
    ? new Time(unit, unit < 2 ? 32 : 64)
    : new Duration(unit);
  const edges = kind === "date"
    ? [0n, -1n, 2147483647n, -2147483648n]
    : kind === "time"
    ? [0n, DAY_NS / lengthOf(unit) - 1n]
    : [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n];
  const values = Array.from({ length: 30 }, () => {
    if (random.chance(0.1)) return null;
    if (random.chance(0.15)) return random.pick(edges);
    const within = kind === "time" ? DAY_NS : 10n ** BigInt(6 + random.below(13));
    const size = BigInt(Math.floor(random.next() * 2 ** 53)) * within / 2n ** 53n / lengthOf(unit);
    return kind === "time" || random.chance(0.5) ? size : -size;
  });
  return { kind, type, unit, values };
}

const inInt64 = (value: bigint) => BigInt.asIntN(64, value) === value ? value : null;

/** What a row is, with the rules of the page on expressions; undefined where the operator is refused. */
function wanted(sign: "+" | "-", left: Drawn, right: Drawn) {
  const isLength = (drawn: Drawn) => drawn.kind === "duration";
  const isDifference = sign === "-" && left.kind === right.kind && !isLength(left) &&
    String(left.type).includes("Berlin") === String(right.type).includes("Berlin");
  const moves = isLength(right) || (sign === "+" && isLength(left));
  if (!isDifference && !moves) return undefined;
  const unit = Math.max(0, left.unit, right.unit);
  const time = isDifference || (isLength(left) && isLength(right))
    ? new Duration(unit)
    : isLength(left)
    ? right
    : left;
  const name = time instanceof Duration
    ? typeName(time)
    : time.kind === "time"
    ? typeName(new Time(unit, unit < 2 ? 32 : 64))
    : typeName(new Timestamp(unit, String(time.type).includes("Berlin") ? "Europe/Berlin" : null));
  const each = lengthOf(unit);
  const rows = left.values.map((value, row) => {
    const other = right.values[row]!;
    if (value === null || other === null) return null;
    const [a, b] = [value * lengthOf(left.unit), other * lengthOf(right.unit)];
    // Each operand has to fit in the finer unit, too.
    if (inInt64(a / each) === null || inInt64(b / each) === null) return null;
    const sum = sign === "+" ? a + b : a - b;
    if (name.startsWith("time") && !name.startsWith("timestamp")) {
      if (sum < 0n || sum >= DAY_NS) return null;
      return unit < 2 ? Number(sum / each) : sum / each;
    }
    return inInt64(sum / each);
  });
  return { name, rows };
}

const asRows = ({ type, values }: Drawn) =>
  [type, values.map((value) => isNarrow(type) && value !== null ? Number(value) : value)] as const;
const isNarrow = (type: DataType) => ["date32", "time32"].includes(typeName(type).slice(0, 6));

Deno.test("times and durations are added and subtracted exactly in the finer unit, or are null with orNull", () => {
  let refused = 0;
  let moved = 0;
  return forSeeds(fewOr(80, 800), (random) => {
    const kinds = ["date", "timestamp", "time", "duration"] as const;
    const left = draw(random, random.pick(kinds));
    const right = draw(random, random.chance(0.5) ? "duration" : random.pick(kinds));
    const sign = random.pick(["+", "-"] as const);
    const expected = wanted(sign, left, right);
    const schema = new Schema([new Field("a", left.type, true), new Field("b", right.type, true)]);
    const expr = parseExpr(`(a ${sign} b).orNull()`);
    if (expected === undefined) {
      refused++;
      let problem = "";
      try {
        bindExpr(expr, schema);
      } catch (error) {
        problem = (error as Error).message;
      }
      assertStringIncludes(problem, "Cannot ");
      return;
    }
    moved++;
    assertEquals(typeName(bindExpr(expr, schema).type), expected.name);
    const input = { a: asRows(left), b: asRows(right) };
    for (const fuse of [true, false]) {
      assertEquals(evaluateTyped(expr, input, fuse), expected.rows, `${left.type} ${right.type}`);
    }
  }).then(() => assert(refused > 0 && moved > refused, `${refused} refused, ${moved} computed`));
});

Deno.test("timestamps less durations are those of Temporal, in a time zone too", () =>
  forSeeds(fewOr(10, 100), (random) => {
    const zone = random.pick(["Europe/Berlin", null]);
    const times = Array.from({ length: 20 }, () => BigInt(random.below(2 ** 31)) * 1_000n);
    const hours = times.map(() => random.below(10_000) - 5_000);
    const input = {
      t: [new Timestamp(1, zone), times],
      d: [new Duration(0), hours.map((hour) => BigInt(hour) * 3600n)],
    } as const;
    const wanted = times.map((time, row) =>
      BigInt(
        Temporal.Instant.fromEpochMilliseconds(Number(time)).toZonedDateTimeISO(zone ?? "UTC")
          .subtract({ hours: hours[row]! }).epochMilliseconds,
      )
    );
    assertEquals(evaluateTyped(parseExpr("t - d"), input), wanted);
  }));

/** The nearest whole number to a fraction, of two that are as near the one away from 0. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const [n, d] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const size = ((n < 0n ? -n : n) * 2n + d) / (2n * d);
  return n < 0n ? -size : size;
}

Deno.test("durations are multiplied and divided exactly by whole numbers, and rounded half away", () =>
  forSeeds(fewOr(30, 300), (random) => {
    const { type, values } = draw(random, "duration");
    const factors = values.map(() => BigInt(random.below(9) - 4) * 10n ** BigInt(random.below(12)));
    const halves = values.map(() => (random.below(41) - 20) / 4);
    const input = {
      d: [type, values],
      n: [new Int64(), factors],
      f: [new Float64(), halves],
    } as const;
    const rows = (of: (value: bigint, row: number) => bigint | null) =>
      values.map((value, row) => value === null ? null : of(value, row));
    const evaluate = (text: string) => evaluateTyped(parseExpr(`(${text}).orNull()`), input);
    const products = rows((value, row) => inInt64(value * factors[row]!));
    assertEquals(evaluate("d * n"), products);
    assertEquals(evaluate("n * d"), products);
    assertEquals(
      evaluate("d / n"),
      rows((value, row) => factors[row] === 0n ? null : inInt64(rounded(value, factors[row]!))),
    );
    assertEquals(evaluate("-d"), rows((value) => inInt64(-value)));
    // Quarters of a small count are exact as floats.
    const small = values.map((value) => value === null ? null : value % (1n << 40n));
    const floats = { ...input, d: [type, small] } as const;
    assertEquals(
      evaluateTyped(parseExpr("f * d"), floats),
      small.map((value, row) =>
        value === null ? null : rounded(value * BigInt(halves[row]! * 4), 4n)
      ),
    );
    assertEquals(
      evaluateTyped(parseExpr("d / f"), floats),
      small.map((value, row) => {
        const by = BigInt(halves[row]! * 4);
        if (value === null || by === 0n) return null;
        const quotient = Number(value) / (Number(by) / 4);
        const size = Math.trunc(quotient);
        return BigInt(size + (Math.abs(quotient - size) < 0.5 ? 0 : Math.sign(quotient)));
      }),
    );
  }));

Deno.test("a duration by a duration is a float, whatever their units", () => {
  const input = {
    a: [new Duration(0), [90n, -1n, 0n, null, 2n ** 62n]],
    b: [new Duration(1), [60_000n, 3n, 0n, 1n, 1n]],
  } as const;
  assertEquals(
    evaluateTyped(parseExpr("(a / b).orNull()"), input),
    [1.5, -1000 / 3, NaN, null, null],
  );
  assertEquals(
    evaluateTyped(parseExpr("a > b"), {
      a: [new Duration(0), [1n, 1n, null]],
      b: [new Duration(3), [999_999_999n, 1_000_000_000n, 0n]],
    }),
    [true, false, null],
  );
});

const MESSAGES = {
  'cast(t, "timestamp[us]") + n.duration("second")':
    't + duration(n, "second") does not fit in timestamp[us]: 2024-02-29T23:59:59 + 10000000000000',
  'cast(t * 1000, "timestamp[ns]") - cast(u, "timestamp[ns]")':
    "t * 1000 - u does not fit in duration[ns]: 2024-02-29T23:59:59 - 1700-01-01T00:00:00",
  'u.duration("ns") * t': 'duration(u, "ns") * t does not fit in duration[ns]: ' +
    "-8520336000000000000 * 1709251199000000",
};

for (const [text, message] of Object.entries(MESSAGES)) {
  Deno.test(`${text} beyond its type is an error that shows the operands and the row`, async () => {
    const table = new Table({
      t: vectorFromArray([1_000_000n, 1_709_251_199_000_000n], new Int64()),
      u: vectorFromArray([0n, -8_520_336_000_000_000_000n], new Int64()),
      n: vectorFromArray([1n, 10_000_000_000_000n], new Int64()),
    });
    const engine = createEngine({ device: "cpu" });
    const stream = fromBatches(table, { engine }).pipeThrough(
      withColumns({ r: expr(text) }, { engine }),
    );
    const error = await assertRejects(() => toTable(stream), StepError);
    assertEquals(error.message, `step 2, withColumns: ${message} (row 1)`);
  });
}

Deno.test("a time of a day has no midnight at its end, and one at its start", () => {
  const input = {
    t: [new Time(0, 32), [82_800, 3_600, 0]],
    d: [new Duration(1), [3_600_000n, 3_600_000n, 1n]],
  } as const;
  assertEquals(evaluateTyped(parseExpr("(t + d).orNull()"), input), [null, 7_200_000, 1]);
  assertEquals(evaluateTyped(parseExpr("(t - d).orNull()"), input), [79_200_000, 0, null]);
});
