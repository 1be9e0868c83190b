/**
 * Floats as big integers in units of a power of 2, in which all of them are exact.
 *
 * @module
 */

/** The least float64 is 2^-1074. */
export const LEAST_EXPONENT = 1074;

const view = new DataView(new ArrayBuffer(8));

/** Returns a finite float64 in units of 2^-unit, of which it must be a multiple. */
export function fixedOf(value: number, unit: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n) & 0x7ff;
  const fraction = bits & ((1n << 52n) - 1n);
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const shift = Math.max(exponent, 1) - 1 + unit - LEAST_EXPONENT;
  const size = mantissa << BigInt(shift);
  return value < 0 ? -size : size;
}

/** Returns the float64 nearest to a number in units of 2^-unit, ties to even. */
export function nearestFloat(fixed: bigint, unit: number): number {
  return nearestQuotient(fixed, 1n, unit);
}

/** Returns the float64 nearest to `numerator / denominator * 2^-unit`; the denominator is positive. */
export function nearestQuotient(numerator: bigint, denominator: bigint, unit: number): number {
  const size = numerator < 0n ? -numerator : numerator;
  if (size === 0n) return 0;
  // A quotient of at least 55 bits; what is left over is one bit that is not 0.
  const spare = Math.max(0, 56 + numBits(denominator) - numBits(size));
  const scaled = size << BigInt(spare);
  const quotient = scaled / denominator;
  const isExact = quotient * denominator === scaled;
  const exponent = -unit - spare;
  // The least bit that the result can have.
  const least = Math.max(numBits(quotient) - 53 + exponent, -LEAST_EXPONENT) - exponent;
  const rounded = least <= 0 ? quotient : roundedBits(quotient, BigInt(least), isExact);
  const result = scaledBy(Number(rounded), exponent + Math.max(least, 0));
  return numerator < 0n ? -result : result;
}

/**
 * Returns the square root of `numerator / denominator * 2^-unit`, rounded twice. Neither is negative. The
 * root exists as a float where the number itself is too large or too small.
 */
export function nearestRoot(numerator: bigint, denominator: bigint, unit: number): number {
  // A power of 4 brings the number near 1.
  const half = Math.round((numBits(numerator) - numBits(denominator) - unit) / 2);
  return Math.sqrt(nearestQuotient(numerator, denominator, unit + 2 * half)) * 2 ** half;
}

/** Drops bits of a number, to the nearest, ties to even. */
function roundedBits(value: bigint, bits: bigint, isExact: boolean): bigint {
  const kept = value >> bits;
  const dropped = value - (kept << bits);
  const half = 1n << (bits - 1n);
  const isTie = dropped === half && isExact;
  const goesUp = isTie ? (kept & 1n) === 1n : dropped >= half;
  return goesUp ? kept + 1n : kept;
}

/** Returns `value * 2^exponent` for an integer of at most 53 bits; exact, or an infinity. */
function scaledBy(value: number, exponent: number): number {
  if (exponent > 1000) {
    return exponent > 2100 ? value * Infinity : value * 2 ** 1000 * 2 ** (exponent - 1000);
  }
  return value * 2 ** exponent;
}

function numBits(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}
