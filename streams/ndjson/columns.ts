/**
 * From JSON rows to columns.
 *
 * @module
 */

import { type Data, makeData } from "apache-arrow";
import { arrowType, type ScalarType } from "../scalar_type.ts";

/** The types of NDJSON columns; "json" keeps the text of lists, objects and very long integers. */
export type JsonType = "string" | "int64" | "float64" | "bool" | "json";

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/** The narrowest type of a value; undefined for null. */
export function jsonTypeOf(value: unknown): JsonType | undefined {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
      return Number.isSafeInteger(value) ? "int64" : "float64";
    case "bigint":
      if (value >= minInt64 && value <= maxInt64) return "int64";
      // Long keys stay text: as doubles, different ones would become equal.
      return String(Number(value)) === String(value) ? "float64" : "json";
    default:
      return value === null || value === undefined ? undefined : "json";
  }
}

/** The type that holds values of both types; undefined where there is none. */
export function unitedType(left: JsonType | undefined, right: JsonType): JsonType | undefined {
  if (left === undefined || left === right) return right;
  const isNumber = (type: JsonType) => type === "int64" || type === "float64";
  if (isNumber(left) && isNumber(right)) return "float64";
  return [left, right].every((type) => type === "json" || isNumber(type)) ? "json" : undefined;
}

/** A column of values that all fit its type. */
export function jsonColumn(type: JsonType, values: readonly unknown[]): Data {
  switch (type) {
    case "string":
      return stringColumn(values as readonly (string | null | undefined)[]);
    case "json":
      return stringColumn(values.map((value) => value == null ? null : jsonText(value)));
    case "int64":
      return int64Column(values as readonly (number | bigint | null | undefined)[]);
    case "float64":
      return fixedColumn(
        "float64",
        Float64Array.from(values, (value) => Number(value ?? 0)),
        values,
      );
    case "bool":
      return boolColumn(values);
  }
}

/** Whether a value can be held by a column. */
export function fitsColumn(type: JsonType, value: unknown): boolean {
  const own = jsonTypeOf(value);
  return own === undefined || own === type || type === "json" ||
    (type === "float64" && (own === "int64" || typeof value === "bigint"));
}

function validityOf(values: readonly unknown[]): { nullCount: number; nullBitmap?: Uint8Array } {
  let nullCount = 0;
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
  for (let row = 0; row < values.length; row++) {
    if (values[row] === null || values[row] === undefined) nullCount++;
    else nullBitmap[row >> 3]! |= 1 << (row & 7);
  }
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap };
}

function fixedColumn(type: ScalarType, data: ArrayBufferView, values: readonly unknown[]): Data {
  const props = { type: arrowType(type), length: values.length, ...validityOf(values), data };
  return makeData(props as never);
}

function int64Column(values: readonly (number | bigint | null | undefined)[]): Data {
  const words = new Int32Array(2 * values.length);
  const wide = new BigInt64Array(words.buffer);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    if (typeof value === "bigint") wide[row] = value;
    else {
      const low = value | 0;
      words[2 * row] = low;
      words[2 * row + 1] = (value - (low >>> 0)) / 2 ** 32;
    }
  }
  return fixedColumn("int64", wide, values);
}

function boolColumn(values: readonly unknown[]): Data {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (let row = 0; row < values.length; row++) {
    if (values[row] === true) bits[row >> 3]! |= 1 << (row & 7);
  }
  return fixedColumn("bool", bits, values);
}

function stringColumn(values: readonly (string | null | undefined)[]): Data {
  const { valueOffsets, data } = encodeStrings(values.map((value) => value ?? ""));
  const props = { length: values.length, ...validityOf(values), valueOffsets, data };
  return makeData({ type: arrowType("string"), ...props } as never);
}

/** Encodes all strings in one call, which is enough where they are ASCII. */
function encodeStrings(
  texts: readonly string[],
): { valueOffsets: Int32Array; data: Uint8Array } {
  const encoder = new TextEncoder();
  const joined = texts.join("");
  const data = encoder.encode(joined);
  const valueOffsets = new Int32Array(texts.length + 1);
  const isAscii = data.length === joined.length;
  if (!isAscii) return encodeOneByOne(texts);
  for (let row = 0; row < texts.length; row++) {
    valueOffsets[row + 1] = valueOffsets[row]! + texts[row]!.length;
  }
  return { valueOffsets, data };
}

function encodeOneByOne(
  texts: readonly string[],
): { valueOffsets: Int32Array; data: Uint8Array } {
  const encoder = new TextEncoder();
  const valueOffsets = new Int32Array(texts.length + 1);
  // No UTF-16 unit has more than three bytes.
  const buffer = new Uint8Array(3 * texts.reduce((sum, text) => sum + text.length, 0));
  let length = 0;
  for (let row = 0; row < texts.length; row++) {
    length += encoder.encodeInto(texts[row]!, buffer.subarray(length)).written;
    valueOffsets[row + 1] = length;
  }
  return { valueOffsets, data: buffer.slice(0, length) };
}

/** JSON text of a value that may hold bigint. */
function jsonText(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) =>
    `${JSON.stringify(key)}:${jsonText(item)}`
  );
  return `{${members.join(",")}}`;
}
