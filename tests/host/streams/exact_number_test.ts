import { assert, assertEquals } from "@std/assert";
import { losesDigits } from "../../../streams/exact_number.ts";
import { forSeeds, type SeededRandom } from "../../support/seeded_random.ts";

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
