/**
 * Parses values from CSV text.
 *
 * @module
 */

import { losesDigits, mostDigits, sureDigits } from "../exact_number.ts";

const minus = 0x2d;
const plus = 0x2b;
const dot = 0x2e;
const zero = 0x30;
const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Smaller or longer numbers may not be exact as a double. */
const leastPlain = 1e-300;
const mostPlainBytes = 100;
const lowerCaseBit = 0x20;
const trueBytes = new TextEncoder().encode("true");
const falseBytes = new TextEncoder().encode("false");
/** Days from 0000-03-01 to 1970-01-01. */
const daysToEpoch = 719_468;

/** Parses an int64: a number if that is exact, else a bigint; undefined if the text is none. */
export function parseInt64(
  bytes: Uint8Array,
  start: number,
  stop: number,
): number | bigint | undefined {
  const negative = bytes[start] === minus;
  const first = negative || bytes[start] === plus ? start + 1 : start;
  if (first === stop) return undefined;
  let value = 0;
  for (let i = first; i < stop; i++) {
    const digit = bytes[i]! - zero;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  if (stop - first <= sureDigits) return negative ? -value : value;
  const exact = BigInt(asciiText(bytes, first, stop)) * (negative ? -1n : 1n);
  return exact >= minInt64 && exact <= maxInt64 ? exact : undefined;
}

/**
 * Parses a double, correctly rounded; undefined if the text is not a number or out of range.
 */
export function parseFloat64(bytes: Uint8Array, start: number, stop: number): number | undefined {
  const negative = bytes[start] === minus;
  let mantissa = 0;
  let numDigits = 0;
  let digitsBeforeDot = -1;
  let i = negative ? start + 1 : start;
  for (; i < stop; i++) {
    const digit = bytes[i]! - zero;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      numDigits++;
    } else if (bytes[i] === dot && digitsBeforeDot < 0) digitsBeforeDot = numDigits;
    else break;
  }
  if (i < stop || numDigits === 0) return parseOtherFloat(asciiText(bytes, start, stop));
  if (numDigits > sureDigits) return finite(Number(asciiText(bytes, start, stop)));
  // Mantissa and power of ten are both exact, so one division gives the nearest double.
  const value = digitsBeforeDot < 0
    ? mantissa
    : mantissa / powersOfTen[numDigits - digitsBeforeDot]!;
  return negative ? -value : value;
}

/**
 * Parses a double that keeps all digits: undefined if the text is not a number, or if digits would be
 * lost, including leading zeros as in postal codes.
 */
export function parseExactFloat64(
  bytes: Uint8Array,
  start: number,
  stop: number,
): number | undefined {
  if (hasLeadingZero(bytes, start, stop)) return undefined;
  const value = parseFloat64(bytes, start, stop);
  // NaN and the infinities are written as words.
  if (value === undefined || !Number.isFinite(value)) return value;
  const isShort = stop - start <= sureDigits && Math.abs(value) > leastPlain;
  const isExact = isShort || isPlainDecimal(bytes, start, stop) ||
    !losesDigits(asciiText(bytes, start, stop));
  return isExact ? value : undefined;
}

/** A fast path: whether a number surely keeps its digits, without calling `losesDigits`. */
function isPlainDecimal(bytes: Uint8Array, start: number, stop: number): boolean {
  if (stop - start > mostPlainBytes) return false;
  let numDigits = 0;
  let hasDot = false;
  let hasFraction = false;
  for (let i = bytes[start] === minus ? start + 1 : start; i < stop; i++) {
    const digit = bytes[i]! - zero;
    if (bytes[i] === dot) hasDot = true;
    else if (digit < 0 || digit > 9) return false;
    else if (digit > 0 || numDigits > 0) {
      numDigits++;
      if (hasDot && digit > 0) hasFraction = true;
    }
  }
  return numDigits <= (hasFraction ? mostDigits : sureDigits);
}

/** Numbers with an exponent or a plus, NaN and the infinities. */
function parseOtherFloat(text: string): number | undefined {
  if (decimalNumber.test(text)) return finite(Number(text));
  switch (text.toLowerCase()) {
    case "nan":
    // C, and therefore DuckDB, writes a NaN with a set sign bit this way.
    case "-nan":
      return NaN;
    case "inf":
    case "+inf":
    case "infinity":
    case "+infinity":
      return Infinity;
    case "-inf":
    case "-infinity":
      return -Infinity;
  }
  return undefined;
}

/** A number that overflows is not infinity; only the words are. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Parses true or false, ignoring case; undefined for other text. */
export function parseBool(bytes: Uint8Array, start: number, stop: number): boolean | undefined {
  if (isWord(bytes, start, stop, trueBytes)) return true;
  if (isWord(bytes, start, stop, falseBytes)) return false;
  return undefined;
}

function isWord(bytes: Uint8Array, start: number, stop: number, word: Uint8Array): boolean {
  if (stop - start !== word.length) return false;
  for (let i = 0; i < word.length; i++) {
    if ((bytes[start + i]! | lowerCaseBit) !== word[i]) return false;
  }
  return true;
}

/**
 * Parses a date as days since 1970-01-01: YYYY-MM-DD, or beyond these years a sign and six or seven
 * digits. Undefined if the text is not a valid date.
 */
export function parseDate(bytes: Uint8Array, start: number, stop: number): number | undefined {
  const hasSign = bytes[start] === minus || bytes[start] === plus;
  const yearDigits = stop - start - (hasSign ? 7 : 6);
  if (hasSign ? yearDigits < 6 || yearDigits > 7 : yearDigits !== 4) return undefined;
  const dash = stop - 6;
  if (bytes[dash] !== minus || bytes[dash + 3] !== minus) return undefined;
  const yearSize = digits(bytes, dash - yearDigits, yearDigits);
  const year = bytes[start] === minus ? -yearSize : yearSize;
  const month = digits(bytes, dash + 1, 2);
  const day = digits(bytes, dash + 4, 2);
  if (!(yearSize >= 0 && month >= 1 && month <= 12 && day >= 1)) return undefined;
  if (day > daysInMonth(year, month)) return undefined;
  const days = daysSinceEpoch(year, month, day);
  return days === (days | 0) ? days : undefined;
}

/** The number that `count` digits form; NaN if one of the bytes is not a digit. */
function digits(bytes: Uint8Array, start: number, count: number): number {
  let value = 0;
  for (let i = start; i < start + count; i++) {
    const digit = bytes[i]! - zero;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return 30 + ((month + (month >> 3)) & 1);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeap ? 29 : 28;
}

/** Days in the proleptic Gregorian calendar. Years begin in March, so that leap days come last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) +
    Math.floor(marchYear / 400);
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + day - 1;
  return 365 * marchYear + leapDays + dayOfYear - daysToEpoch;
}

/** Whether a number has leading zeros, as a postal code may; a number would lose them. */
export function hasLeadingZero(bytes: Uint8Array, start: number, stop: number): boolean {
  const first = bytes[start] === minus || bytes[start] === plus ? start + 1 : start;
  const next = bytes[first + 1];
  return bytes[first] === zero && first + 1 < stop && next !== undefined && next >= zero &&
    next <= zero + 9;
}

function asciiText(bytes: Uint8Array, start: number, stop: number): string {
  let text = "";
  for (let i = start; i < stop; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}
