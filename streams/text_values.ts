/**
 * Values of a column as text, for the formats that are text.
 *
 * @module
 */

import { type Data, DataType, DateUnit, TimeUnit, type Vector } from "apache-arrow";

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
 * The text of the values of a column: integers exact, dates and times as in ISO 8601 with all
 * digits of their unit, decimals with all digits of their scale. Undefined for types that have no
 * such text: nested types, binary data, intervals.
 */
export function textOf(data: Data): TextOf | undefined {
  const { type, values } = data;
  if (DataType.isInt(type) || DataType.isFloat(type) && type.precision !== 0) {
    return (row) => String((values as ArrayLike<unknown>)[row]);
  }
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
  if (DataType.isUtf8(dictionary.type) || DataType.isLargeUtf8(dictionary.type)) {
    return (row) => String(dictionary.get(Number(indices[row]!)));
  }
  const [chunk, ...others] = dictionary.data;
  const text = chunk === undefined || others.length > 0 ? undefined : textOf(chunk);
  return text && ((row) => text(Number(indices[row]!)));
}
