/**
 * Formats the values of a column as text, for CSV and NDJSON.
 *
 * @module
 */

import { floatText } from "../../base/float_text.ts";
import { decimalText, integerOf } from "../../base/number_text.ts";
import { clockText, dayText, isTimeOfDay, splitDay, timeUnitNames } from "../../base/time_text.ts";
import { type Data, DataType, DateUnit, Precision, TimeUnit, type Vector } from "apache-arrow";
import { layoutOf } from "../data/arrow_data.ts";
import { inZone } from "./time_zones.ts";

/** A function that returns the text of a row, which must not be null. */
type TextOf = (row: number) => string;

/**
 * Returns a function that formats the values of a column: integers exactly, floats with the fewest
 * digits that parse to the same value, dates and times as in ISO 8601 with all digits of their
 * unit, timestamps with a time zone as local time and offset, and decimals with all digits of their
 * scale. Undefined for nested types, binary data, intervals, and text (see `textBytesOf`). The
 * function throws a RangeError for a time of day beyond 24:00.
 */
export function textOf(data: Data): TextOf | undefined {
  const { type, values } = data;
  if (DataType.isInt(type)) return (row) => String((values as ArrayLike<unknown>)[row]);
  if (DataType.isFloat(type)) return floatColumnText(values as ArrayLike<number>, type.precision);
  if (DataType.isBool(type)) return (row) => bit(values as Uint8Array, data.offset + row);
  if (DataType.isDate(type)) return (row) => dateText(values[row], type.unit);
  if (DataType.isTimestamp(type)) {
    const write = inZone(
      type.timezone,
      type.unit,
      (value) => timestampText(value, type.unit),
    );
    return (row) => write((values as BigInt64Array)[row]!);
  }
  if (DataType.isTime(type)) return (row) => timeOfDayText(BigInt(values[row]), type.unit);
  if (DataType.isDuration(type)) return (row) => String((values as BigInt64Array)[row]);
  if (DataType.isDecimal(type)) {
    const [words, stride] = [values as Uint32Array, type.bitWidth / 32];
    return (row) => decimalText(integerOf(words, row * stride, stride), type.scale);
  }
  if (DataType.isDictionary(type)) return dictionaryText(data);
  return undefined;
}

/** Returns a function that formats floats; a float16 with the digits of the same float64. */
function floatColumnText(values: ArrayLike<number>, precision: Precision): TextOf {
  switch (precision) {
    case Precision.HALF:
      return (row) => floatText(halfValue(values[row]!), 64);
    case Precision.SINGLE:
      return (row) => floatText(values[row]!, 32);
    case Precision.DOUBLE:
      return (row) => floatText(values[row]!, 64);
  }
}

/** Decodes a float16: https://en.wikipedia.org/wiki/Half-precision_floating-point_format */
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

function dictionaryText(data: Data): TextOf | undefined {
  const dictionary = data.dictionary as Vector;
  const indices = data.values as ArrayLike<number | bigint>;
  const [chunk, ...others] = dictionary.data;
  const text = chunk === undefined || others.length > 0 ? undefined : textOf(chunk);
  return text && ((row) => text(Number(indices[row]!)));
}

const millisecondsPerDay = 86_400_000n;

/**
 * Formats a date as `2001-12-31`. Years before 0 and after 9999 have a sign and at least six
 * digits. A date in milliseconds that is not midnight includes its time: `2001-12-31T23:59:59.500`.
 */
function dateText(value: number | bigint, unit: DateUnit): string {
  if (unit === DateUnit.DAY) return dayText(Number(value));
  const milliseconds = BigInt(value);
  return milliseconds % millisecondsPerDay === 0n
    ? dayText(Number(milliseconds / millisecondsPerDay))
    : timestampText(milliseconds, TimeUnit.MILLISECOND);
}

