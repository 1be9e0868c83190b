/**
 * Whether a double says what decimal text says.
 *
 * @module
 */

/** Digits that come back from any double as they went in. */
export const sureDigits = 15;
/** Digits of a fraction that no reader keeps more of. */
export const mostDigits = 17;
/** Below this doubles have fewer digits. */
const leastNormal = 2 ** -1022;
/** The digits that `toPrecision` gives, at most. */
const mostPrecise = 100;

const integer = /^[+-]?\d+$/;
const decimal = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** A number as `digits * 10 ** exponent`, without zeros at either end of the digits. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/**
 * Whether a number in decimal text, of 64 bits, becomes another one as a double. A fraction of up to
 * 17 significant digits does not: it is rounded as by every reader, 0.1 too. An integer does unless
 * the double is that integer and shows all of its digits: 9007199254740993 does, and 2^60 too, which
 * shows as 1152921504606847000. Other numbers do unless the double shows the same with as many digits.
 * What is beyond the range of doubles, or too small for them, does.
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
