/**
 * Factors by which a long division in limbs of 16 bits can divide.
 *
 * @module
 */

const MAX_FACTOR = 2 ** 16;

/** Returns factors of a number of at most 2^16; null if it has a greater prime factor. */
export function factorsOf(value: bigint): number[] | null {
  const factors: number[] = [];
  let rest = value;
  let factor = 1;
  for (let prime = 2; prime <= MAX_FACTOR && rest > 1n; prime++) {
    const divisor = BigInt(prime);
    while (rest % divisor === 0n) {
      rest /= divisor;
      if (factor * prime > MAX_FACTOR) {
        factors.push(factor);
        factor = 1;
      }
      factor *= prime;
    }
  }
  return rest === 1n ? [...factors, factor] : null;
}
