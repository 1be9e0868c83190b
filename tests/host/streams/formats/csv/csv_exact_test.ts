import { assert, assertEquals, assertRejects } from "@std/assert";
import { type CsvType, readCsv } from "../../../../../streams/formats/csv/csv.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { losesDigits } from "../../../../../streams/text/exact_number.ts";
import { inFolder, readAll, rowsOf } from "../../../../support/values/streams_samples.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

/** The values of a column, from the row `start` on. */
function valuesOf(
  texts: readonly string[],
  types: Record<string, CsvType> = {},
  start = 0,
): Promise<unknown[]> {
  const rows: unknown[] = [];
  return inFolder(async (folder) => {
    const path = `${folder}/in.csv`;
    await Deno.writeTextFile(path, `a\n${texts.join("\n")}\n`);
    rows.push(...rowsOf(await readAll(readCsv(path, { types }))).slice(start).map(({ a }) => a));
  }).then(() => rows);
}

async function failure(
  texts: readonly string[],
  types: Record<string, CsvType> = {},
): Promise<string> {
  const { message } = await assertRejects(() => valuesOf(texts, types), FileError);
  return message.replace(/^.*in\.csv: /, "");
}

const guessedOf = Array<string>(10_000);

/** Texts that a double says. */
const exact = [
  ...["0.1", "0", "-0", "0.00", "0e-400", "1.0E5", "1E+23", "5e-324", "-1e-310"],
  ...["9007199254740992", "-9007199254740992", "100000000000000000000"],
  // What a double of 2^60 and the like is written as.
  ...["1152921504606847000.0", "12345678901234567000.0", "5.684341886080802e-14"],
  ...["0.12345678901234567", "123456789.12345678", "-0.00001234567890123456"],
  // A double with more digits than it needs, as "%.25f" writes them.
  ...["0.1000000000000000055511151", "0.1000000000000000055511151231257827021181583404541015625"],
];
/** Numbers of which a double would lose digits. */
const inexact = [
  ...["007", "-007.5", "+01", "00"],
  ...["9007199254740993", "-9007199254740993", "+9007199254740993", "9007199254740993.0"],
  ...["9007199254740993.00", "9.007199254740993e15", "90071992547409930e-1"],
  ...["1152921504606846976", "9223372036854775807", "18446744073709551615"],
  ...["540354322189616262244.80", "1769651711567501058.90", "12345678901234567890123"],
  ...["0.123456789012345678", "3.14159265358979323846", "0.33333333333333333333"],
  ...["1e400", "-1e400", "1e-400", `1${"0".repeat(400)}`, `0.${"0".repeat(400)}1`],
  "1.2345678901234e-320",
];

for (const text of exact) {
  Deno.test(`readCsv() takes ${text} as a double, wherever it stands`, async () => {
    assertEquals(await valuesOf(["1.5", text]), [1.5, Number(text)]);
    assertEquals(await valuesOf([...guessedOf.fill("1.5"), text], {}, 10_000), [Number(text)]);
  });
}

for (const text of inexact) {
  Deno.test(`readCsv() never rounds ${text.slice(0, 30)}, wherever it stands`, async () => {
    assertEquals(await valuesOf(["1.5", text]), ["1.5", text]);
    assertEquals(await valuesOf([text, "1.5"]), [text, "1.5"]);
    const late = [...guessedOf.fill("1.5"), text];
    assertEquals(
      await failure(late),
      `row 10000, column a: ${
        JSON.stringify(text.slice(0, 40))
      } is not a valid float64, as the first ` +
        'rows suggested; give its type: { types: { a: "string" } }',
    );
    assertEquals(await valuesOf(late, { a: "string" }, 10_000), [text]);
  });
}

Deno.test("readCsv() rounds what is given as float64, and refuses what is beyond it", async () => {
  const types = { a: "float64" } as const;
  const rounded = await valuesOf(
    ["9007199254740993", "007", "1e-400", "0.33333333333333333333"],
    types,
  );
  assertEquals(rounded, [2 ** 53, 7, 0, 1 / 3]);
  for (const text of ["1e400", `-1${"0".repeat(309)}`, `${"9".repeat(400)}.5`]) {
    const problem = `row 0, column a: ${JSON.stringify(text.slice(0, 40))} is not a valid float64`;
    assertEquals(await failure([text], types), problem);
  }
});

