/**
 * The hash of join keys, the same here and in `join_keys.wgsl`. The host needs it to divide a build
 * side that is too large for one table.
 *
 * - Integers: the low word is xored with the seed and mixed by the finalizer of MurmurHash3. For
 * keys of two words, the result is xored with the high word times an odd constant, and mixed again.
 *
 * - Text: the hash starts as the size xored with the seed. Each little-endian word of four bytes,
 * the last one padded with zeros, is xored into the rotated hash, which is then multiplied by the
 * odd number nearest to 2^32 / golden ratio. At the end it is mixed in the same way.
 *
 * @module
 */

/** The odd number nearest to 2^32 divided by the golden ratio. */
const GOLDEN = 0x9e37_79b1;

/** Returns the seed of an attempt to build a table; the first one is 0. */
export function hashSeed(attempt: number): number {
  return Math.imul(attempt, GOLDEN);
}

/** Hashes a key of one word. */
export function hashInt32(low: number, seed: number): number {
  return mix(low ^ seed);
}

/** Hashes a key of two words. */
export function hashInt64(low: number, high: number, seed: number): number {
  return mix(mix(low ^ seed) ^ Math.imul(high, GOLDEN));
}

/** Hashes the text in the bytes [start, stop). */
export function hashText(bytes: Uint8Array, start: number, stop: number, seed: number): number {
  let hash = (stop - start) ^ seed;
  for (let at = start; at < stop; at += 4) {
    let word = bytes[at]!;
    if (at + 1 < stop) word |= bytes[at + 1]! << 8;
    if (at + 2 < stop) word |= bytes[at + 2]! << 16;
    if (at + 3 < stop) word |= bytes[at + 3]! << 24;
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ word, GOLDEN);
  }
  return mix(hash);
}

/** Returns which of `numParts` parts, a power of two, has the keys of a hash. */
export function partOfHash(hash: number, numParts: number): number {
  return mix(hash ^ GOLDEN) & (numParts - 1);
}

function mix(seed: number): number {
  let hash = seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}
