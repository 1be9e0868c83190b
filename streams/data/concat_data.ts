/**
 * Concatenates Arrow data.
 *
 * @module
 */

import { type Data, type DataType, type Dictionary, makeData } from "apache-arrow";
import { setBits } from "./bits.ts";
import { type Layout, layoutOf, valueBytes } from "./layout.ts";
import { concatViews } from "./views.ts";

type Offsets = Int32Array | BigInt64Array;

/** The arguments of `makeData` besides type, length and validity. */
type Content = Record<string, unknown>;

/**
 * Concatenates one or more columns of the same type into new buffers. Dictionary columns must share
 * their dictionary.
 */
export function concatData(columns: readonly Data[]): Data {
  // Empty data may lack buffers and children.
  const parts = columns.filter(({ length }) => length > 0);
  if (parts.length === 0) return columns[0]!;
  const type = parts[0]!.type as DataType;
  const layout = layoutOf(type);
  const length = sum(parts, (part) => part.length);
  return makeData({
    type,
    length,
    ...concatValidity(parts, layout, length),
    ...concatContent(parts, layout, type, length),
  } as never);
}

function concatContent(
  parts: readonly Data[],
  layout: Layout,
  type: DataType,
  length: number,
): Content {
  switch (layout) {
    case "null":
      return {};
    case "bits":
      return { data: concatBits(parts, length) };
    case "values":
      return { data: concatValues(parts, valueBytes(type), length) };
    case "bytes32":
    case "bytes64": {
      const valueOffsets = concatOffsets(parts, layout === "bytes64", length);
      return { valueOffsets, data: concatText(parts, Number(valueOffsets[length])) };
    }
    case "view":
      return concatViews(parts, length);
    case "list32":
    case "list64": {
      const valueOffsets = concatOffsets(parts, layout === "list64", length);
      const items = (part: Data) => [offsetAt(part, 0), offsetAt(part, part.length)] as const;
      return { valueOffsets, child: concatChildren(parts, 0, items) };
    }
    case "fixed_list": {
      const { listSize } = type as unknown as { listSize: number };
      return { child: concatChildren(parts, 0, (part) => [0, listSize * part.length]) };
    }
    case "struct":
      return { children: concatAllChildren(parts, type, (part) => [0, part.length]) };
    case "sparse_union":
      return {
        typeIds: concatTypeIds(parts, length),
        children: concatAllChildren(parts, type, (part) => [0, part.length]),
      };
    case "dense_union":
      return concatDenseUnion(parts, type, length);
    case "dictionary": {
      const { indices } = type as Dictionary;
      const bytes = concatValues(parts, valueBytes(indices), length);
      return { data: new indices.ArrayType(bytes.buffer), dictionary: parts[0]!.dictionary };
    }
  }
}

/** Concatenates validity; unions and the null type have none. */
function concatValidity(parts: readonly Data[], layout: Layout, length: number): Content {
  if (layout === "null" || layout.endsWith("union")) return {};
  const nullCount = sum(parts, (part) => part.nullBitmap?.length > 0 ? part.nullCount : 0);
  if (nullCount === 0) return { nullCount };
  const nullBitmap = new Uint8Array(Math.ceil(length / 8)).fill(255);
  let row = 0;
  for (const part of parts) {
    const hasNulls = part.nullBitmap?.length > 0 && part.nullCount > 0;
    if (hasNulls) setBits(nullBitmap, row, part.nullBitmap, part.offset, part.length);
    row += part.length;
  }
  return { nullCount, nullBitmap };
}

function concatBits(parts: readonly Data[], length: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(length / 8));
  let row = 0;
  for (const part of parts) {
    setBits(bits, row, part.values, part.offset, part.length);
    row += part.length;
  }
  return bits;
}

function concatValues(
  parts: readonly Data[],
  width: number,
  length: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(width * length);
  let position = 0;
  for (const { values, length } of parts) {
    const numBytes = width * length;
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, numBytes), position);
    position += numBytes;
  }
  return bytes;
}

/** Returns the offsets of all rows, rebased to 0. */
function concatOffsets(parts: readonly Data[], isLarge: boolean, length: number): Offsets {
  const offsets = isLarge ? new BigInt64Array(length + 1) : new Int32Array(length + 1);
  let row = 0;
  let position = 0;
  for (const part of parts) {
    const shift = position - offsetAt(part, 0);
    for (let i = 1; i <= part.length; i++) {
      const end = offsetAt(part, i) + shift;
      offsets[row + i] = isLarge ? BigInt(end) : end;
    }
    position = Number(offsets[row + part.length]);
    row += part.length;
  }
  return offsets;
}

