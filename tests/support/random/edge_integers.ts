/** Draws 64-bit integers where arithmetic goes wrong, if it does. */

import type { SeededRandom } from "./seeded_random.ts";

const POWERS = [0n, 15n, 16n, 31n, 32n, 33n, 47n, 48n, 52n, 53n, 62n, 63n];

/** The numbers at and beside powers of two, with both signs. */
export const EDGE_INTEGERS: readonly bigint[] = [
  ...new Set([
    0n,
    ...POWERS.flatMap((power) =>
      [-1n, 0n, 1n].flatMap((off) =>
        [2n ** power + off, -(2n ** power) + off].map((value) => BigInt.asIntN(64, value))
      )
    ),
  ]),
];

/** An edge, or a number of a random width and sign. */
export function edgeInteger(random: SeededRandom): bigint {
  if (random.chance(0.4)) return random.pick(EDGE_INTEGERS);
  const bits = BigInt(1 + random.below(64));
  const half = () => BigInt(random.below(2 ** 32));
  const value = BigInt.asUintN(Number(bits), half() << 32n | half());
  return BigInt.asIntN(64, random.chance(0.5) ? value : -value);
}

/** Two numbers: independent ones, or the second where operations with the first reach a limit. */
export function edgePair(random: SeededRandom): [bigint, bigint] {
  const first = edgeInteger(random);
  if (first === 0n || random.chance(0.5)) return [first, edgeInteger(random)];
  const off = BigInt(random.below(5) - 2);
  const divisor = random.chance(0.5) ? first : BigInt.asUintN(64, first);
  const limit = random.pick([2n ** 63n, 2n ** 64n, -(2n ** 63n), 2n ** 53n]);
  const second = random.pick([first, -first, limit - first, limit / divisor, first * 3n]);
  return [first, BigInt.asIntN(64, second + off)];
}
