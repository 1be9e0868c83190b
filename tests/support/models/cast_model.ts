/**
 * What casts mean, by BigInt and JavaScript's numbers: an oracle. A value is as its column holds it:
 * dates, times, timestamps and durations are their counts.
 */

import { DataType, Timestamp, TimestampNanosecond, TimestampSecond } from "apache-arrow";
import { floatOf } from "../values/number_texts.ts";
import {
  instantOf,
  isElsewhere,
  isoDay,
  isoTime,
  readIso,
  toLocal,
  zoneOf,
  zoneText,
} from "./time_model.ts";

/** A value that is not null. */
export type CastValue = string | number | bigint | boolean;

/** What a type is, as far as casts go. */
type Kind =
  | "int"
  | "float"
  | "bool"
  | "text"
  | "binary"
  | "date"
  | "time"
  | "timestamp"
  | "duration";

function kindOf(type: DataType): Kind | undefined {
  if (DataType.isInt(type)) return "int";
  if (DataType.isFloat(type)) return "float";
  if (DataType.isBool(type)) return "bool";
  if (DataType.isUtf8(type)) return "text";
  if (DataType.isBinary(type)) return "binary";
  if (DataType.isDate(type)) return "date";
  if (DataType.isTime(type)) return "time";
  if (DataType.isTimestamp(type)) return "timestamp";
  return DataType.isDuration(type) ? "duration" : undefined;
}

/** What each kind is cast to besides itself. */
const WAYS: Readonly<Record<Kind, readonly Kind[]>> = {
  int: ["float", "bool", "text", "date", "time", "timestamp", "duration"],
  float: ["int", "bool", "text"],
  bool: ["int", "float", "text"],
  text: ["int", "float", "bool", "binary", "date", "time", "timestamp", "duration"],
  binary: ["text"],
  date: ["int", "text", "timestamp"],
  time: ["int", "text"],
  timestamp: ["int", "text", "date"],
  duration: ["int", "text"],
};

/** Whether there is a cast from one type to another. */
export function isCastable(from: DataType, to: DataType): boolean {
  const [source, target] = [kindOf(from), kindOf(to)];
  if (source === undefined || target === undefined) return false;
  return source === target || WAYS[source].includes(target);
}

const DAY = 86_400_000_000_000n;
const SECOND = 1_000_000_000n;

/** Nanoseconds in what a type counts. */
function unitOf(type: DataType): bigint {
  if (DataType.isDate(type)) return type.unit === 0 ? DAY : 1_000_000n;
  const { unit } = type as DataType & { unit: number };
  return 10n ** BigInt(9 - 3 * unit);
}

/** A value of one type as one of another; null where that type does not have it. */
export function castModel(value: CastValue, from: DataType, to: DataType): CastValue | null {
  const source = kindOf(from);
  switch (kindOf(to)) {
    case "int":
      return integer(
        wholeOf(value, from),
        to as DataType & { bitWidth: number; isSigned: boolean },
      );
    case "float":
      return float(value, (to as DataType & { precision: 0 | 1 | 2 }).precision);
    case "bool":
      if (typeof value === "boolean") return value;
      if (typeof value === "string") {
        return /^(true|false)$/i.test(value) ? /^t/i.test(value) : null;
      }
      return value == 0 ? false : value == 1 ? true : null;
    case "text":
      return textOf(value, from);
    case "binary":
      return value;
    default: {
      const nanos = source === "text" ? readNanos(String(value), to) : countOf(value, from, to);
      return nanos === null ? null : counted(nanos, to);
    }
  }
}

/** The whole number that a value is. */
function wholeOf(value: CastValue, from: DataType): bigint | null {
  if (typeof value === "string") return /^[+-]?[0-9]+$/.test(value) ? bigOf(value) : null;
  if (typeof value === "number" && DataType.isFloat(from) && !Number.isInteger(value)) return null;
  return BigInt(value);
}

function bigOf(text: string): bigint {
  return BigInt(text.replace(/^[+-]/, "")) * (text.startsWith("-") ? -1n : 1n);
}

