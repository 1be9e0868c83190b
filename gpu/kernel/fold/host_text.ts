/**
 * Text functions that only a host has, for its kernels and for the interpreter: floats from text,
 * and the normal forms of Unicode.
 *
 * @module
 */

import { narrowFloat } from "../../../base/float_text.ts";

/**
 * Returns the float64 nearest to the number in a text: as JavaScript's `Number` reads it, and the
 * words `inf` and `infinity` in any case. Returns NaN for any other text, including white space.
 */
export function decimalOfText(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  // Number("") is 0, and so is that of white space.
  return text.trim() === "" ? NaN : Number(text);
}

/**
 * Returns the float of 16 or 32 bits nearest to the number in a text, as `decimalOfText` reads it,
 * ties to even.
 */
export function narrowDecimalOfText(text: string, bits: number): number {
  return narrowedDecimal(decimalOfText(text), bits, () => text);
}

/**
 * Does the same, given the float64 nearest to the number. Rounding it once more is wrong only if it
 * is halfway between two narrower floats and the number itself is not: then the two are compared.
 */
export function narrowedDecimal(value: number, bits: number, textOf: () => string): number {
  const result = narrowFloat(value, bits);
  // A float64 halfway between two narrower floats has zeros in its lowest bits.
  floats[0] = value;
  if (result === value || ((words[0] ?? 0) & 0xfffffff) !== 0 || !Number.isFinite(value)) {
    return result;
  }
  const below = narrowFloat(neighbour(value, -1), bits);
  const above = narrowFloat(neighbour(value, 1), bits);
  if (below === above) return result;
  const order = orderOfDecimal(textOf(), value);
  return order === 0 ? result : order < 0 ? below : above;
}

const floats = new Float64Array(1);
/** The bits of the float, the lower half first. */
const words = new Int32Array(floats.buffer);
const integers = new BigInt64Array(floats.buffer);

/** Returns the float64 next to one that is finite and not 0, below or above it. */
function neighbour(value: number, direction: -1 | 1): number {
  floats[0] = value;
  // The bits order magnitudes.
  integers[0] = (integers[0] ?? 0n) + BigInt(value < 0 ? -direction : direction);
  return floats[0];
}

/**
 * Compares the decimal number in a text with a float64 exactly; returns a number below, at or above
 * 0.
 */
function orderOfDecimal(text: string, value: number): number {
  const [, sign, whole = "", fraction = "", power = "0"] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  const exponent = Number(power) - fraction.length;
  // As an integer times a power of two.
  let shift = 0;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift++;
  }
  const left = digits * 10n ** BigInt(Math.max(exponent, 0)) << BigInt(shift);
  const right = BigInt(scaled) * 10n ** BigInt(Math.max(-exponent, 0));
  return left < right ? -1 : left > right ? 1 : 0;
}

const FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;

/**
 * The smallest first byte of a character that a form may change or join; text below it is normal.
 */
const FIRST_CHANGED = [0xcc, 0xc3, 0xc2, 0xc2] as const;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Returns the text of the bytes [start, stop) in a normal form of Unicode: 0 is NFC, 1 NFD, 2 NFKC,
 * 3 NFKD. Returns null if no byte belongs to a character that the form may change.
 */
export function normalText(
  bytes: Uint8Array,
  start: number,
  stop: number,
  form: number,
): string | null {
  const limit = FIRST_CHANGED[form] ?? 0;
  let checked = start;
  while (checked < stop && (bytes[checked] ?? 0) < limit) checked++;
  if (checked === stop) return null;
  return decoder.decode(bytes.subarray(start, stop)).normalize(FORMS[form]);
}
