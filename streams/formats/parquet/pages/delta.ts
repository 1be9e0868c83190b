/**
 * Decodes DELTA_BYTE_ARRAY, which stores only the part of each text that differs from the one
 * before.
 *
 * Format: https://github.com/apache/parquet-format/blob/master/Encodings.md
 *
 * @module
 */

import { PageFactError } from "../../../../base/errors/data_error.ts";

/**
 * Returns the values of a page, at most `mostValues`. The first one may share a prefix with `last`,
 * the last value of the page before: writers should begin anew with each page, but parquet-mr
 * before 1.8 did not (PARQUET-246). Throws a PageFactError if the page is broken.
 */
export function deltaByteArrays(
  bytes: Uint8Array,
  last: Uint8Array,
  mostValues: number,
): Uint8Array[] {
  const prefixes = deltaIntegers(bytes, 0, mostValues);
  const lengths = deltaIntegers(bytes, prefixes.stop, mostValues);
  if (lengths.values.length !== prefixes.values.length) throw broken();
  const values: Uint8Array[] = [];
  let [before, start] = [last, lengths.stop];
  for (const [index, prefix] of prefixes.values.entries()) {
    const length = lengths.values[index]!;
    const stop = start + length;
    if (prefix < 0 || length < 0 || prefix > before.length || stop > bytes.length) throw broken();
    const value = new Uint8Array(prefix + length);
    value.set(before.subarray(0, prefix));
    value.set(bytes.subarray(start, stop), prefix);
    values.push(before = value);
    start = stop;
  }
  return values;
}

/**
 * Returns the DELTA_BINARY_PACKED integers that begin at byte `start`, and the byte after them.
 */
function deltaIntegers(
  bytes: Uint8Array,
  start: number,
  mostValues: number,
): { readonly values: number[]; readonly stop: number } {
  let position = start;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 56; scale *= 128) {
      const byte = bytes[position++];
      if (byte === undefined) break;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw broken();
  };
  const signed = (): number => {
    const value = varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const blockSize = varint();
  const numParts = varint();
  const count = varint();
  let value = signed();
  const partSize = blockSize / numParts;
  if (!(partSize > 0 && partSize % 8 === 0 && count <= mostValues)) throw broken();
  const values: number[] = count > 0 ? [value] : [];
  while (values.length < count) {
    const least = signed();
    const widths = bytes.subarray(position, position += numParts);
    for (const width of widths) {
      // Parts after the last value are not stored.
      if (values.length >= count) break;
      if (width > 32 || position + partSize * width / 8 > bytes.length) throw broken();
      for (let index = 0; index < partSize && values.length < count; index++) {
        // Sums wrap around at 32 bits.
        value = value + least + bitsAt(bytes, 8 * position + index * width, width) | 0;
        values.push(value);
      }
      position += partSize * width / 8;
    }
    if (widths.length < numParts) throw broken();
  }
  return { values, stop: position };
}

/** Returns an integer of up to 32 bits, stored from the least significant bit on. */
function bitsAt(bytes: Uint8Array, start: number, width: number): number {
  let value = 0;
  for (let have = 0; have < width;) {
    const bit = start + have;
    const count = Math.min(8 - (bit & 7), width - have);
    value += (bytes[bit >>> 3]! >> (bit & 7) & (1 << count) - 1) * 2 ** have;
    have += count;
  }
  return value;
}

function broken(): PageFactError {
  return new PageFactError("a DELTA_BYTE_ARRAY page cannot be decoded");
}