function integer(
  value: bigint | null,
  { bitWidth, isSigned }: { bitWidth: number; isSigned: boolean },
): CastValue | null {
  if (value === null) return null;
  const fits = isSigned ? BigInt.asIntN(bitWidth, value) : BigInt.asUintN(bitWidth, value);
  if (fits !== value) return null;
  return bitWidth === 64 ? value : Number(value);
}

const ROUND = [Math.f16round, Math.fround, (value: number) => value] as const;

function float(value: CastValue, precision: 0 | 1 | 2): number | null {
  const round = ROUND[precision];
  if (typeof value === "string") return nearest(value, precision);
  if (typeof value === "bigint") {
    const rounded = round(Number(value));
    return Number.isFinite(rounded) && BigInt(rounded) === value ? rounded : null;
  }
  const rounded = round(Number(value));
  return Object.is(rounded, Number(value)) ? rounded : null;
}

/** The float nearest to a text, by exact distances; null where it is infinite and the text is not. */
function nearest(text: string, precision: 0 | 1 | 2): number | null {
  const about = floatOf(text);
  if (about === null || !Number.isFinite(about) || precision === 2) return about;
  const [, sign, whole = "", fraction = "", power = "0"] =
    /^([+-]?)([0-9]*)\.?([0-9]*)(?:e([+-]?[0-9]+))?$/i.exec(text)!;
  const exponent = Number(power) - fraction.length;
  if (about === 0) return about;
  // The text is top / bottom.
  const top = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, exponent));
  const bottom = 10n ** BigInt(Math.max(0, -exponent));
  if (top >= FIRST_INFINITE[precision] * bottom) return null;
  const near = bitsOf(Math.min(Math.abs(about), MOST[precision]), precision);
  const candidates = [near - 1, near, near + 1].filter((bits) => bits >= 0).map((bits) => {
    const value = floatOfBits(bits, precision);
    if (value === Infinity) return { bits, value, size: 1n, distance: 10n ** 400n };
    const [up, down] = fractionOf(value);
    const apart = top * down - up * bottom;
    return { bits, value, size: down, distance: apart < 0n ? -apart : apart };
  });
  const [best] = candidates.sort((a, b) => {
    const order = a.distance * b.size - b.distance * a.size;
    return order < 0n ? -1 : order > 0n ? 1 : (a.bits & 1) - (b.bits & 1);
  });
  return sign === "-" ? -best!.value : best!.value;
}

/** The least numbers that are rounded to infinity, and the greatest floats. */
const FIRST_INFINITE = [65520n, 2n ** 128n - 2n ** 103n] as const;
const MOST = [65504, 2 ** 128 - 2 ** 104] as const;

function bitsOf(value: number, precision: 0 | 1): number {
  const bytes = new DataView(new ArrayBuffer(4));
  if (precision === 1) bytes.setFloat32(0, value);
  else bytes.setFloat16(2, value);
  return bytes.getInt32(0);
}

function floatOfBits(bits: number, precision: 0 | 1): number {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setInt32(0, bits);
  return precision === 1 ? bytes.getFloat32(0) : bytes.getFloat16(2);
}

/** A float as a fraction of integers. */
function fractionOf(value: number): [top: bigint, bottom: bigint] {
  let bottom = 1n;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    bottom *= 2n;
  }
  return [BigInt(scaled), bottom];
}

/** A value as text. */
function textOf(value: CastValue, from: DataType): string | null {
  if (DataType.isDate(from) || DataType.isTimestamp(from)) return timeText(BigInt(value), from);
  if (DataType.isTime(from)) {
    const nanos = BigInt(value) * unitOf(from);
    if (nanos < 0n || nanos >= DAY) return null;
    return isoTime(nanos, new TimestampNanosecond()).slice(11);
  }
  if (!DataType.isFloat(from)) return String(value);
  const number = Number(value);
  const round = ROUND[from.precision];
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) => Number(number.toPrecision(count)));
  const nearest = from.precision === 2 || !Number.isFinite(number)
    ? number
    : digits.find((candidate) => Object.is(round(candidate), number)) ?? number;
  const text = Object.is(nearest, -0) ? "-0" : String(nearest);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** The calendar repeats every 400 years, so that JavaScript's dates reach far enough. */
