/**
 * Bitmaps, least significant bit first.
 *
 * @module
 */

/** The bits [start, start + length) moved to bit 0; the bits behind them are 0. */
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
