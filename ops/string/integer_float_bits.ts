import type { i32 } from "../../gpu/kernel/language/row_function.ts";

/**
 * The row function that gives the bits of the float64 nearest to an integer of 64 bits, ties to the
 * even one. `c.signed` is 1 or 0.
 */
export function integerFloatBits(low: i32, high: i32, c: { signed: i32 }): [i32, i32] {
  if (low === 0 && high === 0) return [0, 0];
  const isNegative = c.signed === 1 && high < 0;
  let top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
  let bottom = isNegative ? -low : low;
  let exponent = 1023 + 63;
  if (top === 0) {
    top = bottom;
    bottom = 0;
    exponent -= 32;
  }
  // The leading one becomes the highest of the 64 bits.
  while (top >= 0) {
    top = (top << 1) | (bottom >>> 31);
    bottom = bottom << 1;
    exponent--;
  }
  const rest = bottom & 0x7ff;
  let fraction = (bottom >>> 11) | (top << 21);
  // The leading one is not stored; a carry out of the fraction raises the exponent, as it must.
  let head = (exponent << 20) + ((top >>> 11) & 0xfffff);
  if (rest > 0x400 || (rest === 0x400 && (bottom & 0x800) !== 0)) {
    fraction = fraction + 1;
    if (fraction === 0) head++;
  }
  return [fraction, isNegative ? head | -0x80000000 : head];
}