/** A double as a fraction of integers, from its bits. */
function fractionOf(value: number): [numerator: bigint, denominator: bigint] {
  const bits = new BigUint64Array(Float64Array.of(Math.abs(value)).buffer)[0]!;
  const exponent = Number(bits >> 52n);
  const mantissa = (bits & (2n ** 52n - 1n)) + (exponent === 0 ? 0n : 2n ** 52n);
  const power = BigInt(Math.max(exponent, 1) - 1075);
  return power >= 0n ? [mantissa << power, 1n] : [mantissa, 1n << -power];
}

/** Decimal text of a positive number as a fraction of integers. */
function fractionOfText(text: string): [numerator: bigint, denominator: bigint] {
  const [mantissa = "", power = "0"] = text.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const exponent = BigInt(power) - BigInt(fraction.length);
  const digits = BigInt(whole + fraction);
  return exponent >= 0n ? [digits * 10n ** exponent, 1n] : [digits, 10n ** -exponent];
}

/** Whether text is within half a unit of its last significant digit from what a double holds. */
function isNear(text: string): boolean {
  const [a, b] = fractionOf(Number(text));
  const [c, d] = fractionOfText(text);
  const [mantissa = "", power = "0"] = text.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  const zeros = digits.length - digits.replace(/0+$/, "").length;
  const unit = BigInt(power) - BigInt(fraction.length) + BigInt(zeros);
  const [u, v] = unit >= 0n ? [10n ** unit, 1n] : [1n, 10n ** -unit];
  const distance = a * d > c * b ? a * d - c * b : c * b - a * d;
  return 2n * distance * v <= u * b * d;
}

function someDigits(random: SeededRandom, count: number): string {
  const digits = Array.from({ length: count }, () => random.below(10)).join("");
  return `${1 + random.below(9)}${digits}`.slice(0, count);
}

Deno.test("a decimal of 18 digits or more loses some unless the double is the nearest with as many", () => {
  let [lost, kept] = [0, 0];
  return forSeeds(300, (random) => {
    // What a double is written as with more digits, and the same with another last digit.
    const digits = 18 + random.below(30);
    const value = Number(`${someDigits(random, 17)}e${random.below(60) - 50}`);
    let text = value.toPrecision(digits).replace("e+", "e");
    if (random.chance(0.5)) {
      const places = [...text.matchAll(/[0-8](?=\D*$|\D*e)/g)];
      const at = places.at(-1)?.index;
      if (at !== undefined) {
        text = `${text.slice(0, at)}${Number(text[at]) + 1}${text.slice(at + 1)}`;
      }
    }
    const significant = text.replace(/e.*/, "").replace(".", "").replace(/^0+|0+$/g, "").length;
    if (significant <= 17 || !/[.e]/.test(text)) return;
    assertEquals(losesDigits(text), !isNear(text), text);
    if (losesDigits(text)) lost++;
    else kept++;
  }).then(() => assert(lost > 20 && kept > 20, `${lost} lost, ${kept} kept`));
});

Deno.test("an integer loses digits unless the double is it and shows it", () => {
  let [lost, kept] = [0, 0];
  return forSeeds(300, (random) => {
    const text = someDigits(random, 14 + random.below(8)).replace(
      /.{5}$/,
      random.pick(["00000", "$&"]),
    );
    const value = Number(text);
    const isKept = BigInt(value) === BigInt(text) && String(value) === text;
    assertEquals(losesDigits(text), !isKept, text);
    assertEquals(losesDigits(`-${text}`), !isKept, text);
    if (isKept) kept++;
    else lost++;
  }).then(() => assert(lost > 20 && kept > 20, `${lost} lost, ${kept} kept`));
});

Deno.test("what doubles are written as loses nothing", () =>
  forSeeds(30, (random) => {
    const bits = Uint32Array.from({ length: 2000 }, () => random.below(2 ** 32));
    const doubles = [...new Float64Array(bits.buffer)].filter(Number.isFinite);
    const wholes = doubles.map((value) =>
      Math.trunc(
        (value / 2 ** Math.floor(Math.log2(Math.abs(value)))) * 2 ** (40 + random.below(60)),
      )
    );
    assert(doubles.length > 500);
    for (const value of [...doubles, ...wholes.filter(Number.isFinite)]) {
      const shown = Number.isInteger(value) && Math.abs(value) < 1e21
        ? `${value}.0`
        : String(value);
      assert(!losesDigits(shown), shown);
    }
  }));
