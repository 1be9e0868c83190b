/**
 * The slots of hash tables: how many there are, and when a table is given up and built anew.
 *
 * @module
 */

/** After so many attempts a table is taken as it is. */
const MAX_ATTEMPTS = 6;
/** A table of more bytes than this does not stay in the cache. */
const CACHE_BYTES = 1 << 20;

/** Slots, a power of two: a quarter full where that fits the cache, else at most half full. */
export function chooseSlots(numKeys: number, bytesPerSlot: number): number {
  const roomy = powerOfTwo(4 * numKeys);
  return roomy * bytesPerSlot <= CACHE_BYTES ? roomy : powerOfTwo(2 * numKeys);
}

/** The smallest power of two that is not below `least`, nor below 2. */
function powerOfTwo(least: number): number {
  let power = 2;
  while (power < least) power *= 2;
  return power;
}

/**
 * Slots that the first keys together may lie away from their own in an attempt. Keys that a random
 * hash puts into a table half full lie half a slot away on average, the first ones less.
 */
export function mostSteps(numKeys: number, attempt: number): number {
  return attempt < MAX_ATTEMPTS ? numKeys + 64 : Infinity;
}

/** An odd number of 32 bits. */
export function randomOdd(): number {
  return (Math.random() * 0x1_0000_0000) | 1;
}
