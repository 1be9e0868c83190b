/**
 * Formats values of Arrow columns for display.
 *
 * @module
 */

import { shortestFloat } from "../../base/float_text.ts";
import { decimalText, integerOf } from "../../base/number_text.ts";
import {
  clockText,
  dayText,
  isTimeOfDay,
  splitDay,
  timeUnitNames,
  withoutZeros,
} from "../../base/time_text.ts";
import { inZone, uuidTextOf } from "../library/values.ts";
import { type Data, DataType, type Field, IntervalUnit, TimeUnit, Vector } from "apache-arrow";
import { showControls } from "../../base/show_controls.ts";
import { formatCount } from "../../base/quantities.ts";

/** The lengths up to which lists and binary values are shown whole; longer ones show their first items. */
const wholeItems = 24;
const wholeBytes = 64;
const firstItems = 8;
const firstBytes = 32;
/** The number of characters after which a list shows no more items, and that a text shows at most. */
const listLength = 1000;
const maxLength = 10_000;

/** Returns a function that formats the value of a row, for one column of one batch. */
export function cellFormatter(
  data: Data,
  get: (row: number) => unknown,
  field?: Field,
): (row: number) => string {
  const uuid = uuidTextOf(data, field);
  const format = uuid ? (_value: unknown, row: number) => uuid(row) : valueFormatter(data);
  const type: DataType = data.type;
  // apache-arrow converts timestamps to milliseconds and throws beyond safe integers.
  const isStored = DataType.isTimestamp(type);
  return (row) => {
    if (isStored) return data.getValid(row) ? format(undefined, row) : "null";
    const value = get(row);
    return value === null || value === undefined ? "null" : format(value, row);
  };
}

/** Returns a function that formats a list in brackets, with text in quotes: `["a", null]`. */
function listFormatter(data: Data): (row: number) => string {
  const items = data.children[0]!;
  const vector = new Vector([items]);
  const format = cellFormatter(items, (row) => vector.get(row), data.type.children[0]);
  const inQuotes = DataType.isUtf8(items.type) || DataType.isLargeUtf8(items.type) ||
    DataType.isUtf8View(items.type) || DataType.isDictionary(items.type);
  const item = (row: number) =>
    inQuotes && items.getValid(row)
      ? shorten(String(vector.get(row)), (text) => showControls(JSON.stringify(text)))
      : format(row);
  const size = DataType.isFixedSizeList(data.type) ? data.type.listSize : undefined;
  const edge = (row: number) => size === undefined ? Number(data.valueOffsets[row]) : row * size;
  return (row) => {
    const start = edge(row);
    const numItems = edge(row + 1) - start;
    const most = numItems > wholeItems ? firstItems : numItems;
    const shown: string[] = [];
    for (let length = 0; shown.length < most && length < listLength;) {
      shown.push(item(start + shown.length));
      length += shown.at(-1)!.length;
    }
    if (shown.length === numItems) return `[${shown.join(", ")}]`;
    return `[${shown.join(", ")}, … ${formatCount(numItems)} values]`;
  };
}

/**
 * Returns a function that formats a value. Most types use the value of the vector; times use the stored
 * integer, exactly.
 */
function valueFormatter(data: Data): (value: unknown, row: number) => string {
  const type: DataType = data.type;
  const stored = (row: number) => BigInt((data.values as BigInt64Array | Int32Array)[row]!);
  if (DataType.isDate(type)) return (value) => formatDay(Number(value));
  if (DataType.isTimestamp(type)) {
    const { unit } = type;
    const format = inZone(type.timezone, unit, (value) => formatInstant(value, unit));
    return (_value, row) => format(stored(row));
  }
  if (DataType.isTime(type)) {
    return (_value, row) => {
      const count = stored(row);
      return isTimeOfDay(count, type.unit)
        ? withoutZeros(clockText(count, type.unit))
        : `${count} ${timeUnitNames[type.unit]}`;
    };
  }
  if (DataType.isDuration(type)) {
    return (_value, row) => `${stored(row)} ${timeUnitNames[type.unit]}`;
  }
  if (DataType.isInterval(type)) {
    const { buffer, byteOffset } = data.values as Int32Array;
    const view = new DataView(buffer, byteOffset);
    return (_value, row) => formatInterval(view, row, type.unit);
  }
  if (DataType.isDecimal(type)) {
    return (value) => decimalText(integerOf(value as Uint32Array), type.scale);
  }
  if (DataType.isFloat(type)) {
    const bits = 8 * type.ArrayType.BYTES_PER_ELEMENT as 16 | 32 | 64;
    return (value) => String(shortestFloat(value as number, bits));
  }
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type)) {
    const format = listFormatter(data);
    return (_value, row) => format(row);
  }
  if (DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isFixedSizeBinary(type)) {
    return (value) => formatBytes(value as Uint8Array);
  }
  return (value) => shorten(String(value), (text) => showControls(text.toWellFormed()));
}

/** Formats a text, cut if it is long: formatted in full, it might exceed the longest possible string. */
function shorten(text: string, format: (part: string) => string): string {
  return text.length <= maxLength ? format(text) : `${format(text.slice(0, maxLength))}…`;
}

/** Formats bytes as hexadecimal digits, only the first of a long value: `00ff… 1,000 bytes`. */
function formatBytes(bytes: Uint8Array): string {
  if (bytes.length <= wholeBytes) return bytes.toHex();
  return `${bytes.subarray(0, firstBytes).toHex()}… ${formatCount(bytes.length)} bytes`;
}

/** Formats a date, and its time unless that is midnight: a date64 may have one. */
function formatDay(milliseconds: number): string {
  const isWhole = milliseconds % 86_400_000 === 0;
  return isWhole
    ? dayText(milliseconds / 86_400_000)
    : formatInstant(BigInt(milliseconds), TimeUnit.MILLISECOND);
}

/** Formats a time as `2001-12-31 23:59:59.5`. */
function formatInstant(count: bigint, unit: TimeUnit): string {
  const [day, timeOfDay] = splitDay(count, unit);
  return `${dayText(day)} ${withoutZeros(clockText(timeOfDay, unit))}`;
}

/** Formats the parts of an interval that are not 0: `999 months 2 days 0.5 s`. */
function formatInterval(view: DataView, row: number, unit: IntervalUnit): string {
  const parts: string[] = [];
  const add = (count: number, name: string) => {
    if (count !== 0) parts.push(`${count} ${name}${count === 1 ? "" : "s"}`);
  };
  const addTime = (count: bigint, digits: number) => {
    if (count !== 0n) parts.push(`${formatSeconds(count, digits)} s`);
  };
  switch (unit) {
    case IntervalUnit.YEAR_MONTH:
      add(view.getInt32(4 * row, true), "month");
      break;
    case IntervalUnit.DAY_TIME:
      add(view.getInt32(8 * row, true), "day");
      addTime(BigInt(view.getInt32(8 * row + 4, true)), 3);
      break;
    case IntervalUnit.MONTH_DAY_NANO:
      add(view.getInt32(16 * row, true), "month");
      add(view.getInt32(16 * row + 4, true), "day");
      addTime(view.getBigInt64(16 * row + 8, true), 9);
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

/** Formats seconds without trailing zeros: `-0.5`. */
function formatSeconds(count: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const size = count < 0n ? -count : count;
  const fraction = String(size % perSecond).padStart(digits, "0").replace(/0+$/, "");
  return `${count < 0n ? "-" : ""}${size / perSecond}${fraction === "" ? "" : `.${fraction}`}`;
}
