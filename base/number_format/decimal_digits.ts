/**
 * The decimal digits of numbers, rounded to some places. A tie goes to the even digit, and only a
 * number that is stored as one is a tie.
 *
 * @module
 */

import { decimalText } from "../number_text.ts";

/** The digits of a number, of which the first is 1 to 9 unless it is 0, and the power of ten of the first. */
export interface Digits {
  readonly digits: string;
  readonly exponent: number;
}

/** A number from 0 on whose digits can be had. */
export interface Magnitude {
  /** Returns the number with this number of digits behind the point: `12.50`, `12`. */
  fixed(places: number): string;
  /** Returns the first `count` digits. */
  first(count: number): Digits;
}

/** From here on JavaScript does not write all digits of a float, which is a whole number. */
const LEAST_UNWRITTEN = 1e21;

/** Returns the digits of a float from 0 on that is finite. */
export function floatDigits(value: number): Magnitude {
  return {
    fixed(places) {
      if (value >= LEAST_UNWRITTEN) return integerDigits(BigInt(value)).fixed(places);
      const text = value.toFixed(places);
      return isTie(value, places) ? evenDigit(text) : text;
    },
    first(count) {
      const text = value.toExponential(count - 1);
      const mark = text.indexOf("e");
      const exponent = Number(text.slice(mark + 1));
      const digits = text.slice(0, mark).replace(".", "");
      // A single 1 that was rounded up is the 10 of 9.5, which is even.
      const isEven = digits === "1" || !isTie(value, count - 1 - exponent);
      return { digits: isEven ? digits : evenDigit(digits), exponent };
    },
  };
}

/** Returns the digits of a whole number from 0 on. */
export function integerDigits(value: bigint): Magnitude {
  const all = String(value);
  return {
    fixed: (places) => places === 0 ? all : `${all}.${"0".repeat(places)}`,
    first(count) {
      const exponent = all.length - 1;
      if (all.length <= count) return { digits: all.padEnd(count, "0"), exponent };
      const unit = 10n ** BigInt(all.length - count);
      const rest = value % unit * 2n;
      const kept = value / unit;
      const isUp = rest > unit || (rest === unit && kept % 2n === 1n);
      const digits = String(isUp ? kept + 1n : kept);
      return digits.length === count
        ? { digits, exponent }
        : { digits: digits.slice(0, count), exponent: exponent + 1 };
    },
  };
}

/** Returns the digits of a decimal from 0 on, of which the last `scale` are behind the point. */
export function scaledDigits(unscaled: bigint, scale: number): Magnitude {
  return {
    fixed(places) {
      if (places >= scale) return decimalText(unscaled * 10n ** BigInt(places - scale), places);
      const unit = 10n ** BigInt(scale - places);
      const rest = unscaled % unit * 2n;
      const kept = unscaled / unit;
      const isUp = rest > unit || (rest === unit && kept % 2n === 1n);
      return decimalText(isUp ? kept + 1n : kept, places);
    },
    first(count) {
      const { digits, exponent } = integerDigits(unscaled).first(count);
      return { digits, exponent: unscaled === 0n ? 0 : exponent - scale };
    },
  };
}

/**
 * Whether a float is as near to both neighbours that have this number of decimal places. It is where its
 * double, with a power of two for the power of ten, is an odd number: a power of five is odd itself.
 */
function isTie(value: number, places: number): boolean {
  if (places >= 0) return value * 2 ** (places + 1) % 2 === 1;
  if (value % 5 !== 0) return false;
  const half = 10n ** BigInt(-places) / 2n;
  const whole = BigInt(value);
  return whole % half === 0n && whole / half % 2n === 1n;
}

/** Rounds a tie down that JavaScript has rounded up to an odd digit. */
function evenDigit(text: string): string {
  const last = Number(text.at(-1));
  return last % 2 === 0 ? text : `${text.slice(0, -1)}${last - 1}`;
}
