/** Columns of text, numbers and booleans from plain values and back. */

import type { ColumnType, HostColumn } from "../../../gpu/column/column.ts";
import { settleOffsets } from "../../../ops/batch/offset_rule.ts";
import { chooseOffsetRule } from "../../../ops/engine/settings.ts";
import { surround, type SurroundOptions } from "./surround.ts";

/** A value of a row; null is null. */
export type Value = string | number | bigint | boolean | null | readonly (string | number | null)[];

/** Makes a column of values, in buffers with other bytes around the rows and below the nulls. */
export function columnOf(
  type: ColumnType,
  values: readonly Value[],
  options: SurroundOptions = {},
): HostColumn {
  return surround(bareColumnOf(type, values), options);
}

/** Makes a column of values, in buffers with nothing else but what lies below the nulls. */
export function bareColumnOf(type: ColumnType, values: readonly Value[]): HostColumn {
  const nullCount = values.filter((value) => value === null).length;
  const validity = nullCount === 0 ? null : bitsOf(values.map((value) => value !== null));
  const common = { place: "host", type, length: values.length, nullCount, validity } as const;
  if (type.kind === "string") {
    const encoder = new TextEncoder();
    const texts = values.map((value) => encoder.encode(value === null ? "junk" : String(value)));
    const offsets = new Int32Array(values.length + 1);
    texts.forEach((text, row) => offsets[row + 1] = (offsets[row] ?? 0) + text.length);
    const data = new Uint8Array(offsets[values.length] ?? 0);
    texts.forEach((text, row) => data.set(text, offsets[row]));
    return asWideAsEnvironment({ ...common, data, offsets, children: [] });
  }
  if (type.kind === "list") {
    const lists = values.map((value) => Array.isArray(value) ? value : value === null ? ["x"] : []);
    const offsets = new Int32Array(values.length + 1);
    lists.forEach((list, row) => offsets[row + 1] = (offsets[row] ?? 0) + list.length);
    const children = [bareColumnOf(type.item, lists.flat())];
    return { ...common, data: new Uint8Array(0), offsets, children };
  }
  if (type.kind === "bool") {
    const data = bitsOf(values.map((value) => value === null || value === true));
    return { ...common, data, offsets: null, children: [] };
  }
  const data = arrayOf(type, values);
  return { ...common, data: new Uint8Array(data.buffer), offsets: null, children: [] };
}

/** A column of text, as `columnOf` makes it. */
export function stringColumn(values: readonly (string | null)[]): HostColumn {
  return columnOf({ kind: "string" }, values);
}

function bitsOf(values: readonly boolean[]): Uint8Array {
  const bits = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, row) => {
    if (value) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  });
  return bits;
}

function arrayOf(type: ColumnType, values: readonly Value[]): ArrayBufferView {
  const numbers = values.map((value) => Number(value ?? 77));
  const wide = () => values.map((value) => BigInt((value ?? 77) as number));
  switch (type.kind) {
    case "float":
      if (type.bits === 16) return Float16Array.from(numbers);
      return type.bits === 32 ? Float32Array.from(numbers) : Float64Array.from(numbers);
    case "int":
      switch (type.bits) {
        case 8:
          return type.signed ? Int8Array.from(numbers) : Uint8Array.from(numbers);
        case 16:
          return type.signed ? Int16Array.from(numbers) : Uint16Array.from(numbers);
        case 32:
          return type.signed ? Int32Array.from(numbers) : Uint32Array.from(numbers);
        case 64:
          return type.signed ? BigInt64Array.from(wide()) : BigUint64Array.from(wide());
      }
      break;
    case "fixed": {
      const bytes = new Uint8Array(type.byteWidth * values.length);
      wide().forEach((value, row) => {
        for (let i = 0; i < type.byteWidth; i++) {
          bytes[row * type.byteWidth + i] = Number((value >> BigInt(8 * i)) & 0xffn);
        }
      });
      return bytes;
    }
    default:
      throw new TypeError(`No values of kind ${type.kind}`);
  }
}

/** The values of a column; what lies below a null, or in no row, is not looked at. */
export function valuesOf(column: HostColumn): Value[] {
  return Array.from({ length: column.length }, (_, row) => valueAt(column, row));
}

function valueAt({ type, data, offsets, validity, children }: HostColumn, row: number): Value {
  if (validity !== null && (((validity[row >> 3] ?? 0) >> (row & 7)) & 1) === 0) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  switch (type.kind) {
    case "string":
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
        .decode(data.subarray(offsets?.[row], offsets?.[row + 1]));
    case "list":
      return Array.from(
        { length: (offsets?.[row + 1] ?? 0) - (offsets?.[row] ?? 0) },
        (_, item) => valueAt(children[0]!, (offsets?.[row] ?? 0) + item) as string | null,
      );
    case "bool":
      return (((data[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
    case "float":
      if (type.bits === 16) return view.getFloat16(2 * row, true);
      return type.bits === 32 ? view.getFloat32(4 * row, true) : view.getFloat64(8 * row, true);
    case "int":
      switch (type.bits) {
        case 8:
          return type.signed ? view.getInt8(row) : view.getUint8(row);
        case 16:
          return type.signed ? view.getInt16(2 * row, true) : view.getUint16(2 * row, true);
        case 32:
          return type.signed ? view.getInt32(4 * row, true) : view.getUint32(4 * row, true);
        case 64:
          return type.signed ? view.getBigInt64(8 * row, true) : view.getBigUint64(8 * row, true);
      }
      break;
    default:
      throw new TypeError(`No values of kind ${type.kind}`);
  }
}

/** The rows [start, stop) of a string column, over the same bytes. */
export function sliceText(column: HostColumn, start: number, stop: number): HostColumn {
  const sliced = columnOf(column.type, valuesOf(column).slice(start, stop));
  const offsets = column.offsets?.subarray(start, stop + 1) ?? null;
  return { ...sliced, data: column.data, offsets };
}

/**
 * A column that a test made, with the offsets that the threshold of the environment wants: the whole
 * suite runs with a threshold of 1 too, where all text has offsets of 64 bits.
 */
export function asWideAsEnvironment(column: HostColumn): HostColumn {
  return settleOffsets(column, chooseOffsetRule(), "of a test");
}

/**
 * Texts one after another, the middle one of them at byte `place` of a buffer that nobody touches
 * before them: memory that is not touched costs nothing. The offsets have 64 bits.
 */
export function textAround(place: number, texts: readonly (string | null)[]): HostColumn {
  const column = stringColumn(texts);
  const offsets = column.offsets!;
  const shift = place - offsets[texts.length >> 1]!;
  const size = offsets[texts.length]!;
  const data = new Uint8Array(shift + size + 10);
  data.set(column.data.subarray(0, size), shift);
  return { ...column, data, offsets: Float64Array.from(offsets, (offset) => offset + shift) };
}
