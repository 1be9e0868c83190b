/**
 * Parses values from CSV text.
 *
 * @module
 */

import { losesDigits, mostDigits, sureDigits } from "../../text/exact_number.ts";

const minus = 0x2d;
const plus = 0x2b;
const dot = 0x2e;
const zero = 0x30;
const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Numbers that are smaller or longer need the full check of their digits. */
const leastPlain = 1e-300;
const mostPlainBytes = 100;
const lowerCaseBit = 0x20;
const trueBytes = new TextEncoder().encode("true");
const falseBytes = new TextEncoder().encode("false");
/** Days from 0000-03-01 to 1970-01-01. */
const daysToEpoch = 719_468;

/**
 * Parses an int64 to a number if that is exact, otherwise to a bigint. Undefined if the text is not
 * an int64.
 */
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

/** Parses a double, correctly rounded. Undefined if the text is not a number or is out of range. */
export function parseFloat64(bytes: Uint8Array, start: number, stop: number): number | undefined {
  return parsePlainFloat(bytes, start, stop) ?? parseOtherFloat(asciiText(bytes, start, stop));
}

/**
 * Like `parseFloat64`, for digits with at most one point and a leading minus. Undefined for other
 * text.
 */
function parsePlainFloat(bytes: Uint8Array, start: number, stop: number): number | undefined {
  const negative = bytes[start] === minus;
  let mantissa = 0;
  let numDigits = 0;
  let digitsBeforeDot = -1;
  for (let i = negative ? start + 1 : start; i < stop; i++) {
    const digit = bytes[i]! - zero;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      numDigits++;
    } else if (bytes[i] === dot && digitsBeforeDot < 0) digitsBeforeDot = numDigits;
    else return undefined;
  }
  if (numDigits === 0) return undefined;
  if (numDigits > sureDigits) return finite(Number(asciiText(bytes, start, stop)));
  // Mantissa and power of ten are both exact, so a single division yields the nearest double.
  const value = digitsBeforeDot < 0
    ? mantissa
    : mantissa / powersOfTen[numDigits - digitsBeforeDot]!;
  return negative ? -value : value;
}

/** Numbers in the scientific notation of programs: `1.5e-07`, `1e+20`, and Java's `1.0E10`. */
const scientific = /^-?\d(\.\d+)?e[+-]\d+$|^-?\d\.\d+e\d+$/i;

/**
 * Parses a double that a guess accepts: one that keeps all digits and has a form in which programs
 * write floats. Such forms are `-1.50`, scientific notation, and the words for NaN and the
 * infinities. `007`, `+41`, `12E12` and `1e5`, which are as likely codes, do not pass, nor do `.5`
 * and `1.`. Undefined for other text.
 */
export function parseUsualFloat64(
  bytes: Uint8Array,
  start: number,
  stop: number,
): number | undefined {
  const value = parsePlainFloat(bytes, start, stop);
  if (value === undefined) return parseUsualOther(asciiText(bytes, start, stop));
  if (!isDigit(bytes[stop - 1]) || !hasUsualFront(bytes, start, stop)) return undefined;
  const isShort = stop - start <= sureDigits && Math.abs(value) > leastPlain;
  const isExact = isShort || isPlainDecimal(bytes, start, stop) ||
    !losesDigits(asciiText(bytes, start, stop));
  return isExact ? value : undefined;
}

/** Parses a double in any form that keeps all digits: also `.5` and `1e5`, but not `007`. */
export function parseExactFloat64(
  bytes: Uint8Array,
  start: number,
  stop: number,
): number | undefined {
  const text = asciiText(bytes, start, stop);
  const value = parseFloat64(bytes, start, stop);
  const isExact = value !== undefined && !/^[+-]?0\d/.test(text) &&
    (!Number.isFinite(value) || !losesDigits(text));
  return isExact ? value : undefined;
}

