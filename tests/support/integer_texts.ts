/** Texts that are integers of 64 bits, nearly so, or not at all. */

import type { SeededRandom } from "./seeded_random.ts";

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
