/**
 * Values of a column as text, for the formats that are text.
 *
 * @module
 */

import { type Data, DataType, DateUnit, Precision, TimeUnit, type Vector } from "apache-arrow";

/** Gives the text of a row that is not null. */
export type TextOf = (row: number) => string;

const millisecondsPerDay = 86_400_000;
/** Days of 400 years, and from 0000-03-01 to 1970-01-01. */
const daysPerEra = 146_097;
const daysToEpoch = 719_468;
/** For each unit of time: units in a second, and digits of a fraction. */
const unitsPerSecond: Readonly<Record<number, readonly [bigint, number]>> = {
  [TimeUnit.SECOND]: [1n, 0],
  [TimeUnit.MILLISECOND]: [1_000n, 3],
  [TimeUnit.MICROSECOND]: [1_000_000n, 6],
  [TimeUnit.NANOSECOND]: [1_000_000_000n, 9],
};

/**
 * The text of the values of a column: integers exact, floats with the fewest digits that give them
 * back, dates and times as in ISO 8601 with all
 * digits of their unit, decimals with all digits of their scale. Undefined for types that have no
 * such text, nested types, binary data, intervals, and for text itself (see `textBytesOf`).
 */
export function textOf(data: Data): TextOf | undefined {
  const { type, values } = data;
  if (DataType.isInt(type)) return (row) => String((values as ArrayLike<unknown>)[row]);
  if (DataType.isFloat(type)) return floatText(values as ArrayLike<number>, type.precision);
  if (DataType.isBool(type)) return (row) => bit(values as Uint8Array, data.offset + row);
  if (DataType.isDate(type)) return dateText(values, type.unit);
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ? "Z" : "";
    return (row) => timestampText((values as BigInt64Array)[row]!, type.unit, zone);
  }
  if (DataType.isTime(type)) {
    return (row) => timeText(BigInt((values as ArrayLike<bigint | number>)[row]!), type.unit);
  }
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
  for (let digits = 6; digits < 9; digits++) {
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

function dateText(values: ArrayLike<number | bigint>, unit: DateUnit): TextOf {
  const scale = unit === DateUnit.DAY ? millisecondsPerDay : 1;
  return (row) => isoDay(Number(values[row]!) * scale);
}

function isoDay(milliseconds: number): string {
  return civilDay(Math.floor(milliseconds / millisecondsPerDay));
}

/** A day as YYYY-MM-DD of the proleptic Gregorian calendar; years begin in March meanwhile. */
function civilDay(daysSinceEpoch: number): string {
  const days = daysSinceEpoch + daysToEpoch;
  const era = Math.floor(days / daysPerEra);
  const dayOfEra = days - era * daysPerEra;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra -
    (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${isoYear(year)}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** Years of more than four digits have a sign, as ISO 8601 wants it. */
function isoYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, "0");
  return (year < 0 ? "-" : "+") + String(Math.abs(year)).padStart(6, "0");
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function timestampText(value: bigint, unit: TimeUnit, zone: string): string {
  const [perSecond] = unitsPerSecond[unit]!;
  const perDay = perSecond * 86_400n;
  const timeOfDay = ((value % perDay) + perDay) % perDay;
  const day = Number((value - timeOfDay) / perDay);
  return `${isoDay(day * millisecondsPerDay)}T${timeText(timeOfDay, unit)}${zone}`;
}

function timeText(value: bigint, unit: TimeUnit): string {
  const [perSecond, digits] = unitsPerSecond[unit]!;
  const seconds = Number(value / perSecond);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const time = `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
  return digits === 0 ? time : `${time}.${String(value % perSecond).padStart(digits, "0")}`;
}

function decimalText(words: Uint32Array, bitWidth: number, scale: number): TextOf {
  const stride = bitWidth / 32;
  return (row) => {
    let bits = 0n;
    for (let i = stride - 1; i >= 0; i--) bits = (bits << 32n) | BigInt(words[row * stride + i]!);
    const value = BigInt.asIntN(bitWidth, bits);
    const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
    const split = digits.length - scale;
    const fraction = scale > 0 ? `.${digits.slice(split)}` : "";
    return `${value < 0n ? "-" : ""}${digits.slice(0, split)}${fraction}`;
  };
}

function dictionaryText(data: Data): TextOf | undefined {
  const dictionary = data.dictionary as Vector;
  const indices = data.values as ArrayLike<number | bigint>;
  const [chunk, ...others] = dictionary.data;
  const text = chunk === undefined || others.length > 0 ? undefined : textOf(chunk);
  return text && ((row) => text(Number(indices[row]!)));
}
