/**
 * Builds Arrow columns from JSON values.
 *
 * @module
 */

import { type Data, makeData } from "apache-arrow";
import { noteAscii } from "../../../base/ascii_bytes.ts";
import { arrowType, type ScalarType } from "../../types/scalar_type.ts";
import { LongText } from "./long_text.ts";
import { itemTypeOf, jsonArrowType, type JsonType } from "./json_type.ts";

/** Returns a column of values that all fit its type. Values of type "json" are JSON text. */
export function jsonColumn(type: JsonType, values: readonly unknown[]): Data {
  switch (type) {
    case "string":
    case "json":
      return stringColumn(values as readonly (string | LongText | null | undefined)[]);
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
    default:
      return listColumn(type, values as readonly (readonly unknown[] | null | undefined)[]);
  }
}

function listColumn(
  type: JsonType,
  values: readonly (readonly unknown[] | null | undefined)[],
): Data {
  const valueOffsets = new Int32Array(values.length + 1);
  const items: unknown[] = [];
  for (const [row, list] of values.entries()) {
    for (const item of list ?? []) items.push(item);
    valueOffsets[row + 1] = items.length;
  }
  const child = jsonColumn(itemTypeOf(type) ?? "string", items);
  const props = { length: values.length, ...validityOf(values), valueOffsets, child };
  return makeData({ type: jsonArrowType(type), ...props } as never);
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

function stringColumn(values: readonly (string | LongText | null | undefined)[]): Data {
  const texts = values.map((value) => value ?? "");
  const { valueOffsets, data } = texts.some((text) => text instanceof LongText)
    ? encodeLong(texts)
    : encodeStrings(texts as string[]);
  const props = { length: values.length, ...validityOf(values), valueOffsets, data };
  return makeData({ type: arrowType("string"), ...props } as never);
}

/** Encodes all strings in one call, and one by one if they are not all ASCII. */
function encodeStrings(
  texts: readonly string[],
): { valueOffsets: Int32Array; data: Uint8Array } {
  const encoder = new TextEncoder();
  const joined = texts.join("");
  const data = encoder.encode(joined);
  const valueOffsets = new Int32Array(texts.length + 1);
  const isAscii = data.length === joined.length;
  if (!isAscii) return encodeOneByOne(texts);
  noteAscii(data);
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
  // No UTF-16 unit takes more than three bytes in UTF-8.
  const buffer = new Uint8Array(3 * texts.reduce((sum, text) => sum + text.length, 0));
  let length = 0;
  for (let row = 0; row < texts.length; row++) {
    length += encoder.encodeInto(texts[row]!, buffer.subarray(length)).written;
    valueOffsets[row + 1] = length;
  }
  return { valueOffsets, data: buffer.slice(0, length) };
}

function encodeLong(
  texts: readonly (string | LongText)[],
): { valueOffsets: Int32Array; data: Uint8Array } {
  const encoder = new TextEncoder();
  const parts = texts.map((text) => typeof text === "string" ? encoder.encode(text) : text);
  const valueOffsets = new Int32Array(parts.length + 1);
  parts.forEach(({ length }, row) => valueOffsets[row + 1] = valueOffsets[row]! + length);
  const data = new Uint8Array(valueOffsets[parts.length]!);
  parts.forEach((part, row) => {
    if (part instanceof LongText) part.copyTo(data.subarray(valueOffsets[row]));
    else data.set(part, valueOffsets[row]);
  });
  return { valueOffsets, data };
}
