/**
 * Formats floats.
 *
 * @module
 */

/** The width of a float in bits. */
type FloatBits = 16 | 32 | 64;

/** For each width: the digits that every normal number keeps, and the least normal number. */
const KEPT_DIGITS = { 16: 3, 32: 6 };
const LEAST_NORMAL = { 16: 2 ** -14, 32: 2 ** -126 };

/** Integers below it are floats of the width, and so are their neighbours: all digits count. */
const DENSE_BELOW = { 16: 2 ** 11, 32: 2 ** 24 };

/**
 * Returns the shortest decimal number that reads back as the same float, as JavaScript writes it:
 * `0.1`, `1e+21`, `NaN`, `-Infinity`. A whole number ends in `.0`, so that nobody takes it for an
 * integer.
 */
export function floatText(value: number, bits: FloatBits): string {
  const shortest = shortestFloat(value, bits);
  if (!Number.isInteger(shortest)) return String(shortest);
  const text = Object.is(shortest, -0) ? "-0" : String(shortest);
  return text.includes("e") ? text : `${text}.0`;
}

/** Returns the number with the fewest digits that is nearest to a float. */
export function shortestFloat(value: number, bits: FloatBits): number {
  if (bits === 64 || !Number.isFinite(value)) return value;
  const size = Math.abs(value);
  if (size < DENSE_BELOW[bits] && Number.isInteger(value)) return value;
  // Numbers below the normal ones have fewer digits; all others lose none of the first ones.
  for (let digits = size < LEAST_NORMAL[bits] ? 1 : KEPT_DIGITS[bits]; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (narrowFloat(rounded, bits) === value) return rounded;
  }
  return Number(value.toPrecision(9));
}

/** Returns the float of 16 or 32 bits nearest to one of 64 bits, ties to even. */
export function narrowFloat(value: number, bits: number): number {
  return bits === 16 ? Math.f16round(value) : Math.fround(value);
}
