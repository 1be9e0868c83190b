/** Texts that are numbers, nearly so, or not at all. */

import type { SeededRandom } from "../random/seeded_random.ts";

/** Integers at the edges of their widths, each with neighbours. */
export const INTEGER_EDGES: readonly bigint[] = [0n, 9n, 10n, 99_999_999n, 10n ** 9n, 10n ** 18n]
  .concat([7n, 8n, 15n, 16n, 31n, 32n, 53n, 62n, 63n, 64n].map((bits) => 2n ** bits))
  .flatMap((edge) => [edge - 1n, edge, edge + 1n])
  .flatMap((edge) => [edge, -edge]);

/** Texts beside the numbers. */
export const ODD_INTEGERS: readonly string[] = [
  "",
  "+",
  "-",
  "+-1",
  "--1",
  "1-",
  " 1",
  "1 ",
  "1_000",
  "1.0",
  "1e3",
  "0x10",
  "٣",
  "1\0",
  "١٢",
  "99999999999999999999999999",
  "-99999999999999999999999999",
  "1:",
  "1/",
  "12345678:",
  "12345678/",
  "0000000000000000000000000000000001",
  "-0000000000000000000000000000000000",
  "+0",
  "-0",
  "00",
  "00000000009223372036854775807",
  "00000000009223372036854775808",
  "9223372036854775807a",
];

/** A text that is mostly digits. */
export function randomInteger(random: SeededRandom): string {
  const digits = Array.from({ length: random.below(22) }, () => random.below(10)).join("");
  const sign = random.pick(["", "", "-", "+"]);
  if (random.chance(0.9)) return sign + digits;
  const at = random.below(digits.length + 1);
  return sign + digits.slice(0, at) + random.pick([" ", "a", "é", "-"]) + digits.slice(at);
}

/** What the text stands for, by BigInt. */
export function integerOf(text: string): bigint | null {
  if (!/^[+-]?[0-9]+$/.test(text)) return null;
  const value = BigInt(text.replace(/^[+-]/, "")) * (text.startsWith("-") ? -1n : 1n);
  return BigInt.asIntN(64, value) === value ? value : null;
}

/** The least number that is rounded to infinity. */
const LIMIT = 2n ** 1024n - 2n ** 970n;

/** Floats at the edges of the format. */
export const FLOAT_EDGES: readonly number[] = [0, 1, 0.1, 0.5, 1 / 3, 1e15, 1e16, 1e21, 1e22, 1e23]
  .concat([
    5e-324,
    2 ** -1022,
    2 ** -1022 - 5e-324,
    Number.MAX_VALUE,
    2 ** 53,
    2 ** 53 + 2,
    Infinity,
  ])
  .concat([2 ** 24, 2 ** 31, 2 ** 32, 2 ** 62, 2 ** 63, 2 ** 63 - 1024, 2 ** 64, 123456.789, 4.9])
  .flatMap((edge) => [edge, -edge])
  .concat(NaN);

/** Texts that try every rule of the grammar, and the rounding at its limits. */
export const ODD_FLOATS: readonly string[] = [
  "",
  ".",
  "+",
  "-",
  "e",
  "e5",
  ".e5",
  "1.",
  ".5",
  "-.5",
  "+.5e1",
  "1e",
  "1e+",
  "1e-",
  "1e5",
  "1E5",
  "1e+05",
  "1.e5",
  "1.2.3",
  "1..2",
  "1e5.5",
  "1e5e5",
  "--1",
  "+-1",
  " 1",
  "1 ",
  "1_0",
  "0x10",
  "1f",
  "nan",
  "NaN",
  "NAN",
  "+nan",
  "-nan",
  "inf",
  "Inf",
  "+inf",
  "-inf",
  "infinity",
  "-Infinity",
  "+INFINITY",
  "infinit",
  "infinityx",
  "in",
  "na",
  "1\0",
  "٣",
  "1é",
  "-0",
  "0",
  "0e999999999999",
  "-0.000",
  "0000000000000000000000001",
  "1e400",
  "-1e400",
  "1e-400",
  "1e309",
  "1e308",
  "1.8e308",
  "179769313486231570000e289",
  "1e99999999999999999999",
  "1e-99999999999999999999",
  `${LIMIT}`,
  `${LIMIT - 1n}`,
  `${LIMIT + 1n}`,
  `${LIMIT}.0001`,
  `${LIMIT - 1n}.9999`,
  `-${LIMIT}`,
  `-${LIMIT - 1n}`,
  `0.${LIMIT}e309`,
  `0.000${LIMIT - 1n}e312`,
  `${LIMIT}00e-2`,
  `${LIMIT - 1n}99e-2`,
  `${String(LIMIT).slice(0, 40)}e269`,
  `1${"0".repeat(400)}e-400`,
  `0.${"0".repeat(400)}1e401`,
  "9007199254740993",
  "9007199254740992.999",
  "9007199254740993.0000000001",
  "4.35",
  "0.3",
  "2.2250738585072011e-308",
];

/** What the text stands for, by JavaScript's Number; null where our grammar or float64 has no place. */
export function floatOf(text: string): number | null {
  if (/^nan$/i.test(text)) return NaN;
  const word = /^([+-]?)inf(inity)?$/i.exec(text);
  if (word !== null) return word[1] === "-" ? -Infinity : Infinity;
  if (!/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A finite float of random bits. */
export function randomFloat(random: SeededRandom): number {
  const words = Uint32Array.of(random.next() * 2 ** 32, random.next() * 2 ** 32);
  const [value = 0] = new Float64Array(words.buffer);
  return Number.isFinite(value) ? value : 1.5;
}

/** A float in one of many spellings. */
export function spelled(random: SeededRandom, value: number): string {
  switch (random.below(7)) {
    case 0:
      return value.toPrecision(17);
    case 1:
      return value.toExponential();
    case 2:
      return value.toPrecision(1 + random.below(20));
    case 3:
      return value.toExponential(random.below(25)).replace("e", "E");
    case 4:
      return value > 0 ? `+00${value}` : `-0${-value}`;
    case 5:
      return (value % 1e6).toFixed(random.below(12));
    default:
      return String(value);
  }
}
