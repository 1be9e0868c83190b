/**
 * Converts Arrow data to columns of the compute layer, without a copy if the layouts agree. Text in
 * views and dictionaries becomes plain text, with 64-bit offsets only if needed.
 *
 * @module
 */

import { type Data, DataType, type Vector } from "apache-arrow";
import {
  byteWidth,
  type ColumnType,
  type HostColumn,
  nullColumn,
  type Offsets,
} from "../../gpu/column/column.ts";
import { OverflowError } from "../../base/errors/value_error.ts";
import { sliceBitmap } from "../../gpu/column/bitmap.ts";
import { concatColumns } from "../../gpu/column/concat.ts";
import { gatherColumn } from "../../gpu/column/gather.ts";
import { isWide, MAX_NARROW_OFFSET, newOffsets } from "../../gpu/column/offsets.ts";
import { columnTypeOf } from "./arrow_types.ts";
import { plainType } from "../../streams/data/plain_schema.ts";

/**
 * Converts one column of a record batch to a host column. Shares buffers that are suitable: aligned
 * to 8 bytes, bits starting at bit 0. Throws an OverflowError for more than 2^31 - 1 list items.
 */
export function fromArrow(data: Data): HostColumn {
  const type = data.type as DataType;
  if (DataType.isDictionary(type)) return decodeDictionary(data);
  const columnType = columnTypeOf(plainType(type));
  if (DataType.isNull(type)) return nullColumn(columnType, data.length);
  switch (columnType.kind) {
    case "string": {
      const { offsets, data: text } = textOf(data);
      return hostColumn(data, columnType, text, offsets);
    }
    case "bool":
      return hostColumn(data, columnType, bitsOf(data));
    case "list":
      return hostColumn(data, columnType, nothing, offsetsOf(data), childrenOf(data));
    case "struct":
      return hostColumn(data, columnType, nothing, null, childrenOf(data));
    default:
      return hostColumn(data, columnType, fixedBytes(data, columnType));
  }
}

const nothing = new Uint8Array(0);

/** Returns a column with the rows and nulls of Arrow data. */
function hostColumn(
  data: Data,
  type: ColumnType,
  values: Uint8Array,
  offsets: Offsets | null = null,
  children: readonly HostColumn[] = [],
): HostColumn {
  return {
    place: "host",
    type,
    length: data.length,
    nullCount: data.nullCount,
    validity: validityOf(data),
    data: values,
    offsets,
    children,
  };
}

/** Converts the children; apache-arrow omits some in empty data. */
function childrenOf({ type, length, valueOffsets, children }: Data): HostColumn[] {
  return (type as DataType).children.map((field, index) => {
    const child = children[index];
    if (!child) return nullColumn(columnTypeOf(plainType(field.type)), 0);
    if (!DataType.isLargeList(type) || length === 0) return fromArrow(child);
    // The new offsets start at 0.
    const first = Number(valueOffsets[0]);
    return fromArrow(child.slice(first, Number(valueOffsets[length]) - first));
  });
}

function validityOf(data: Data): Uint8Array | null {
  if (data.nullCount === 0 || !data.nullBitmap) return null;
  return sliceBitmap(data.nullBitmap, data.offset, data.offset + data.length);
}

function bitsOf(data: Data): Uint8Array {
  if (data.length === 0) return new Uint8Array(0);
  return sliceBitmap(data.values, data.offset, data.offset + data.length);
}

function fixedBytes(data: Data, type: ColumnType): Uint8Array {
  // Empty data may lack buffers.
  if (data.length === 0) return new Uint8Array(0);
  const values: ArrayBufferView = data.values;
  const bytes = new Uint8Array(
    values.buffer,
    values.byteOffset,
    data.length * byteWidth(type),
  );
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

function textOf(data: Data): { offsets: Offsets; data: Uint8Array } {
  const type = data.type as DataType;
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) return textOfViews(data);
  if (data.length === 0) return { offsets: new Int32Array(1), data: new Uint8Array(0) };
  const offsets = data.valueOffsets as Int32Array | BigInt64Array;
  if (offsets instanceof Int32Array) return { offsets: offsetsOf(data), data: data.values };
  const start = Number(offsets[0]);
  const stop = Number(offsets[data.length]);
  return {
    offsets: offsetsFromZero(offsets, data.length),
    data: data.values.subarray(start, stop),
  };
}

