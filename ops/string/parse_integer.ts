import type { i32, View } from "../../gpu/kernel/language/row_function.ts";

/**
 * The row function that reads an integer of 64 bits: decimal digits behind an optional sign, and
 * nothing else. Null for other text and for what does not fit.
 *
 * Up to 9 digits are one number of 32 bits. More are read in groups of four into four limbs of 16
 * bits, of which the products with a power of ten stay below 2^31.
 */
export function parseInteger(text: View): [i32, i32] | null {
  const sign = text.byteAt(0);
  const isNegative = sign === 0x2d;
  let at = isNegative || sign === 0x2b ? 1 : 0;
  if (at === text.size) return null;
  while (at < text.size - 1 && text.byteAt(at) === 0x30) at++;
  // More digits than 19 are more than 2^63, or no digits.
  if (text.size - at > 19) return null;
  if (text.size - at <= 9) {
    let value = 0;
    for (; at < text.size; at++) {
      const digit = text.byteAt(at) - 0x30;
      if (digit < 0 || digit > 9) return null;
      value = value * 10 + digit;
    }
    if (isNegative) value = -value;
    return [value, value >> 31];
  }
  let limb0 = 0;
  let limb1 = 0;
  let limb2 = 0;
  let limb3 = 0;
  while (at < text.size) {
    let group = 0;
    let scale = 1;
    for (; at < text.size && scale < 10000; at++) {
      const digit = text.byteAt(at) - 0x30;
      if (digit < 0 || digit > 9) return null;
      group = group * 10 + digit;
      scale *= 10;
    }
    limb0 = limb0 * scale + group;
    limb1 = limb1 * scale + (limb0 >> 16);
    limb2 = limb2 * scale + (limb1 >> 16);
    limb3 = limb3 * scale + (limb2 >> 16);
    limb0 &= 0xffff;
    limb1 &= 0xffff;
    limb2 &= 0xffff;
  }
  const low = limb0 | (limb1 << 16);
  const high = limb2 | (limb3 << 16);
  if (!isNegative) {
    if (limb3 > 0x7fff) return null;
    return [low, high];
  }
  if (limb3 > 0x8000 || (limb3 === 0x8000 && (low !== 0 || limb2 !== 0))) return null;
  return [-low, ~high + (low === 0 ? 1 : 0)];
}
