/**
 * Copies and counts bits of bitmaps, which begin with the least significant bit.
 *
 * @module
 */

/** Copies the bits [start, start + length) to bit 0, followed by zeros. */
export function packBits(bits: Uint8Array, start: number, length: number): Uint8Array {
  const numBytes = Math.ceil(length / 8);
  const first = start >> 3;
  const shift = start & 7;
  const packed = bits.slice(first, first + numBytes);
  if (shift !== 0) {
    for (let i = 0; i < numBytes; i++) {
      packed[i] = (bits[first + i]! >> shift) | ((bits[first + i + 1] ?? 0) << (8 - shift));
    }
  }
  if (length % 8 !== 0) packed[numBytes - 1]! &= (1 << (length % 8)) - 1;
  return packed;
}

/** Copies the bits [start, start + length) of `source` to bit `at` of `target`. */
export function setBits(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  start: number,
  length: number,
): void {
  for (let i = 0; i < length; i++) {
    const from = start + i;
    const to = at + i;
    const isSet = (source[from >> 3]! >> (from & 7)) & 1;
    target[to >> 3] = (target[to >> 3]! & ~(1 << (to & 7))) | (isSet << (to & 7));
  }
}

/** Counts the ones among the first `length` bits. */
export function countBits(bits: Uint8Array, length: number): number {
  const { buffer, byteOffset } = bits;
  const numWords = byteOffset % 4 === 0 ? length >> 5 : 0;
  const words = new Uint32Array(buffer, numWords === 0 ? 0 : byteOffset, numWords);
  let count = 0;
  for (let i = 0; i < numWords; i++) count += onesIn(words[i]!);
  return count + countBitsAt(bits, 4 * numWords, length - 32 * numWords);
}

/** Counts the ones among `length` bits that begin at byte `start`. */
export function countBitsAt(bits: Uint8Array, start: number, length: number): number {
  let count = 0;
  for (let bit = 0; bit < length; bit += 8) {
    const rest = length - bit;
    const byte = bits[start + (bit >> 3)]!;
    count += onesIn(rest < 8 ? byte & ((1 << rest) - 1) : byte);
  }
  return count;
}

/** Counts the ones of a word (Hacker's Delight, figure 5-2). */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
