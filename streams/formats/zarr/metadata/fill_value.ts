/**
 * Reads the fill value of an array: from JSON to the bytes of one item, in host byte order.
 *
 * @module
 */

import { type DataType, hasAnyLength, isObject } from "./data_type.ts";
import { exactInteger, plainJson } from "./exact_json.ts";
import { shortJson } from "./short_json.ts";

/** Whether the host is little-endian; Deno runs on no other machines. */
const little = true;

/**
 * Reads the fill value of an exactly parsed document. Null stands for zeros, and so does 0 for every
 * type, as writers of version 2 use it. Throws a TypeError whose message is a clause.
 */
export function fillItem(type: DataType, value: unknown): Uint8Array<ArrayBuffer> {
  const isLong = hasAnyLength(type);
  const item = new Uint8Array(isLong ? 0 : type.itemBytes);
  if (value === null || value === undefined || exactInteger(value) === 0n && !isNegative(value)) {
    return item;
  }
  const written = isLong ? longItem(type, value) : write(type, value, item) ? item : undefined;
  if (written !== undefined) return written;
  const shown = shortJson(plainJson(value));
  throw new TypeError(`its fill value ${shown} is not valid for its data type ${type.name}`);
}

/** Whether a zero is negative. */
function isNegative(value: unknown): boolean {
  return Object.is(plainJson(value), -0);
}

/** Reads text, or bytes as base64 or a list; undefined for any other value. */
function longItem({ kind }: DataType, value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (kind === "vlen-utf8") {
    const isText = typeof value === "string" && value.isWellFormed();
    return isText ? new TextEncoder().encode(value) : undefined;
  }
  const bytes = bytesIn(value);
  return bytes === undefined ? undefined : Uint8Array.from(bytes);
}

/** Writes a value into an item; false if it is not a value of the type. */
function write(type: DataType, value: unknown, item: Uint8Array): boolean {
  switch (type.kind) {
    case "bool":
      item[0] = Number(value === true || exactInteger(value) === 1n);
      return typeof value === "boolean" || exactInteger(value) === 1n;
    case "int":
    case "uint":
    case "time":
      return writeInteger(type, value, item);
    case "float":
      return writeFloat(value, item);
    case "complex":
      return writeComplex(value, item);
    case "text":
      return writeText(value, item);
    case "bytes":
      return writeBytes(value, item);
    case "fields":
      return writeFields(type, value, item);
    case "vlen-utf8":
    case "vlen-bytes":
      return false;
  }
}

function writeInteger(type: DataType, value: unknown, item: Uint8Array): boolean {
  // NaT is the least integer, as in NumPy.
  const integer = type.kind === "time" && value === "NaT" ? -(2n ** 63n) : exactInteger(value);
  if (integer === undefined) return false;
  const bits = 8 * item.length;
  const fits = type.kind === "uint" ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer);
  if (fits !== integer) return false;
  let rest = BigInt.asUintN(64, integer);
  for (let at = 0; at < item.length; at++, rest >>= 8n) item[at] = Number(rest & 0xffn);
  return true;
}

function writeFloat(value: unknown, item: Uint8Array): boolean {
  const view = new DataView(item.buffer, item.byteOffset, item.length);
  const plain = plainJson(value);
  if (typeof plain === "string" && /^0x[0-9a-f]+$/i.test(plain)) {
    return writeHex(plain.slice(2), item);
  }
  const isWord = plain === "NaN" || plain === "Infinity" || plain === "-Infinity";
  if (!isWord && typeof plain !== "number") return false;
  const number = Number(plain);
  if (item.length === 2) view.setFloat16(0, number, little);
  else if (item.length === 4) view.setFloat32(0, number, little);
  else view.setFloat64(0, number, little);
  return true;
}

/** Writes bits from hexadecimal digits, the highest first. */
function writeHex(digits: string, item: Uint8Array): boolean {
  if (digits.length !== 2 * item.length) return false;
  for (let at = 0; at < item.length; at++) {
    item[item.length - 1 - at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  }
  return true;
}

/** Writes a pair of real and imaginary part, or a real number. */
function writeComplex(value: unknown, item: Uint8Array): boolean {
  const half = item.length / 2;
  if (!Array.isArray(value)) return writeFloat(value, item.subarray(0, half));
  return value.length === 2 && writeFloat(value[0], item.subarray(0, half)) &&
    writeFloat(value[1], item.subarray(half));
}

function writeText(value: unknown, item: Uint8Array): boolean {
  if (typeof value !== "string") return false;
  const codes = Array.from(value, (char) => char.codePointAt(0)!);
  if (codes.length > item.length / 4) return false;
  const view = new DataView(item.buffer, item.byteOffset, item.length);
  codes.forEach((code, at) => view.setUint32(4 * at, code, little));
  return true;
}

/** Writes bytes, padded with zeros. */
function writeBytes(value: unknown, item: Uint8Array): boolean {
  const bytes = bytesIn(value);
  if (bytes === undefined || bytes.length > item.length) return false;
  item.set(bytes);
  return true;
}

/** Reads base64, or a list of bytes. */
function bytesIn(value: unknown): number[] | undefined {
  const bytes = Array.isArray(value) ? value.map(Number) : fromBase64(value);
  const areBytes = bytes?.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return areBytes ? bytes : undefined;
}

function fromBase64(value: unknown): number[] | undefined {
  if (typeof value !== "string") return undefined;
  try {
    return Array.from(atob(value), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Writes an object with a value for each field, or a whole item in base64. */
function writeFields(type: DataType, value: unknown, item: Uint8Array): boolean {
  if (!isObject(value)) return writeBytes(value, item);
  let at = 0;
  return (type.fields ?? []).every((field) => {
    const part = item.subarray(at, at += field.type.itemBytes);
    const own = value[field.name];
    return own === undefined || own === null || write(field.type, own, part);
  });
}
