/**
 * What the conversions give, by JavaScript's BigInt, Number and Date: an oracle. Values are as in
 * `arrow_values.ts`.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { floatOf } from "./float_texts.ts";
import { integerOf } from "./integer_texts.ts";
import { isoDay, isoTime, perSecond, readIso, readTime, timeOf, writeTime } from "./time_model.ts";

type Text = string | null;
/** A number of a column of integers. */
type Integer = number | bigint;

/** Each of them on a value of a type that is not null, and its arguments. */
export const conversionModel: Readonly<
  Record<string, (value: never, type: DataType, ...args: never[]) => unknown>
> = {
  toString: (value: unknown, type: DataType) => textOf(value, type),
  toInteger(value: string | Integer, type): bigint | null {
    if (typeof value === "string") return integerOf(value);
    if (DataType.isFloat(type)) {
      return Number.isFinite(value) ? fitting(BigInt(Math.trunc(Number(value)))) : null;
    }
    return fitting(BigInt(value));
  },
  toFloat: (value: string | Integer) => typeof value === "string" ? floatOf(value) : Number(value),
  toBoolean: (text: string) => /^(true|false)$/i.test(text) ? /^t/i.test(text) : null,
  isInteger: (text: string) => integerOf(text) !== null,
  isFloat: (text: string) => floatOf(text) !== null,
  hexToInteger(text: string): bigint | null {
    const [, sign, digits] = /^([+-]?)(?:0x)?([0-9a-f]+)$/i.exec(text) ?? [];
    if (digits === undefined) return null;
    return fitting(BigInt(`0x${digits}`) * (sign === "-" ? -1n : 1n));
  },
  integerToHex: (value: Integer) => value.toString(16),
  ipv4ToInteger(text: string): bigint | null {
    const parts = text.split(".");
    const isPart = (part: string) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256;
    if (parts.length !== 4 || !parts.every(isPart)) return null;
    return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  },
  integerToIpv4(value: Integer): Text {
    const number = BigInt(value);
    if (number < 0n || number > 0xffffffffn) return null;
    return [24n, 16n, 8n, 0n].map((by) => (number >> by) & 255n).join(".");
  },
  urlEncode: (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => {
      const char = String.fromCharCode(byte);
      return /[\w.~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    }).join(""),
  urlDecode(text: string): string {
    const bytes = text.match(/%[0-9a-f]{2}|[^]/giu)?.flatMap((part) =>
      part.length === 3 && part.startsWith("%")
        ? [parseInt(part.slice(1), 16)]
        : [...new TextEncoder().encode(part)]
    );
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes ?? []));
  },
  toDate(value: string | Integer, type, format: Text = null): number | null {
    if (typeof value === "string") {
      const micros = format !== null
        ? readTime(value, format)
        : value.length === 10
        ? readIso(value)
        : null;
      return micros === null ? null : Number(floor(micros, 86_400_000_000n));
    }
    const day = floor(timeOf(value, type), 86_400n * perSecond(type));
    return BigInt.asIntN(32, day) === day ? Number(day) : null;
  },
  toTimestamp(value: string | Integer, type, format: Text = null): bigint | null {
    if (typeof value === "string") {
      return format === null ? readIso(value) : readTime(value, format);
    }
    return fitting(floor(timeOf(value, type) * 1_000_000n, perSecond(type)));
  },
  format: (value: Integer, type, pattern: string) => writeTime(value, type, pattern),
};

function textOf(value: unknown, type: DataType): Text {
  if (DataType.isFloat(type)) return floatText(value as number, type.precision === 1);
  if (DataType.isDate(type)) return isoDay(value as Integer, type);
  if (DataType.isTimestamp(type)) return isoTime(value as bigint, type);
  return String(value);
}

/** The fewest digits that read back as the same float, as JavaScript writes them. */
function floatText(value: number, isNarrow: boolean): string {
  let nearest = value;
  if (isNarrow && Number.isFinite(value)) {
    const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) => Number(value.toPrecision(count)));
    nearest = digits.find((number) => Object.is(Math.fround(number), value)) ?? value;
  }
  const own = Object.is(nearest, -0) ? "-0" : String(nearest);
  return /^-?\d+$/.test(own) ? `${own}.0` : own;
}

function fitting(value: bigint): bigint | null {
  return BigInt.asIntN(64, value) === value ? value : null;
}

function floor(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by;
}
