/**
 * Writes numbers by a format that is text in memory, for kernels of the host and for the interpreter.
 *
 * @module
 */

import {
  formatDecimal,
  formatFloat,
  formatInteger,
} from "../../../base/number_format/format_number.ts";
import {
  type NumberFormat,
  type NumberKind,
  parseNumberFormat,
} from "../../../base/number_format/number_format.ts";

/** The bytes of a format, and what they were last parsed to: a kernel has one for all its rows. */
interface Parsed {
  bytes: Uint8Array;
  format: NumberFormat | null;
}

const decoder = new TextDecoder();
const last: Readonly<Record<NumberKind, Parsed>> = {
  integer: { bytes: new Uint8Array(0), format: null },
  float: { bytes: new Uint8Array(0), format: null },
  decimal: { bytes: new Uint8Array(0), format: null },
};

/** Writes a float of a width in bits by the format in the bytes [start, stop). */
export function formattedFloat(
  bytes: Uint8Array,
  start: number,
  stop: number,
  value: number,
  bits: number,
): string {
  const width = bits === 16 || bits === 32 ? bits : 64;
  return formatFloat(value, width, formatIn(bytes, start, stop, "float"));
}

/** Writes an integer, in two halves, by the format in the bytes [start, stop). */
export function formattedInteger(
  bytes: Uint8Array,
  start: number,
  stop: number,
  low: number,
  high: number,
  isSigned: boolean,
): string {
  const upper = BigInt(isSigned ? high : high >>> 0);
  const value = upper << 32n | BigInt(low >>> 0);
  return formatInteger(value, formatIn(bytes, start, stop, "integer"));
}

/** Writes a decimal, in four words, the lowest first, by the format in the bytes [start, stop). */
export function formattedDecimal(
  bytes: Uint8Array,
  start: number,
  stop: number,
  words: readonly number[],
  scale: number,
): string {
  const whole = words.reduceRight((upper, word) => upper << 32n | BigInt(word >>> 0), 0n);
  const format = formatIn(bytes, start, stop, "decimal");
  return formatDecimal(BigInt.asIntN(128, whole), scale, format);
}

function formatIn(
  bytes: Uint8Array,
  start: number,
  stop: number,
  kind: NumberKind,
): NumberFormat {
  const parsed = last[kind];
  if (parsed.format !== null && isEqual(parsed.bytes, bytes, start, stop)) return parsed.format;
  parsed.bytes = bytes.slice(start, stop);
  parsed.format = parseNumberFormat(decoder.decode(parsed.bytes), kind);
  return parsed.format;
}

function isEqual(one: Uint8Array, bytes: Uint8Array, start: number, stop: number): boolean {
  if (one.length !== stop - start) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== bytes[start + i]) return false;
  return true;
}
