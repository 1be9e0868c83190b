/**
 * The types of decimals: which are computed with, and the types of results.
 *
 * @module
 */

import { DataType, Decimal } from "apache-arrow";

/** The most digits of a decimal that is computed with; they fit in 128 bits. */
export const MAX_DIGITS = 38;

/** The number of digits of a decimal, and of those behind the point. */
export interface Digits {
  readonly precision: number;
  readonly scale: number;
}

/** Returns the digits of a decimal that is computed with, of any width; undefined for other types. */
export function decimalDigits(type: DataType): Digits | undefined {
  if (!DataType.isDecimal(type)) return undefined;
  const { precision, scale } = type;
  const isPlain = precision >= 1 && precision <= MAX_DIGITS && scale >= 0 && scale <= MAX_DIGITS;
  return isPlain ? { precision, scale } : undefined;
}

/** Returns the digits of a decimal, or of the decimal that holds all values of an integer type. */
export function wholeDigits(type: DataType): Digits | undefined {
  if (!DataType.isInt(type)) return decimalDigits(type);
  const most = type.isSigned ? 2n ** BigInt(type.bitWidth - 1) : 2n ** BigInt(type.bitWidth);
  return { precision: String(most).length, scale: 0 };
}

/** Returns the type of decimals with these digits. */
export function decimalType({ precision, scale }: Digits): Decimal {
  return new Decimal(scale, precision, 128);
}

/** Returns the digits of sums and differences: one more than both operands have before the point. */
export function sumDigits(a: Digits, b: Digits): Digits {
  const scale = scaleOf(a, b);
  return limited({ precision: beforePoint(a, b) + 1 + scale, scale });
}

/** Returns the digits of products, whose scale may be too large. */
export function productDigits(a: Digits, b: Digits): Digits {
  return limited({ precision: a.precision + b.precision, scale: a.scale + b.scale });
}

/** Returns the digits that hold all values of both; undefined where these are more than 38. */
export function heldDigits(a: Digits, b: Digits): Digits | undefined {
  const scale = scaleOf(a, b);
  const precision = Math.max(1, beforePoint(a, b) + scale);
  return precision > MAX_DIGITS ? undefined : { precision, scale };
}

/**
 * Returns the digits of numbers that are rounded to `places` places; one more where rounding may carry
 * into a new digit.
 */
export function roundedDigits(
  { precision, scale }: Digits,
  places: number,
  carries: boolean,
): Digits {
  if (places >= scale) return { precision, scale };
  const whole = precision - scale + (carries ? 1 : 0);
  return limited({
    precision: Math.max(1, whole + Math.max(0, places)),
    scale: Math.max(0, places),
  });
}

function beforePoint(a: Digits, b: Digits): number {
  return Math.max(a.precision - a.scale, b.precision - b.scale);
}

function scaleOf(a: Digits, b: Digits): number {
  return Math.max(a.scale, b.scale);
}

function limited({ precision, scale }: Digits): Digits {
  return { precision: Math.min(MAX_DIGITS, Math.max(1, precision)), scale };
}
