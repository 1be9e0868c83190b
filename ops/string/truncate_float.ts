import type { i32 } from "../../gpu/kernel/language/row_function.ts";

/**
 * The row function that cuts off the fraction of a float64, given by its bits. Null for what is no
 * number of 64 bits: NaN, infinities and what is too large.
 */
export function truncateFloat(low: i32, high: i32): [i32, i32] | null {
  const exponent = ((high >>> 20) & 0x7ff) - 1023;
  if (exponent < 0) return [0, 0];
  if (exponent >= 63) {
    // The least integer is a float, and the only one of its size that fits.
    if (high === -0x3c200000 && low === 0) return [0, -0x80000000];
    return null;
  }
  const fraction = (high & 0xfffff) | 0x100000;
  let wholeLow = 0;
  let wholeHigh = 0;
  const left = exponent - 52;
  if (left > 0) {
    wholeLow = low << left;
    wholeHigh = (fraction << left) | (low >>> (32 - left));
  } else if (left === 0) {
    wholeLow = low;
    wholeHigh = fraction;
  } else if (left > -32) {
    wholeLow = (low >>> -left) | (fraction << (32 + left));
    wholeHigh = fraction >>> -left;
  } else {
    wholeLow = fraction >>> (-left - 32);
  }
  if (high >= 0) return [wholeLow, wholeHigh];
  return [-wholeLow, ~wholeHigh + (wholeLow === 0 ? 1 : 0)];
}
