/**
 * Decodes the varints in the pages of a column.
 *
 * @module
 */

/** Decodes a varint: 7 bits in each byte, low bits first. NaN if the bytes end before it does. */
export function varintAt(bytes: Uint8Array, start: number): { value: number; stop: number } {
  let value = 0;
  for (let stop = start, scale = 1; stop < bytes.length && scale < 2 ** 49; scale *= 128) {
    const byte = bytes[stop++]!;
    value += (byte & 127) * scale;
    if (byte < 128) return { value, stop };
  }
  return { value: NaN, stop: bytes.length };
}