function concatText(parts: readonly Data[], numBytes: number): Uint8Array {
  const text = new Uint8Array(numBytes);
  let position = 0;
  for (const part of parts) {
    const first = offsetAt(part, 0);
    const last = offsetAt(part, part.length);
    // A column whose texts are all empty may lack the buffer.
    if (first < last) text.set((part.values as Uint8Array).subarray(first, last), position);
    position += last - first;
  }
  return text;
}

/** Concatenates the rows of a child that the parts use. */
function concatChildren(
  parts: readonly Data[],
  index: number,
  rowsOf: (part: Data) => readonly [start: number, stop: number],
): Data {
  return concatData(parts.map((part) => {
    const [start, stop] = rowsOf(part);
    const child = part.children[index]!;
    return start === 0 && stop === child.length ? child : child.slice(start, stop - start);
  }));
}

function concatAllChildren(
  parts: readonly Data[],
  type: DataType,
  rowsOf: (part: Data) => readonly [start: number, stop: number],
): Data[] {
  return type.children.map((_, index) => concatChildren(parts, index, rowsOf));
}

function concatTypeIds(parts: readonly Data[], length: number): Int8Array {
  return new Int8Array(
    concatValues(
      parts.map(({ typeIds, length }) => ({ values: typeIds, length }) as Data),
      1,
      length,
    ).buffer,
  );
}

/**
 * Concatenates dense unions with whole children, since the offsets of a sliced union refer to them.
 */
function concatDenseUnion(parts: readonly Data[], type: DataType, length: number): Content {
  const children = type.children.map((_, index) =>
    concatData(parts.map((part) => part.children[index]!))
  );
  const union = type as DataType & { readonly typeIds: ArrayLike<number> };
  const places = new Int32Array(256);
  Array.from(union.typeIds).forEach((id, child) => places[id] = child);
  const before = type.children.map(() => 0);
  const valueOffsets = new Int32Array(length);
  let row = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      valueOffsets[row++] = offsetAt(part, i) + before[places[part.typeIds[i]]!]!;
    }
    part.children.forEach((child, index) => before[index]! += child.length);
  }
  return { typeIds: concatTypeIds(parts, length), valueOffsets, children };
}

/** Returns an offset as a number; an empty column may have no offsets. */
function offsetAt({ valueOffsets }: Data, row: number): number {
  return Number((valueOffsets as Offsets | undefined)?.[row] ?? 0);
}

function sum(parts: readonly Data[], of: (part: Data) => number): number {
  return parts.reduce((total, part) => total + of(part), 0);
}

/**
 * Estimates the bytes of the rows [start, stop) of a column. For text the estimate is never too
 * low.
 */
export function rangeBytes(data: Data, start: number, stop: number): number {
  if (start >= stop) return 0;
  const type = data.type as DataType;
  const numRows = stop - start;
  switch (layoutOf(type)) {
    case "null":
      return 0;
    case "bits":
      return numRows;
    case "values":
      return numRows * valueBytes(type);
    case "dictionary":
      return numRows * valueBytes((type as Dictionary).indices);
    case "view":
      return viewedBytes(data, start, stop);
    case "bytes32":
    case "bytes64":
      return 8 * numRows + offsetAt(data, stop) - offsetAt(data, start);
    case "list32":
    case "list64":
      return 8 * numRows +
        rangeBytes(data.children[0]!, offsetAt(data, start), offsetAt(data, stop));
    case "fixed_list": {
      const { listSize } = type as unknown as { listSize: number };
      return numRows + rangeBytes(data.children[0]!, listSize * start, listSize * stop);
    }
    case "struct":
    case "sparse_union":
      return numRows + sum(data.children, (child) => rangeBytes(child, start, stop));
    case "dense_union":
      return 5 * numRows + sum(data.children, (child) => rangeBytes(child, 0, child.length));
  }
}

/** Counts 16 bytes per view plus the full length of its text, even if that is inline. */
function viewedBytes({ values }: Data, start: number, stop: number): number {
  // apache-arrow stores views as bytes, which may be unaligned.
  const views = new DataView(values.buffer, values.byteOffset, 16 * stop);
  let bytes = 16 * (stop - start);
  for (let row = start; row < stop; row++) bytes += Math.max(0, views.getInt32(16 * row, true));
  return bytes;
}
