/**
 * Checks whether the values of a page can be as many as its levels say.
 *
 * @module
 */

import {
  byteStreamSplit,
  deltaBinaryPacked,
  deltaByteArray,
  deltaLengthByteArray,
  encoding as encodings,
  type Leaf,
  physicalType,
  widthOf,
} from "../metadata/metadata.ts";

/**
 * Whether encoded values can be `count`, the number that the levels before them state. It is wrong where a
 * reader took levels of one encoding for those of another, so that they end at another byte.
 */
export function holdsValues(
  values: Uint8Array,
  encoding: number,
  { element }: Leaf,
  count: number,
): boolean {
  const width = element.type === physicalType.boolean ? 1 / 8 : widthOf(element) ?? 0;
  switch (encoding) {
    case encodings.plain:
      return width === 0
        ? countTexts(values) === count
        : Math.ceil(count * width) === values.length;
    case byteStreamSplit:
      return count * width === values.length;
    case encodings.dictionary:
    case encodings.oldDictionary:
      return values.length === 0
        ? count === 0
        : holdsIntegers(values.subarray(1), values[0]!, count);
    case encodings.hybrid:
      return holdsIntegers(values.subarray(4), 1, count);
    case deltaBinaryPacked:
    case deltaLengthByteArray:
    case deltaByteArray:
      return deltaCount(values) === count;
    default:
      return true;
  }
}

/** Returns the number of texts in bytes, each behind its length; NaN if the last one is not whole. */
function countTexts(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  let position = 0;
  for (; position + 4 <= bytes.length; count++) position += 4 + view.getUint32(position, true);
  return position === bytes.length ? count : NaN;
}

/** Whether runs and packed integers have `count` values, up to the end of the bytes. */
function holdsIntegers(bytes: Uint8Array, bitWidth: number, count: number): boolean {
  if (bitWidth > 32) return false;
  let [position, total, padded] = [0, 0, 0];
  while (position < bytes.length && total < count) {
    const { value, stop } = varintAt(bytes, position);
    const length = value >>> 1;
    const isPacked = (value & 1) === 1;
    padded = isPacked ? 7 : 0;
    total += isPacked ? 8 * length : length;
    position = stop + (isPacked ? length * bitWidth : Math.ceil(bitWidth / 8));
  }
  return total >= count && total - padded <= count && position >= bytes.length;
}

/** Returns the number of values of a delta encoding: the third number in front of them. */
function deltaCount(bytes: Uint8Array): number {
  let [value, stop] = [0, 0];
  for (let index = 0; index < 3; index++) ({ value, stop } = varintAt(bytes, stop));
  return value;
}

/** Returns a number of 7 bits a byte; NaN where the bytes end before it does. */
export function varintAt(bytes: Uint8Array, start: number): { value: number; stop: number } {
  let value = 0;
  for (let stop = start, scale = 1; stop < bytes.length && scale < 2 ** 49; scale *= 128) {
    const byte = bytes[stop++]!;
    value += (byte & 127) * scale;
    if (byte < 128) return { value, stop };
  }
  return { value: NaN, stop: bytes.length };
}
