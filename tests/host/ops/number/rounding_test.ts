import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Float32, Float64, Int32, Int64, Uint64 } from "apache-arrow";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { col, type Expr } from "../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import {
  fractionOf,
  nearestFloat,
  roundedFraction,
  shifted,
} from "../../../support/models/exact_numbers.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

type Ties = "away" | "even";

/** What rounding the stored value exactly, and taking the nearest float of that, gives. */
function rounded(value: number, digits: number, ties: Ties, bits: 64 | 32): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const whole = roundedFraction(shifted(fractionOf(value), digits), ties);
  if (whole === 0n) return value < 0 ? -0 : 0;
  return nearestFloat(shifted({ above: whole, below: 1n }, -digits), bits);
}

const EDGES = [
  ...[0, -0, NaN, Infinity, -Infinity, 0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 2.675, 1.005],
  ...[5e-324, 1.7976931348623157e308, 2 ** 52, 2 ** 52 + 0.5, 2 ** 53, 4503599627370497.5, 0.1],
  ...[450359962737049.75, 450359962737049.25, 450359962737050.25, 45035996273704.975],
  ...[1e22, 1e23, 123456789.125, 0.045, 1.115, 8.5, 1250, -1250, 1.25e17, 4.35, 0.285],
];

/** Draws a float: an edge, one near a tie at some place, or any. */
function randomFloat(random: SeededRandom, digits: number): number {
  const sign = random.chance(0.5) ? -1 : 1;
  switch (random.below(4)) {
    case 0:
      return random.pick(EDGES);
    case 1: {
      const tie = (random.below(2 ** random.below(31)) + 0.5) / Number(`1e${digits}`);
      return sign * tie * (1 + (random.below(3) - 1) * 2 ** -52);
    }
    case 2:
      return sign * random.next() * 2 ** (53 - digits * 3.33 + random.below(8) - 6);
    default:
      return sign * random.next() * 10 ** (random.below(60) - 30);
  }
}

for (const bits of [64, 32] as const) {
  Deno.test(`round() of float${bits} is exact on the stored value, at every number of digits`, () =>
    forSeeds(fewOr(120, 2000), (random) => {
      const digits = random.pick([0, 1, 2, 2, 3, random.below(23), -random.below(19)]);
      const ties = random.pick(["away", "even"] as const);
      const values = Array.from({ length: 40 }, () => {
        const value = randomFloat(random, digits);
        return bits === 32 ? Math.fround(value) : value;
      });
      const type = bits === 64 ? new Float64() : new Float32();
      const actual = evaluateTyped(col("x").round(digits, { ties }), { x: [type, values] });
      values.forEach((value, row) => {
        const what = `${value}.round(${digits}, ${ties})`;
        assertStrictEquals(actual[row], rounded(value, digits, ties, bits), what);
      });
    }));
}

Deno.test("round() of whole numbers is exact in 64 bits, or null with orNull()", () => {
  const draws = new Draws(["too large", "tie", "uint64"]);
  return forSeeds(fewOr(80, 1000), (random) => {
    const [isSigned, places] = [random.chance(0.5), 1 + random.below(18)];
    const ties = random.pick(["away", "even"] as const);
    const unit = 10n ** BigInt(places);
    const [low, high] = isSigned ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
    const values = Array.from({ length: 30 }, () => {
      const any = BigInt(Math.floor(random.next() * 2 ** 53)) * BigInt(random.below(2048));
      const drawn = random.pick([
        low + any % unit,
        high - any % unit,
        (any / unit) * unit + unit / 2n + BigInt(random.below(3) - 1),
        any,
      ]);
      const value = isSigned && random.chance(0.3) ? -drawn : drawn;
      return value < low ? low : value > high ? high : value;
    });
    const type = isSigned ? new Int64() : new Uint64();
    if (!isSigned) draws.add("uint64");
    const expr = col("x").round(-places, { ties }).orNull();
    const actual = evaluateTyped(expr, { x: [type, values] });
    values.forEach((value, row) => {
      const whole = roundedFraction({ above: value, below: unit }, ties) * unit;
      const isOut = whole < low || whole > high;
      if (isOut) draws.add("too large");
      if (value % unit === unit / 2n) draws.add("tie");
      assertEquals(actual[row], isOut ? null : whole, `${value}.round(${-places}, ${ties})`);
    });
  }, draws);
});

Deno.test("floor(), ceil() and trunc() are those of Math, and leave whole numbers as they are", () => {
  const x = [...EDGES, -0.5, -1.5, 2 ** 51 + 0.5];
  const n = [0, -1, 2 ** 31 - 1];
  const u = [0n, 2n ** 64n - 1n];
  for (const name of ["floor", "ceil", "trunc"] as const) {
    const floats = { x: [new Float64(), x] } as const;
    assertEquals(evaluateTyped(col("x")[name](), floats), x.map(Math[name]));
    const narrow = x.map(Math.fround);
    const floats32 = { x: [new Float32(), narrow] } as const;
    assertEquals(evaluateTyped(col("x")[name](), floats32), narrow.map(Math[name]));
    assertEquals(evaluateTyped(col("n")[name](), { n: [new Int32(), n] }), n.map(BigInt));
    assertEquals(evaluateTyped(col("u")[name](), { u: [new Uint64(), u] }), u);
  }
});

Deno.test("round() refuses digits and ties that there are not", () => {
  const refused: [() => Expr, string][] = [
    [() => col("x").round(23), "digits must be a whole number from -18 to 22"],
    [() => col("x").round(-19), "digits must be a whole number from -18 to 22"],
    [() => col("x").round(1.5), "digits must be a whole number from -18 to 22"],
    [() => col("x").round(1, "up" as "away"), 'ties is "away" or "even"'],
  ];
  for (const [make, message] of refused) assertThrows(make, RangeError, message);
  assertThrows(() => parseExpr("round(x, y)"), ExprError, "digits must be a literal");
  assertEquals(evaluateTyped(parseExpr("round(x)"), { x: [new Float64(), [2.5, null]] }), [
    3,
    null,
  ]);
});