function parseUsualOther(text: string): number | undefined {
  const value = parseOtherFloat(text);
  if (value === undefined) return undefined;
  if (!Number.isFinite(value)) return text.startsWith("+") ? undefined : value;
  return scientific.test(text) && !losesDigits(text) ? value : undefined;
}

/** Parses an int64 that prints as the same text: not `007`, `+1` or `-0`. */
export function parseUsualInt64(
  bytes: Uint8Array,
  start: number,
  stop: number,
): number | bigint | undefined {
  const isUsual = hasUsualFront(bytes, start, stop) && !isMinusZero(bytes, start, stop);
  return isUsual ? parseInt64(bytes, start, stop) : undefined;
}

/** Whether a number begins with a digit, after at most a minus, and has no leading zeros. */
function hasUsualFront(bytes: Uint8Array, start: number, stop: number): boolean {
  const first = bytes[start] === minus ? start + 1 : start;
  if (!isDigit(bytes[first])) return false;
  return bytes[first] !== zero || first + 1 >= stop || !isDigit(bytes[first + 1]);
}

/** Whether the text is `-0`, which no int64 prints as. */
export function isMinusZero(bytes: Uint8Array, start: number, stop: number): boolean {
  return stop - start === 2 && bytes[start] === minus && bytes[start + 1] === zero;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= zero + 9;
}

/** Whether a number certainly keeps its digits: a fast check before `losesDigits`. */
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

/** Parses the other forms: numbers with an exponent or a plus, NaN and the infinities. */
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

/** Returns undefined for a number that overflows: only the words mean infinity. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Parses `true` or `false`, ignoring case; undefined for other text. */
export function parseBool(bytes: Uint8Array, start: number, stop: number): boolean | undefined {
  return boolOf(bytes, start, stop, lowerCaseBit);
}

/** Parses `true` or `false` in lower case; undefined for other text. */
export function parseUsualBool(
  bytes: Uint8Array,
  start: number,
  stop: number,
): boolean | undefined {
  return boolOf(bytes, start, stop, 0);
}

function boolOf(
  bytes: Uint8Array,
  start: number,
  stop: number,
  ignoredBit: number,
): boolean | undefined {
  if (isWord(bytes, start, stop, trueBytes, ignoredBit)) return true;
  return isWord(bytes, start, stop, falseBytes, ignoredBit) ? false : undefined;
}

function isWord(
  bytes: Uint8Array,
  start: number,
  stop: number,
  word: Uint8Array,
  ignoredBit: number,
): boolean {
  if (stop - start !== word.length) return false;
  for (let i = 0; i < word.length; i++) {
    if ((bytes[start + i]! | ignoredBit) !== word[i]) return false;
  }
  return true;
}

/**
 * Parses a date as days since 1970-01-01. The form is YYYY-MM-DD, or a sign and a year of six or
 * seven digits. Undefined if the text is not a valid date.
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

/**
 * Like `parseDate`, for dates that print as the same text: without a sign where four digits suffice
 * for the year, and without a zero as a seventh digit.
 */
export function parseUsualDate(
  bytes: Uint8Array,
  start: number,
  stop: number,
): number | undefined {
  if (isDigit(bytes[start])) return parseDate(bytes, start, stop);
  const yearDigits = stop - start - "+-01-01".length;
  const least = yearDigits === 7 ? 1_000_000 : bytes[start] === minus ? 1 : 10_000;
  const isWrittenSo = digits(bytes, start + 1, yearDigits) >= least;
  return isWrittenSo ? parseDate(bytes, start, stop) : undefined;
}

/** Returns the number that `count` digits form; NaN if one of the bytes is not a digit. */
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

/**
 * Counts days in the proleptic Gregorian calendar. Years begin in March, so that leap days come
 * last.
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) +
    Math.floor(marchYear / 400);
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + day - 1;
  return 365 * marchYear + leapDays + dayOfYear - daysToEpoch;
}

function asciiText(bytes: Uint8Array, start: number, stop: number): string {
  let text = "";
  for (let i = start; i < stop; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}
