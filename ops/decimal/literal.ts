/**
 * Literals beside decimals: the decimals that they are written as.
 *
 * @module
 */

import type { Digits } from "../syntax/decimal_type.ts";

/** A decimal, exactly. */
export interface DecimalValue {
  /** The number without its point. */
  readonly unscaled: bigint;
  readonly scale: number;
}

/**
 * Returns the decimal with the digits that a number is written with, the fewest that read back as the
 * same float; undefined for NaN and the infinities.
 */
export function decimalOf(value: number | bigint): DecimalValue | undefined {
  return decimalOfText(String(value));
}

/** Returns the decimal that a number is written as; undefined for other texts. */
export function decimalOfText(text: string): DecimalValue | undefined {
  // A longer exponent has no place among decimals.
  const parts = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text);
  const [, sign = "", whole = "", behind = "", exponent = "0"] = parts ?? [];
  if (whole + behind === "") return undefined;
  const unscaled = BigInt(whole + behind) * (sign === "-" ? -1n : 1n);
  const scale = behind.length - Number(exponent);
  return scale >= 0
    ? { unscaled, scale }
    : { unscaled: unscaled * 10n ** BigInt(-scale), scale: 0 };
}

/** Returns the digits of a decimal. */
export function digitsOf({ unscaled, scale }: DecimalValue): Digits {
  const { length } = String(unscaled < 0n ? -unscaled : unscaled);
  return { precision: Math.max(length, scale), scale };
}

/**
 * Returns a decimal without its point at a scale, rounded down, and whether it has no further digits.
 */
export function atScale(
  { unscaled, scale }: DecimalValue,
  places: number,
): { readonly floor: bigint; readonly isExact: boolean } {
  if (scale <= places) return { floor: unscaled * 10n ** BigInt(places - scale), isExact: true };
  const unit = 10n ** BigInt(scale - places);
  const rest = ((unscaled % unit) + unit) % unit;
  return { floor: (unscaled - rest) / unit, isExact: rest === 0n };
}
