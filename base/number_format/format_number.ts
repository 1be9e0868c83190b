/**
 * Writes numbers in a format, as Python does.
 *
 * @module
 */

import { floatText } from "../float_text.ts";
import { decimalText } from "../number_text.ts";
import {
  type Digits,
  floatDigits,
  integerDigits,
  type Magnitude,
  scaledDigits,
} from "./decimal_digits.ts";
import type { NumberFormat } from "./number_format.ts";

/** A number without its sign, in parts: digits before the point, and all else. */
interface Parts {
  readonly whole: string;
  readonly rest: string;
}

/** Where Python's shortest form of a float has an exponent. */
const LEAST_EXPONENT = -4;
const END_OF_FIXED = 16;
const DEFAULT_PRECISION = 6;

/** Writes a float of a width in bits. NaN and the infinities are `nan` and `inf`. */
export function formatFloat(value: number, bits: 16 | 32 | 64, format: NumberFormat): string {
  const { type, precision } = format;
  const isNegative = value < 0 || Object.is(value, -0);
  const size = type === "%" ? Math.abs(value) * 100 : Math.abs(value);
  if (!Number.isFinite(size)) {
    const rest = `${Number.isNaN(size) ? "nan" : "inf"}${type === "%" ? "%" : ""}`;
    return laidOut({ whole: "", rest }, isNegative, format);
  }
  const magnitude = floatDigits(size);
  if (type !== "") return laidOut(partsOf(magnitude, format), isNegative, format);
  const found = precision === undefined
    ? shortest(floatText(size, bits))
    : magnitude.first(Math.max(precision, 1));
  const digits = { ...found, digits: found.digits.replace(/(?<=.)0+$/, "") };
  const end = precision === undefined ? END_OF_FIXED : Math.max(precision, 1) - 1;
  const isFixed = found.exponent >= LEAST_EXPONENT && found.exponent < end;
  const parts = isFixed ? plain(digits) : scientific(digits);
  const hasPoint = !isFixed || parts.rest !== "";
  return laidOut(hasPoint ? parts : { ...parts, rest: ".0" }, isNegative, format);
}

/** Writes a whole number. */
export function formatInteger(value: bigint, format: NumberFormat): string {
  const size = value < 0n ? -value : value;
  return laidOut(integerParts(size, format), value < 0n, format);
}

/** Writes a decimal, whose last `scale` digits are behind the point; without a type, all its digits. */
export function formatDecimal(value: bigint, scale: number, format: NumberFormat): string {
  const { type, precision } = format;
  const size = (value < 0n ? -value : value) * (type === "%" ? 100n : 1n);
  if (type === "" && precision === undefined) {
    const text = decimalText(size, scale);
    const whole = scale === 0 ? text : text.slice(0, -scale - 1);
    return laidOut({ whole, rest: text.slice(whole.length) }, value < 0n, format);
  }
  const written = type === "" ? { ...format, type: "g" } as const : format;
  return laidOut(partsOf(scaledDigits(size, scale), written), value < 0n, format);
}

function integerParts(size: bigint, format: NumberFormat): Parts {
  switch (format.type) {
    case "":
    case "d":
      return { whole: String(size), rest: "" };
    case "x":
      return { whole: size.toString(16), rest: "" };
    case "b":
      return { whole: size.toString(2), rest: "" };
    case "o":
      return { whole: size.toString(8), rest: "" };
    default:
      return partsOf(integerDigits(format.type === "%" ? size * 100n : size), format);
  }
}

/** Returns the parts of a number in one of the types `f`, `%`, `e` and `g`. */
function partsOf(
  magnitude: Magnitude,
  { type, precision = DEFAULT_PRECISION }: NumberFormat,
): Parts {
  if (type === "e") return scientific(magnitude.first(precision + 1));
  if (type === "g") {
    const count = Math.max(precision, 1);
    const { digits, exponent } = magnitude.first(count);
    const kept = { digits: digits.replace(/(?<=.)0+$/, ""), exponent };
    const isFixed = exponent >= LEAST_EXPONENT && exponent < count;
    return isFixed ? plain(kept) : scientific(kept);
  }
  const text = magnitude.fixed(precision);
  const whole = precision === 0 ? text : text.slice(0, -precision - 1);
  return { whole, rest: `${text.slice(whole.length)}${type === "%" ? "%" : ""}` };
}

function scientific({ digits, exponent }: Digits): Parts {
  const places = digits.length === 1 ? "" : `.${digits.slice(1)}`;
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return { whole: digits.slice(0, 1), rest: `${places}e${exponent < 0 ? "-" : "+"}${power}` };
}

function plain({ digits, exponent }: Digits): Parts {
  if (exponent < 0) return { whole: "0", rest: `.${"0".repeat(-exponent - 1)}${digits}` };
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const places = digits.slice(exponent + 1);
  return { whole, rest: places === "" ? "" : `.${places}` };
}

/** Returns the digits of the text of a float from 0 on: `12.5`, `1e-7`. */
function shortest(text: string): Digits {
  const [number = "", power = "0"] = text.split("e");
  const [whole = "", places = ""] = number.split(".");
  const digits = `${whole}${places}`.replace(/^0+(?=.)/, "");
  const exponent = Number(power) + whole.length - 1 -
    (whole.length + places.length - digits.length);
  return { digits, exponent: /^0+$/.test(digits) ? 0 : exponent };
}

/** Adds the sign, the separators and the filling. */
function laidOut({ whole, rest }: Parts, isNegative: boolean, format: NumberFormat): string {
  const { fill, align, width, isCapital } = format;
  const sign = isNegative ? "-" : format.plus;
  const isZeroFilled = fill === "0" && align === "=" && whole !== "";
  const least = isZeroFilled ? width - sign.length - rest.length : 0;
  const grouped = `${groupedDigits(whole, least, format)}${rest}`;
  const body = isCapital ? grouped.toUpperCase() : grouped;
  const missing = Math.max(0, width - sign.length - body.length);
  switch (align) {
    case "=":
      return `${sign}${fill.repeat(missing)}${body}`;
    case "<":
      return `${sign}${body}${fill.repeat(missing)}`;
    case ">":
      return `${fill.repeat(missing)}${sign}${body}`;
    case "^": {
      const left = Math.floor(missing / 2);
      return `${fill.repeat(left)}${sign}${body}${fill.repeat(missing - left)}`;
    }
  }
}

/** Groups digits, with zeros before them that take part in the groups, up to `least` characters. */
function groupedDigits(digits: string, least: number, { separator, type }: NumberFormat): string {
  if (separator === "") return digits.padStart(least, "0");
  const group = type === "x" || type === "b" || type === "o" ? 4 : 3;
  // Each group but the first takes one character more.
  const separators = Math.max(0, Math.floor((least - 1) / (group + 1)));
  const padded = digits.padStart(least - separators, "0");
  const first = padded.length % group || group;
  let text = padded.slice(0, first);
  for (let at = first; at < padded.length; at += group) {
    text += `${separator}${padded.slice(at, at + group)}`;
  }
  return text;
}