/** Returns list offsets in 32 bits; those converted from 64 bits start at 0. */
function offsetsOf(data: Data): Int32Array {
  const type = data.type as DataType;
  if (DataType.isFixedSizeList(type)) {
    return Int32Array.from({ length: data.length + 1 }, (_, row) => row * type.listSize);
  }
  if (data.length === 0) return new Int32Array(1);
  const offsets = data.valueOffsets as Int32Array | BigInt64Array;
  if (offsets instanceof Int32Array) return offsets.subarray(0, data.length + 1);
  const narrow = offsetsFromZero(offsets, data.length);
  if (!isWide(narrow)) return narrow;
  const row = narrow.findIndex((position) => position > MAX_NARROW_OFFSET) - 1;
  const message = `Lists of more than ${MAX_NARROW_OFFSET} items are not supported`;
  throw new OverflowError(message, row, narrow[row + 1]!);
}

/** Returns the first `length + 1` offsets rebased to 0, in 32 bits if they fit. */
function offsetsFromZero(offsets: BigInt64Array, length: number): Offsets {
  const words = new Int32Array(offsets.buffer, offsets.byteOffset, 2 * (length + 1));
  const span = Number(offsets[length]! - offsets[0]!);
  return span > MAX_NARROW_OFFSET ? wideFromZero(words, length) : narrowFromZero(words, length);
}

/** Subtracts only the low words, which is exact as long as the span is below 2^31. */
function narrowFromZero(words: Int32Array, length: number): Int32Array {
  const narrow = new Int32Array(length + 1);
  const first = words[0]!;
  for (let row = 0; row <= length; row++) narrow[row] = (words[2 * row]! - first) | 0;
  return narrow;
}

function wideFromZero(words: Int32Array, length: number): Float64Array {
  const wide = new Float64Array(length + 1);
  const first = positionAt(words, 0);
  for (let row = 0; row <= length; row++) wide[row] = positionAt(words, row) - first;
  return wide;
}

function positionAt(words: Int32Array, row: number): number {
  return words[2 * row + 1]! * 2 ** 32 + (words[2 * row]! >>> 0);
}

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/**
 * Copies the text of a Utf8View or BinaryView column into one buffer. A view is 16 bytes: the length,
 * then either up to 12 bytes of text, or a prefix, a buffer index and an offset. Null rows are empty.
 */
function textOfViews(data: Data): { offsets: Offsets; data: Uint8Array } {
  const views: Uint8Array = data.values;
  const words = new DataView(views.buffer, views.byteOffset, data.length * VIEW_BYTES);
  const sizeOf = (row: number) => data.getValid(row) ? words.getInt32(row * VIEW_BYTES, true) : 0;
  let total = 0;
  for (let row = 0; row < data.length; row++) total += sizeOf(row);
  const offsets = newOffsets(data.length, total);
  for (let row = 0; row < data.length; row++) offsets[row + 1] = offsets[row]! + sizeOf(row);
  const text = new Uint8Array(total);
  for (let row = 0; row < data.length; row++) {
    const start = offsets[row]!;
    const length = offsets[row + 1]! - start;
    if (length === 0) continue;
    const at = row * VIEW_BYTES;
    if (length <= INLINE_BYTES) {
      text.set(views.subarray(at + 4, at + 4 + length), start);
    } else {
      const from = words.getInt32(at + 12, true);
      const buffer = data.variadicBuffers[words.getInt32(at + 8, true)]!;
      text.set(buffer.subarray(from, from + length), start);
    }
  }
  return { offsets, data: text };
}

const dictionaries = new WeakMap<Vector, HostColumn>();

function decodeDictionary(data: Data): HostColumn {
  const vector = data.dictionary!;
  let values = dictionaries.get(vector);
  if (values === undefined) {
    values = concatColumns(vector.data.map((chunk: Data) => fromArrow(chunk)));
    dictionaries.set(vector, values);
  }
  const indices = data.values as ArrayLike<number | bigint>;
  const selection = new Int32Array(data.length);
  for (let row = 0; row < data.length; row++) {
    selection[row] = data.getValid(row) ? Number(indices[row]) : -1;
  }
  return gatherColumn(values, selection);
}
