/**
 * Reads single values of columns, for errors, tests and comparisons.
 *
 * @module
 */

import { bitAt } from "./bitmap.ts";
import { type ColumnType, type HostColumn, isNull } from "./column.ts";

/** The value of a row: integers of 64 bits and the digits of decimals are bigint, other numbers number. */
export type Value = string | number | bigint | boolean | null;

type NumberType = ColumnType & { kind: "int" | "float" };

/** Returns the value of a row of text, bools or numbers. */
export function valueAt(column: HostColumn, row: number): Value {
  if (isNull(column, row)) return null;
  const { type, data, offsets } = column;
  switch (type.kind) {
    case "string":
      return new TextDecoder("utf-8", { ignoreBOM: true })
        .decode(data.subarray(offsets?.[row] ?? 0, offsets?.[row + 1] ?? 0));
    case "bool":
      return bitAt(data, row) === 1;
    case "int":
    case "float": {
      const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength);
      return numberAt(type, bytes, row * type.bits / 8);
    }
    case "fixed":
      return wideInteger(data.subarray(row * type.byteWidth, (row + 1) * type.byteWidth));
    default:
      throw new TypeError(`A ${type.kind} is no single value`);
  }
}

/** Returns the integer that bytes encode: little endian, in two's complement. */
function wideInteger(bytes: Uint8Array): bigint {
  const whole = bytes.reduceRight((high, byte) => (high << 8n) | BigInt(byte), 0n);
  return BigInt.asIntN(8 * bytes.length, whole);
}

/** Returns the number whose little-endian bytes begin at `at`. */
export function numberAt(type: NumberType, bytes: DataView, at: number): number | bigint {
  const isSigned = type.kind === "int" && type.signed;
  switch (type.bits) {
    case 8:
      return isSigned ? bytes.getInt8(at) : bytes.getUint8(at);
    case 16:
      if (type.kind === "float") return bytes.getFloat16(at, true);
      return isSigned ? bytes.getInt16(at, true) : bytes.getUint16(at, true);
    case 32:
      if (type.kind === "float") return bytes.getFloat32(at, true);
      return isSigned ? bytes.getInt32(at, true) : bytes.getUint32(at, true);
    case 64:
      if (type.kind === "float") return bytes.getFloat64(at, true);
      return isSigned ? bytes.getBigInt64(at, true) : bytes.getBigUint64(at, true);
  }
}
