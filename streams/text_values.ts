/**
 * Values of a column as text, for the formats that are text.
 *
 * @module
 */

import { type Data, DataType, Precision, type Vector } from "apache-arrow";
import { dateText, timeOfDayText, timestampText } from "./time_text.ts";

/** Floats of 32 bits below this have fewer digits. */
const leastNormalSingle = 2 ** -126;

/** Gives the text of a row that is not null. */
type TextOf = (row: number) => string;

/**
 * The text of the values of a column: integers exact, floats with the fewest digits that give them
 * back, dates and times as in ISO 8601 with all digits of their unit, decimals with all digits of
 * their scale, and with zeros for a negative one. Undefined for types that have no such text, nested
 * types, binary data, intervals, and for text itself (see `textBytesOf`). The text of a row throws a
 * RangeError where it holds a time that no day has.
 */
export function textOf(data: Data): TextOf | undefined {
  const { type, values } = data;
  if (DataType.isInt(type)) return (row) => String((values as ArrayLike<unknown>)[row]);
  if (DataType.isFloat(type)) return floatText(values as ArrayLike<number>, type.precision);
  if (DataType.isBool(type)) return (row) => bit(values as Uint8Array, data.offset + row);
  if (DataType.isDate(type)) return (row) => dateText(values[row], type.unit);
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ? "Z" : "";
    return (row) => timestampText((values as BigInt64Array)[row]!, type.unit, zone);
  }
  if (DataType.isTime(type)) return (row) => timeOfDayText(BigInt(values[row]), type.unit);
  if (DataType.isDuration(type)) return (row) => String((values as BigInt64Array)[row]);
  if (DataType.isDecimal(type)) {
    return decimalText(values as Uint32Array, type.bitWidth, type.scale);
  }
  if (DataType.isDictionary(type)) return dictionaryText(data);
  return undefined;
}

/** The fewest digits that give the number back; a whole one ends in .0, so that it stays a float. */
function floatText(values: ArrayLike<number>, precision: Precision): TextOf {
  switch (precision) {
    case Precision.HALF:
      return (row) => pointed(halfValue(values[row]!));
    case Precision.SINGLE:
      return (row) => pointed(shortestSingle(values[row]!));
    case Precision.DOUBLE:
      return (row) => pointed(values[row]!);
  }
}

function pointed(value: number): string {
  if (!Number.isInteger(value)) return String(value);
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return digits.includes("e") ? digits : `${digits}.0`;
}

/** The double with the fewest digits that is this float of 32 bits once it is rounded. */
function shortestSingle(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value) && Math.abs(value) <= 2 ** 24) {
    return value;
  }
  // Only the numbers next to 0 may do with fewer than six digits that are not zeros.
  const least = Math.abs(value) < leastNormalSingle ? 1 : 6;
  for (let digits = least; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(9));
}

/** A float of 16 bits: https://en.wikipedia.org/wiki/Half-precision_floating-point_format */
function halfValue(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function bit(bits: Uint8Array, index: number): string {
  return ((bits[index >> 3]! >> (index & 7)) & 1) === 1 ? "true" : "false";
}

function decimalText(words: Uint32Array, bitWidth: number, scale: number): TextOf {
  const stride = bitWidth / 32;
  return (row) => {
    let bits = 0n;
    for (let i = stride - 1; i >= 0; i--) bits = (bits << 32n) | BigInt(words[row * stride + i]!);
    const value = BigInt.asIntN(bitWidth, bits);
    if (scale <= 0) return value === 0n ? "0" : `${value}${"0".repeat(-scale)}`;
    const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
    const split = digits.length - scale;
    return `${value < 0n ? "-" : ""}${digits.slice(0, split)}.${digits.slice(split)}`;
  };
}

function dictionaryText(data: Data): TextOf | undefined {
  const dictionary = data.dictionary as Vector;
  const indices = data.values as ArrayLike<number | bigint>;
  const [chunk, ...others] = dictionary.data;
  const text = chunk === undefined || others.length > 0 ? undefined : textOf(chunk);
  return text && ((row) => text(Number(indices[row]!)));
}
