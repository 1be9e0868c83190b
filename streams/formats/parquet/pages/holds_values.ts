/**
 * Checks that a page can have as many values as its levels say.
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
import { varintAt } from "../metadata/varint.ts";

/**
 * Whether encoded bytes can have `count` values, the number that the levels before them state. If
 * not, levels of one encoding were probably read as another, so that they ended at the wrong byte.
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

/** Counts texts that each follow their length; NaN if the last one is incomplete. */
function countTexts(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  let position = 0;
  for (; position + 4 <= bytes.length; count++) position += 4 + view.getUint32(position, true);
  return position === bytes.length ? count : NaN;
}

/** Whether runs and packed integers have `count` values and reach the end of the bytes. */
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

/** Returns the number of values of a delta encoding, the third number of its header. */
function deltaCount(bytes: Uint8Array): number {
  let [value, stop] = [0, 0];
  for (let index = 0; index < 3; index++) ({ value, stop } = varintAt(bytes, stop));
  return value;
}
