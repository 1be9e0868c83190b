/**
 * The hash of join keys, the same here and in `join_hash.wgsl`: the table is built on the host and
 * probed on the device.
 *
 * Integers: the low word, xored with the high word times an odd constant where a key has two, then
 * mixed by the finalizer of MurmurHash3. Text: starting from its size, each little-endian word of
 * four bytes (the last one padded with zeros) is xored into the rotated hash, which is multiplied
 * by the odd constant next to 2^32 / golden ratio; then mixed in the same way.
 *
 * @module
 */

/** Nearest odd number to 2^32 divided by the golden ratio. */
const GOLDEN = 0x9e37_79b1;

/** Hash of a key of one word. */
export function hashInt32(low: number): number {
  return mix(low);
}

/** Hash of a key of two words. */
export function hashInt64(low: number, high: number): number {
  return mix(low ^ Math.imul(high, GOLDEN));
}

/** Hash of the text of `size` bytes whose words, padded with zeros, begin at `firstWord`. */
export function hashText(words: Int32Array, firstWord: number, size: number): number {
  let hash = size;
  const stop = firstWord + Math.ceil(size / 4);
  for (let at = firstWord; at < stop; at++) {
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ words[at]!, GOLDEN);
  }
  return mix(hash);
}

function mix(seed: number): number {
  let hash = seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}
