/**
 * The slots of hash tables: their number, and when a table is dropped and built again.
 *
 * @module
 */

/** The number of attempts; the last one accepts any table. */
const MAX_ATTEMPTS = 6;
/** The bytes of a table above which it does not stay in the cache. */
const CACHE_BYTES = 1 << 20;

/**
 * Returns the number of slots, a power of two: for a quarter full if that fits the cache, else for
 * at most half full.
 */
export function chooseSlots(numKeys: number, bytesPerSlot: number): number {
  const roomy = powerOfTwo(4 * numKeys);
  return roomy * bytesPerSlot <= CACHE_BYTES ? roomy : powerOfTwo(2 * numKeys);
}

/** Returns the smallest power of two that is at least `least`, and at least 2. */
function powerOfTwo(least: number): number {
  let power = 2;
  while (power < least) power *= 2;
  return power;
}

/**
 * Returns the largest sum of the distances of the first keys from the slots of their hashes that an
 * attempt accepts. With a random hash, a key in a half-full table is half a slot away on average,
 * the first ones less.
 */
export function mostSteps(numKeys: number, attempt: number): number {
  return attempt < MAX_ATTEMPTS ? numKeys + 64 : Infinity;
}

/** Returns a random odd number of 32 bits. */
export function randomOdd(): number {
  return (Math.random() * 0x1_0000_0000) | 1;
}
