import { assertEquals, assertThrows } from "@std/assert";
import { Float32, Float64, Int16, Int64, Uint64, Utf8 } from "apache-arrow";
import { ExprError } from "../../../../../base/errors/expr_error.ts";
import { col } from "../../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../../ops/expr/parse.ts";
import { pythonTest } from "../../../../support/judges/python.ts";
import { type FormatCase, formatsOfPython } from "../../../../support/judges/python_formats.ts";
import { evaluateTyped } from "../../../../support/kernels/programs.ts";
import { edgeInteger } from "../../../../support/random/edge_integers.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";
import { FLOAT_EDGES } from "../../../../support/values/number_texts.ts";

/** Texts by Python 3.11. */
const TABLE: readonly (readonly [format: string, value: number | bigint, text: string])[] = [
  [".2f", 1234567.891, "1234567.89"],
  [".2f", -0.001, "-0.00"],
  [".0f", 0.5, "0"],
  [".0f", 1.5, "2"],
  [".0f", 2.5, "2"],
  [".2f", 2.675, "2.67"],
  [".2f", 0.125, "0.12"],
  [".2f", 0.375, "0.38"],
  [".1f", 1e22, "10000000000000000000000.0"],
  [".0e", 9.5, "1e+01"],
  [".0e", 8.5, "8e+00"],
  [".1e", 12500000, "1.2e+07"],
  ["e", 0, "0.000000e+00"],
  ["g", 100000, "100000"],
  ["g", 1000000, "1e+06"],
  [".3g", 0.00012345, "0.000123"],
  [".3g", 0.000012345, "1.23e-05"],
  [".1%", 0.256, "25.6%"],
  [".0%", 0.015, "2%"],
  ["", 1e16, "1e+16"],
  ["", 0.1, "0.1"],
  [",", 1234567.5, "1,234,567.5"],
  [".4", 123, "123.0"],
  ["010,", 1.5, "0,000,001.5"],
  ["010,.2f", Infinity, "0000000inf"],
  ["=10.2f", -Infinity, "-      inf"],
  ["%", NaN, "nan%"],
  ["E", 1e-7, "1.000000E-07"],
  ["+d", 42n, "+42"],
  [" d", 42n, " 42"],
  ["06d", -42n, "-00042"],
  ["08,", 1234n, "0,001,234"],
  ["09,", 1234n, "0,001,234"],
  ["^7d", 5n, "   5   "],
  ["*^8", -5n, "***-5***"],
  ["<05", 5n, "50000"],
  ["=+8d", 5n, "+      5"],
  ["x", -255n, "-ff"],
  ["_X", 2n ** 62n, "4000_0000_0000_0000"],
  ["b", 10n, "1010"],
  ["o", 8n, "10"],
  ["_.2f", 1234567n, "1_234_567.00"],
  ["%", 1n, "100.000000%"],
];

Deno.test("format() writes numbers as a table of Python does, in columns and as literals", () => {
  for (const [format, value, text] of TABLE) {
    const type = typeof value === "bigint" ? new Int64() : new Float64();
    const what = `${value} by ${format}`;
    assertEquals(evaluateTyped(col("x").format(format), { x: [type, [value]] }), [text], what);
    if (typeof value === "bigint" || Number.isFinite(value) && !Number.isInteger(value)) {
      const literal = parseExpr(`(${value}).format(${JSON.stringify(format)})`);
      assertEquals(evaluateTyped(literal, { x: [type, [value]] }), [text], `${what} as a literal`);
    }
  }
});

Deno.test("format() keeps all digits of whole numbers, and the shortest ones of narrow floats", () => {
  const most = 2n ** 64n - 1n;
  const typed = {
    u: [new Uint64(), [most, null]],
    i: [new Int64(), [-(2n ** 63n), 2n ** 53n + 1n]],
    s: [new Int16(), [-300, null]],
    f: [new Float32(), [Math.fround(0.1), null]],
  } as const;
  const rows = (text: string) => evaluateTyped(parseExpr(text), typed);
  assertEquals(rows('u.format("d")'), [String(most), null]);
  assertEquals(rows('u.format("x")'), ["f".repeat(16), null]);
  assertEquals(rows('u.format(".1f")'), [`${most}.0`, null]);
  assertEquals(rows('i.format(",d")'), ["-9,223,372,036,854,775,808", "9,007,199,254,740,993"]);
  assertEquals(rows('i.format(".1e")'), ["-9.2e+18", "9.0e+15"]);
  assertEquals(
    rows('i.format("%")').map((text) => String(text).slice(-12)),
    [
      "80800.000000%",
      "99300.000000%",
    ].map((text) => text.slice(-12)),
  );
  assertEquals(rows('s.format("+06.1f")'), ["-300.0", null]);
  assertEquals(rows('f.format("")'), ["0.1", null]);
  assertEquals(rows('f.format(".9f")'), ["0.100000001", null]);
  assertEquals(rows('f.format("é>5.1f").upper().length()'), [5, null]);
});

const DECIMAL_TYPES = ["f", "e", "g", "%", "E", "G"];
const BASES = ["x", "b", "o", "X"];

