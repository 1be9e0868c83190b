/**
 * Whether a decimal number keeps its digits as a double.
 *
 * @module
 */

/** The number of decimal digits that every double preserves. */
export const sureDigits = 15;
/** Fractions of up to this many significant digits may be rounded, as every reader does. */
export const mostDigits = 17;
/** The smallest normal double; smaller ones have less precision. */
const leastNormal = 2 ** -1022;
/** The most digits of `toPrecision`. */
const mostPrecise = 100;

const integer = /^[+-]?\d+$/;
const decimal = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** A number as `digits * 10 ** exponent`, without leading and trailing zeros. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/**
 * Whether a decimal number loses digits as a double.
 *
 * - A fraction of up to 17 significant digits does not: every reader rounds it, even 0.1.
 * - An integer does, unless the double is equal and prints all its digits: 9007199254740993 does, and
 *   so does 2^60, which prints as 1152921504606847000.
 * - Other numbers do, unless the double prints the same with as many digits.
 * - Numbers out of range do, and so do numbers too small for a double.
 */
export function losesDigits(text: string): boolean {
  const value = Number(text);
  if (integer.test(text)) return text.length > sureDigits && !isShownInteger(text, value);
  if (!Number.isFinite(value)) return true;
  const wanted = decimalOf(text);
  const numDigits = wanted.digits.length;
  if (value === 0) return numDigits > 0;
  const isNormal = Math.abs(value) >= leastNormal;
  if (isNormal && numDigits <= (wanted.exponent < 0 ? mostDigits : sureDigits)) return false;
  if (numDigits <= mostDigits && isSame(wanted, decimalOf(String(value)))) return false;
  return numDigits > mostPrecise || !isSame(wanted, decimalOf(value.toPrecision(numDigits)));
}

/** Whether a decimal number is exactly an integer that a double holds. */
export function isExactly(text: string, value: number): boolean {
  const [wanted, own] = [decimalOf(text), decimalOf(BigInt(value).toString())];
  return wanted.digits === "" ? value === 0 : isSame(wanted, own);
}

function isShownInteger(text: string, value: number): boolean {
  const shown = text.replace(/^\+/, "");
  return String(value) === shown && BigInt(value) === BigInt(shown);
}

function decimalOf(text: string): Decimal {
  const [, whole = "", fraction = "", exponent = "0"] = decimal.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const zeros = digits.length - significant.length;
  return { digits: significant, exponent: Number(exponent) - fraction.length + zeros };
}

function isSame(left: Decimal, right: Decimal): boolean {
  return left.digits === right.digits && left.exponent === right.exponent;
}