/** Formats a timestamp as `2001-12-31T23:59:59.500`, with all digits of its unit. */
function timestampText(value: bigint, unit: TimeUnit): string {
  const [day, timeOfDay] = splitDay(value, unit);
  return `${dayText(day)}T${clockText(timeOfDay, unit)}`;
}

/**
 * Formats a time of day as `23:59:59.500`, with all digits of its unit. Throws a RangeError unless
 * it is from 00:00:00 to 24:00:00, which DuckDB accepts as well.
 */
function timeOfDayText(value: bigint, unit: TimeUnit): string {
  if (!isTimeOfDay(value, unit)) {
    throw new RangeError(`${value} ${timeUnitNames[unit]} is not a time of day`);
  }
  return clockText(value, unit);
}

/** A function that takes a text as the bytes [start, stop). */
type TakeText = (bytes: Uint8Array, start: number, stop: number) => void;

/** A function that passes the text of a row, which must not be null, to `take`. */
type GiveText = (row: number, take: TakeText) => void;

/** Values up to this length are stored inside their view. */
const maxInlineBytes = 12;

/**
 * Returns a function that passes on texts of Utf8, LargeUtf8, Utf8View or a dictionary of these as
 * bytes, since a string cannot have more than 512 MiB. Undefined for other types.
 */
export function textBytesOf(data: Data): GiveText | undefined {
  const type: DataType = data.type;
  if (DataType.isUtf8View(type)) return viewText(data);
  if (DataType.isDictionary(type)) return dictionaryBytes(data);
  if (!DataType.isUtf8(type) && !DataType.isLargeUtf8(type)) return undefined;
  const values = data.values as Uint8Array;
  if (layoutOf(type) === "bytes32") {
    const offsets = data.valueOffsets as Int32Array;
    return (row, take) => take(values, offsets[row]!, offsets[row + 1]!);
  }
  const offsets = data.valueOffsets as unknown as BigInt64Array;
  return (row, take) => take(values, Number(offsets[row]), Number(offsets[row + 1]));
}

/**
 * Reads views: https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
 */
function viewText({ values, variadicBuffers }: Data): GiveText {
  const bytes = values as Uint8Array;
  const views = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (row, take) => {
    const at = 16 * row;
    const length = views.getInt32(at, true);
    if (length <= maxInlineBytes) return take(bytes, at + 4, at + 4 + length);
    const start = views.getInt32(at + 12, true);
    take(variadicBuffers[views.getInt32(at + 8, true)]!, start, start + length);
  };
}

function dictionaryBytes({ dictionary, values }: Data): GiveText | undefined {
  const indices = values as ArrayLike<number | bigint>;
  const chunks = (dictionary as Vector).data;
  const texts: GiveText[] = [];
  for (const chunk of chunks) {
    const text = textBytesOf(chunk);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  const [only] = texts;
  if (only !== undefined && texts.length === 1) {
    return (row, take) => only(Number(indices[row]), take);
  }
  return (row, take) => {
    let index = Number(indices[row]);
    let chunk = 0;
    while (index >= chunks[chunk]!.length) index -= chunks[chunk++]!.length;
    texts[chunk]!(index, take);
  };
}

/**
 * Returns a function that tells whether a row is valid. An index that refers to a null in the
 * dictionary is not.
 */
export function rowValidity(data: Data): (row: number) => boolean {
  const { type, dictionary } = data;
  if (DataType.isNull(type)) return () => false;
  const own = bitmapValidity(data);
  if (dictionary === undefined || dictionary.nullCount === 0) return own;
  const indices = data.values as ArrayLike<number | bigint>;
  return (row) => own(row) && dictionary.isValid(Number(indices[row]));
}

function bitmapValidity({ nullCount, nullBitmap, offset }: Data): (row: number) => boolean {
  if (nullCount === 0) return () => true;
  return (row) => ((nullBitmap[(offset + row) >> 3]! >> ((offset + row) & 7)) & 1) === 1;
}