/** Draws a format of Python's; `isWide` leaves out what Python's Decimal has not got. */
function randomFormat(
  random: SeededRandom,
  type: string,
  isWhole: boolean,
  isWide = false,
): string {
  const some = (...texts: string[]) => random.chance(0.5) ? "" : random.pick(texts);
  const align = some("<", ">", "^", "*^", "é<", "0>", "+=", "=");
  const width = some(String(1 + random.below(30)));
  const zero = isWide || width === "" ? "" : some("0");
  const group = isWide ? some(",") : BASES.includes(type) ? some("_") : some(",", "_");
  const places = String(random.below(random.pick([4, 20, 101])));
  const precision = isWhole ? "" : isWide ? `.${places}` : some(`.${places}`);
  return `${align}${some("+", "-", " ")}${zero}${width}${group}${precision}${type}`;
}

const view = new DataView(new ArrayBuffer(8));

/** Draws a float: an edge, any bits, a tie at some place, or a usual number. */
function randomFloat(random: SeededRandom): number {
  const sign = random.chance(0.5) ? -1 : 1;
  switch (random.below(4)) {
    case 0:
      return random.pick(FLOAT_EDGES);
    case 1:
      view.setUint32(0, random.below(2 ** 32));
      view.setUint32(4, random.below(2 ** 32));
      return view.getFloat64(0);
    case 2:
      return sign * (random.below(2 ** random.below(32)) + 0.5) *
        random.pick([1, 0.5, 0.125, 2 ** -10, 10, 1000, 1e8]);
    default:
      return sign * random.next() * 10 ** (random.below(30) - 10);
  }
}

pythonTest("format() writes numbers as Python's format() does", () => {
  const draws = new Draws(["tie", "wide", "filled", "grouped", "exponent"]);
  return forSeeds(fewOr(8, 80), async (random) => {
    const cases: FormatCase[] = [];
    const texts: unknown[] = [];
    for (let round = 0; round < 40; round++) {
      const isFloat = random.chance(0.6);
      const isWide = !isFloat && random.chance(0.4);
      const type = isWide
        ? random.pick(["f", "e", "%"])
        : isFloat
        ? random.pick(["", ...DECIMAL_TYPES])
        : random.pick(["", "d", ...BASES, "f", "e", "g"]);
      const isWhole = !isFloat && !["f", "e", "g", "%"].includes(type);
      const format = randomFormat(random, type, isWhole, isWide);
      if (/[,_]/.test(format)) draws.add("grouped");
      if (/[*é]/.test(format)) draws.add("filled");
      const values = Array.from({ length: 12 }, () => {
        if (isFloat) return randomFloat(random);
        const value = edgeInteger(random);
        if (isWhole) return value;
        const isExact = value >= -(2n ** 53n) && value <= 2n ** 53n;
        if (!isExact) draws.add("wide");
        return isExact || isWide ? value : value >> 12n;
      });
      const column = isFloat ? new Float64() : new Int64();
      texts.push(...evaluateTyped(col("x").format(format), { x: [column, values] }));
      for (const value of values) {
        if (typeof value === "bigint") {
          cases.push({ format, integer: String(value) });
          continue;
        }
        view.setFloat64(0, value);
        cases.push({ format, bits: view.getBigUint64(0).toString(16) });
        if (Number.isInteger(value * 2) && !Number.isInteger(value)) draws.add("tie");
      }
    }
    const expected = await formatsOfPython(cases);
    cases.forEach((one, index) => {
      if (/e[+-]\d/.test(expected[index]!)) draws.add("exponent");
      assertEquals(texts[index], expected[index], JSON.stringify(one));
    });
  }, draws);
});

Deno.test("format() says in one line what is wrong with a format, and what to write", () => {
  const typed = {
    f: [new Float64(), [1.5]],
    i: [new Int64(), [1n]],
    t: [new Utf8(), ["a"]],
  } as const;
  const refused: readonly (readonly [text: string, message: string])[] = [
    ['f.format("%.2f")', '"%.2f" is no format; write ".2f"'],
    ['f.format("%Y")', '"%Y" is no format of numbers; % with a letter is for dates and times'],
    ['f.format("{:,.2f}")', 'write ",.2f"'],
    ['f.format("$,.2f")', 'write "$" + amount.format(",.2f")'],
    ['f.format("#,##0.00")', 'write ",.2f"'],
    ['f.format("0.00")', 'write ".2f"'],
    ['f.format("0.0%")', 'write ".1%"'],
    ['f.format("999,999.99")', 'write ",.2f"'],
    ['f.format("%05d")', 'write "05d"'],
    ['f.format("money")', '"money" is no format of numbers; it is [[fill]align]'],
    ['f.format("d")', 'd writes whole numbers, and this is a float; ".0f" rounds it'],
    ['i.format(".2")', 'a whole number has no precision; write ".2f" for decimal places'],
    ['i.format(".2d")', "a whole number has no precision"],
    ['i.format(",x")', "digits of the type x are grouped by _"],
    ['f.format(".101f")', "the precision is at most 100"],
    ['f.format("1001f")', "the width is at most 1000"],
    ['t.format(".2f")', "toFloat() or toInteger() makes it a number"],
    ['t.toDate().format(".2f")', '".2f" is for numbers'],
    ['f.format("%Q")', "the directive %Q at position 0 is not known"],
  ];
  for (const [text, message] of refused) {
    assertThrows(() => evaluateTyped(parseExpr(text), typed), Error, message, text);
  }
  assertThrows(() => evaluateTyped(parseExpr('f.format("d")'), typed), ExprError);
});