function timeText(value: bigint, from: DataType): string | null {
  if (zoneOf(from) !== undefined) {
    const text = timeText(toLocal(value, from), new Timestamp((from as Timestamp).unit));
    // Both the time in UTC and the local one have days of 32 bits.
    const isWithin = timeText(value, new Timestamp((from as Timestamp).unit)) !== null;
    return text === null || !isWithin ? null : `${text}${zoneText(value, from)}`;
  }
  const count = value;
  const perDay = DAY / unitOf(from);
  const day = (count - ((count % perDay) + perDay) % perDay) / perDay;
  // As far as days have 32 bits.
  if (BigInt.asIntN(32, day) !== day) return null;
  const era = (day - ((day % 146_097n) + 146_097n) % 146_097n) / 146_097n;
  const near = count - era * 146_097n * perDay;
  const text = DataType.isDate(from) ? isoDay(near, from) : isoTime(near, from);
  const year = Number(text.slice(0, 4)) + 400 * Number(era);
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}${text.slice(4)}`;
}

/** The count of a value in nanoseconds, in which a number counts units of the type that it becomes. */
function countOf(value: CastValue, from: DataType, to: DataType): bigint | null {
  const count = BigInt(value);
  if (DataType.isInt(from)) return count * unitOf(to);
  if (isElsewhere(from) && zoneOf(to) === undefined) {
    const days = floor(count * unitOf(from), DAY);
    if (BigInt.asIntN(32, days) !== days) return null;
    const local = toLocal(count, from);
    return BigInt.asIntN(64, local) === local ? local * unitOf(from) : null;
  }
  const nanos = count * unitOf(from);
  return isElsewhere(to) && zoneOf(from) === undefined ? placed(nanos, to) : nanos;
}

/** Local time as the instant that it is in the time zone of a type; null where it is none, or two. */
function placed(nanos: bigint, to: DataType): bigint | null {
  if (BigInt.asIntN(64, nanos / unitOf(to)) !== nanos / unitOf(to)) return null;
  const days = floor(nanos, DAY);
  if (BigInt.asIntN(32, days) !== days) return null;
  const seconds = floor(nanos, SECOND);
  const instant = instantOf(seconds, zoneOf(to)!);
  return instant === null ? null : nanos + (instant - seconds) * SECOND;
}

function floor(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by;
}

/** Nanoseconds of a text in ISO form, exactly; of a date only the day may be there. */
function readNanos(text: string, to: DataType): bigint | null {
  if (DataType.isDuration(to)) {
    const count = wholeOf(text, to);
    return count === null ? null : count * unitOf(to);
  }
  // A time is one of the first day.
  if (DataType.isTime(to)) {
    return /^.{5}[^Z+-]*$/.test(text)
      ? readNanos(`1970-01-01T${text}`, new TimestampSecond())
      : null;
  }
  if (DataType.isDate(to) && !/^[+-]?\d+-..-..$/.test(text)) return null;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const micros = readIso(text);
  if (micros === null || /[^0]/.test(fraction.slice(9))) return null;
  const nanos = micros * 1000n + BigInt(fraction.slice(6, 9).padEnd(3, "0"));
  const isLocal = isElsewhere(to) && !/-..[Tt ].*[Zz+-]/.test(text);
  return isLocal ? placed(nanos, to) : nanos;
}

function counted(nanos: bigint, to: DataType): CastValue | null {
  const unit = unitOf(to);
  if (nanos % unit !== 0n) return null;
  const count = nanos / unit;
  if (DataType.isTime(to) && (nanos < 0n || nanos >= DAY)) return null;
  if (DataType.isDate(to) && nanos % DAY !== 0n) return null;
  const isNarrow = DataType.isDate(to) ? to.unit === 0 : DataType.isTime(to) && to.unit < 2;
  const bits = isNarrow ? 32 : 64;
  if (BigInt.asIntN(bits, count) !== count) return null;
  return isNarrow ? Number(count) : count;
}
