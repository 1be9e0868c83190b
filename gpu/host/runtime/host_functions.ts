/**
 * The functions that row functions call on the host; `gpu/kernel/language/host_functions.ts` lists
 * them.
 *
 * @module
 */

import { floatText } from "../../../base/float_text.ts";
import {
  formattedDecimal,
  formattedFloat,
  formattedInteger,
} from "../../kernel/fold/formatted_number.ts";
import { decimalOfText, narrowedDecimal, normalText } from "../../kernel/fold/host_text.ts";

const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const MAX_EXACT_DIGITS = 15;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Returns the float64 nearest to the decimal number in the bytes [start, stop): digits with an
 * optional sign, point and exponent. Reads other text as `decimalOfText` does.
 *
 * A number of up to 15 digits is an integer that a float64 represents exactly, and so is a power of
 * ten up to 22. So their product or quotient is rounded once: the fast path of W. D. Clinger, "How
 * to read floating point numbers accurately" (1990). JavaScript reads everything else.
 */
export function readDecimal(bytes: Uint8Array, start: number, stop: number): number {
  let at = start;
  const sign = bytes[at];
  if (at < stop && (sign === 0x2d || sign === 0x2b)) at++;
  let value = 0;
  let digits = 0;
  let scale = 0;
  let isBehindPoint = false;
  let isNumber = false;
  for (; at < stop; at++) {
    const byte = bytes[at] ?? 0;
    const digit = byte - 0x30;
    if (digit >= 0 && digit <= 9) {
      isNumber = true;
      // Leading zeros do not count.
      if (value > 0 || digit > 0) digits++;
      if (digits > MAX_EXACT_DIGITS) return slowly(bytes, start, stop);
      value = value * 10 + digit;
      if (isBehindPoint) scale--;
    } else if (byte === 0x2e && !isBehindPoint) {
      isBehindPoint = true;
    } else {
      break;
    }
  }
  if (at < stop) {
    if (((bytes[at] ?? 0) | 0x20) !== 0x65) return slowly(bytes, start, stop);
    const exponent = readExponent(bytes, at + 1, stop);
    if (exponent === null) return slowly(bytes, start, stop);
    scale += exponent;
  }
  if (!isNumber) return slowly(bytes, start, stop);
  if (value === 0) return sign === 0x2d ? -0 : 0;
  if (scale < -22 || scale > 22) return slowly(bytes, start, stop);
  const magnitude = scale < 0 ? value / (POWERS[-scale] ?? 1) : value * (POWERS[scale] ?? 1);
  return sign === 0x2d ? -magnitude : magnitude;
}

/** Reads a short exponent with an optional sign; returns null for anything else. */
function readExponent(bytes: Uint8Array, start: number, stop: number): number | null {
  const sign = bytes[start];
  const first = sign === 0x2d || sign === 0x2b ? start + 1 : start;
  if (stop - first < 1 || stop - first > 3) return null;
  let exponent = 0;
  for (let at = first; at < stop; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return null;
    exponent = exponent * 10 + digit;
  }
  return sign === 0x2d ? -exponent : exponent;
}

/** Returns the 16-bit or 32-bit float nearest to the decimal number in the bytes [start, stop). */
export function readNarrowDecimal(
  bytes: Uint8Array,
  start: number,
  stop: number,
  bits: number,
): number {
  const value = readDecimal(bytes, start, stop);
  return narrowedDecimal(value, bits, () => decoder.decode(bytes.subarray(start, stop)));
}

function slowly(bytes: Uint8Array, start: number, stop: number): number {
  return decimalOfText(decoder.decode(bytes.subarray(start, stop)));
}

/**
 * Writes `floatText` at `at`, except for bytes past the end of `out`; returns its number of
 * bytes.
 */
export function writeFloat(out: Uint8Array, at: number, value: number, bits: 16 | 32 | 64): number {
  const text = floatText(value, bits);
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
  return text.length;
}

/** Writes `formattedFloat` at `at`, except for bytes past the end of `out`; returns its number of bytes. */
export function writeFormatted(
  out: Uint8Array,
  at: number,
  source: Uint8Array,
  start: number,
  stop: number,
  value: number,
  bits: number,
): number {
  return writeText(out, at, formattedFloat(source, start, stop, value, bits));
}

/** Writes `formattedInteger` at `at` in the same way. */
export function writeFormattedInteger(
  out: Uint8Array,
  at: number,
  source: Uint8Array,
  start: number,
  stop: number,
  low: number,
  high: number,
  signed: number,
): number {
  return writeText(out, at, formattedInteger(source, start, stop, low, high, signed === 1));
}

/** Writes `formattedDecimal` at `at` in the same way; the last number is the scale. */
export function writeFormattedDecimal(
  out: Uint8Array,
  at: number,
  source: Uint8Array,
  start: number,
  stop: number,
  ...numbers: number[]
): number {
  const words = numbers.slice(0, 4);
  return writeText(out, at, formattedDecimal(source, start, stop, words, numbers[4] ?? 0));
}

/**
 * Writes the bytes [start, stop) of `data`, which are UTF-8, at `at` in a normal form of Unicode (0
 * is NFC, 1 NFD, 2 NFKC, 3 NFKD), except for bytes past the end of `out`; returns the number of
 * bytes.
 */
export function writeNormal(
  out: Uint8Array,
  at: number,
  data: Uint8Array,
  start: number,
  stop: number,
  form: number,
): number {
  const text = normalText(data, start, stop, form);
  if (text === null) {
    for (let i = start; i < stop; i++) out[at + i - start] = data[i] ?? 0;
    return stop - start;
  }
  return writeText(out, at, text);
}

function writeText(out: Uint8Array, at: number, text: string): number {
  const { read, written } = encoder.encodeInto(text, out.subarray(at));
  return read === text.length ? written : encoder.encode(text).length;
}
