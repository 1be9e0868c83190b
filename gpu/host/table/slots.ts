/**
 * The slots of hash tables: their number, and when a table is dropped and built again.
 *
 * @module
 */

/** The last attempt accepts any table. */
const MAX_ATTEMPTS = 6;
/** A table of more bytes does not stay in the cache. */
const CACHE_BYTES = 1 << 20;

/** Returns the number of slots, a power of two: a quarter full if that fits the cache, else at most half full. */
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
 * Returns the most slots that the first keys, together, may lie away from their own in an attempt. Keys
 * that a random hash puts into a half-full table lie half a slot away on average, the first ones less.
 */
export function mostSteps(numKeys: number, attempt: number): number {
  return attempt < MAX_ATTEMPTS ? numKeys + 64 : Infinity;
}

/** Returns a random odd number of 32 bits. */
export function randomOdd(): number {
  return (Math.random() * 0x1_0000_0000) | 1;
}
