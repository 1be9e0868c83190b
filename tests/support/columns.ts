/**
 * Columns from plain values and back.
 *
 * @module
 */

import { byteWidth, type ColumnType, type HostColumn } from "../../gpu/column.ts";

/** A plain value of a row. */
export type Value = string | number | boolean | null;

/** A string column. */
export function stringColumn(values: readonly (string | null)[]): HostColumn {
  const texts = values.map((value) => new TextEncoder().encode(value ?? ""));
  const offsets = new Int32Array(values.length + 1);
  texts.forEach((text, row) => offsets[row + 1] = offsets[row]! + text.length);
  const data = new Uint8Array(offsets[values.length]!);
  texts.forEach((text, row) => data.set(text, offsets[row]!));
  return { ...frame({ kind: "string" }, values), data, offsets };
}

/** A column of integers of up to 32 bits or of booleans. */
export function fixedColumn(
  type: ColumnType,
  values: readonly (number | boolean | null)[],
): HostColumn {
  if (type.kind === "bool") return { ...frame(type, values), data: bits(values, Boolean) };
  const width = byteWidth(type);
  const data = new Uint8Array(values.length * width);
  const view = new DataView(data.buffer);
  values.forEach((value, row) => {
    const number = Number(value ?? 0);
    if (width === 1) view.setInt8(row, number);
    else if (width === 2) view.setInt16(2 * row, number, true);
    else view.setInt32(4 * row, number, true);
  });
  return { ...frame(type, values), data };
}

/** A column of 64-bit integers. */
export function int64Column(values: readonly (bigint | null)[]): HostColumn {
  const data = new Uint8Array(BigInt64Array.from(values, (value) => value ?? 0n).buffer);
  return { ...frame({ kind: "int", bits: 64, signed: true }, values), data };
}

/** The rows of a column of strings, integers or booleans. */
export function valuesOf(column: HostColumn): (string | number | bigint | boolean | null)[] {
  const { type, data, offsets, length } = column;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length }, (_, row) => {
    if (column.validity !== null && !bitAt(column.validity, row)) return null;
    if (type.kind === "bool") return bitAt(data, row);
    if (type.kind === "string") {
      const text = data.subarray(offsets![row]!, offsets![row + 1]!);
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
    }
    if (type.kind !== "int") throw new TypeError(`No plain values of type ${type.kind}`);
    switch (type.bits) {
      case 8:
        return type.signed ? view.getInt8(row) : view.getUint8(row);
      case 16:
        return type.signed ? view.getInt16(2 * row, true) : view.getUint16(2 * row, true);
      case 32:
        return type.signed ? view.getInt32(4 * row, true) : view.getUint32(4 * row, true);
      case 64:
        return view.getBigInt64(8 * row, true);
    }
  });
}

function frame(
  type: ColumnType,
  values: readonly unknown[],
): Omit<HostColumn, "data"> {
  const nullCount = values.filter((value) => value === null).length;
  return {
    place: "host",
    type,
    length: values.length,
    nullCount,
    validity: nullCount === 0 ? null : bits(values, (value) => value !== null),
    offsets: null,
    children: [],
  };
}

function bits(values: readonly unknown[], isSet: (value: unknown) => boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, row) => {
    if (isSet(value)) bytes[row >> 3]! |= 1 << (row & 7);
  });
  return bytes;
}

function bitAt(bytes: Uint8Array, row: number): boolean {
  return ((bytes[row >> 3]! >> (row & 7)) & 1) === 1;
}
