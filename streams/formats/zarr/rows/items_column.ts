/**
 * The columns of chunks, for either kind of items. Each chunk is a list: of a fixed number of values, which
 * are the bytes of the chunk, or of texts or bytes.
 *
 * @module
 */

import {
  Binary,
  type Data,
  DataType,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  List,
  makeData,
  type RecordBatch,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
} from "apache-arrow";
import { typeName } from "../../../types/type_name.ts";
import { product } from "../grid/grid.ts";
import type { FixedArray, VariableArray, VariableItems } from "../items/array.ts";
import { checkType, columnOf, itemBytesOf, listData, nullsIn } from "./chunk_rows.ts";

/** A chunk of an array in a batch. */
export interface Chunk<Items> {
  /** Its index in the grid of the array. */
  readonly index: readonly number[];
  /** The items of the full chunk, in C order. */
  readonly items: Items;
}

/** The column for the chunks of an array. */
export interface ItemsColumn<Items> {
  readonly type: DataType;
  /** The metadata of the field, for other readers. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Returns the column of a number of chunks, whose items are contiguous. */
  data(numRows: number, items: Items): Data;
  /** Throws a TypeError for a column of another type. */
  check(field: Field): void;
  /**
   * Yields the chunks of a batch, without copies. Throws a TypeError for nulls, and a RangeError for a chunk
   * with another number of items.
   */
  chunks(
    batch: RecordBatch,
    name: string,
    places: Iterable<readonly number[]>,
  ): Generator<Chunk<Items>, void, void>;
}

/** The greatest number of items of a fixed-size list, whose length is an int32. */
const mostItems = 2 ** 31 - 1;

/** Returns the column of items of a fixed size. Throws a TypeError for more items than a list may have. */
export function fixedColumn(array: FixedArray): ItemsColumn<Uint8Array> {
  const numItems = product(array.grid.chunk);
  if (numItems > mostItems) {
    throw new TypeError(
      `chunks of ${numItems} items are too large; a list has at most ${mostItems}`,
    );
  }
  const item = itemTypes[array.dataType]?.() ?? new FixedSizeBinary(array.itemBytes);
  const type = new FixedSizeList(numItems, new Field("item", item, true));
  return {
    type,
    metadata: tensorMetadata(array),
    data(numRows, { buffer, byteOffset, byteLength }) {
      const { ArrayType } = item;
      const length = byteLength / ArrayType.BYTES_PER_ELEMENT;
      return listData(type, numRows, new ArrayType(buffer, byteOffset, length));
    },
    check: (field) => checkType(field, type),
    *chunks(batch, name, places) {
      const items = itemBytesOf(batch, name);
      const chunkBytes = numItems * array.itemBytes;
      let at = 0;
      for (const index of places) yield { index, items: items.subarray(at, at += chunkBytes) };
    },
  };
}

const itemTypes: Readonly<Record<string, () => DataType>> = {
  bool: () => new Uint8(),
  int8: () => new Int8(),
  int16: () => new Int16(),
  int32: () => new Int32(),
  int64: () => new Int64(),
  uint8: () => new Uint8(),
  uint16: () => new Uint16(),
  uint32: () => new Uint32(),
  uint64: () => new Uint64(),
  float16: () => new Float16(),
  float32: () => new Float32(),
  float64: () => new Float64(),
  "numpy.datetime64": () => new Int64(),
  "numpy.timedelta64": () => new Int64(),
};

/**
 * Returns the metadata of a fixed-shape tensor.
 * Source: https://arrow.apache.org/docs/format/CanonicalExtensions.html#fixed-shape-tensor.
 */
function tensorMetadata({ grid: { chunk }, dimensionNames }: FixedArray): Map<string, string> {
  const hasNames = dimensionNames?.every((name) => name !== null);
  const parameters = { shape: chunk, ...(hasNames ? { dim_names: dimensionNames } : {}) };
  return new Map([
    ["ARROW:extension:name", "arrow.fixed_shape_tensor"],
    ["ARROW:extension:metadata", JSON.stringify(parameters)],
  ]);
}

/** Returns the column of items of a variable size. */
export function variableColumn({ grid, dataType }: VariableArray): ItemsColumn<VariableItems> {
  const numItems = product(grid.chunk);
  const item: DataType = dataType === "string" ? new Utf8() : new Binary();
  const type = new List(new Field("item", item, true));
  return {
    type,
    metadata: new Map(),
    data(numRows, { offsets, data }) {
      const length = offsets.length - 1;
      const values = { type: item, length, nullCount: 0, valueOffsets: offsets, data };
      const child = makeData(values as never) as Data;
      const valueOffsets = Int32Array.from({ length: numRows + 1 }, (_, row) => row * numItems);
      return makeData({ type, length: numRows, nullCount: 0, valueOffsets, child });
    },
    check(field) {
      if (isListOf(dataType, field.type)) return;
      const [is, wanted] = [typeName(field.type), typeName(type)];
      throw new TypeError(`column ${field.name} is ${is}, but its chunks must be ${wanted}`);
    },
    *chunks(batch, name, places) {
      const lists = columnOf(batch, name);
      const child = lists.children[0]!;
      let row = 0;
      for (const index of places) {
        const [start, stop] = [lists.valueOffsets[row], lists.valueOffsets[++row]].map(Number);
        const count = stop! - start!;
        if (count !== numItems) {
          const origin = index.map((place, axis) => place * grid.chunk[axis]!);
          const shown = origin.join(", ");
          throw new RangeError(
            `the chunk at [${shown}] has ${count} items, but chunks have ${numItems}`,
          );
        }
        for (let at = start!; child.nullCount > 0 && at < stop!; at++) {
          if (!child.getValid(at)) throw nullsIn(name);
        }
        yield { index, items: itemsOf(child, start!, stop!) };
      }
    },
  };
}

/** Whether a column has lists of text or bytes, with offsets of any width. */
function isListOf(dataType: "string" | "bytes", type: DataType): boolean {
  if (!DataType.isList(type) && !DataType.isLargeList(type)) return false;
  const item = type.children[0]!.type;
  return dataType === "string"
    ? DataType.isUtf8(item) || DataType.isLargeUtf8(item)
    : DataType.isBinary(item) || DataType.isLargeBinary(item);
}

/** Returns some items of a column, without a copy. Throws where they have 2 GiB or more. */
function itemsOf({ valueOffsets, values }: Data, start: number, stop: number): VariableItems {
  const offsets: Int32Array | BigInt64Array = valueOffsets.subarray(start, stop + 1);
  if (offsets instanceof Int32Array) return { offsets, data: values };
  const first = offsets[0]!;
  const last = offsets[offsets.length - 1]!;
  if (last - first >= 2n ** 31n) throw new RangeError("a chunk has items of 2 GiB or more");
  return {
    offsets: Int32Array.from(offsets, (offset) => Number(offset - first)),
    data: values.subarray(Number(first), Number(last)),
  };
}
