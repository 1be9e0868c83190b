/**
 * Chunks of an array as record batches. Each row is a chunk: its column `origin` says where it begins,
 * and a column with the name of the array has its items, an `arrow.fixed_shape_tensor`. How chunks are
 * grouped to batches means nothing, nor does their order. What the array is travels as JSON in the
 * metadata of its field, so that chunks that came through other formats still make an array.
 *
 * Items are the bytes of the chunk, which are not copied. Chunks at the end of the array have full
 * size, as they have in Zarr. Values without a type in Arrow are bytes of fixed size; those of `bool`
 * are a byte each, and times the integers that they are stored as.
 *
 * @module
 */

import {
  type Data,
  type DataType,
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
  type RecordBatch,
  Schema,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
} from "apache-arrow";
import { selectFields } from "../../../types/select_columns.ts";
import { arrayKey } from "../../../types/array_key.ts";
import { arrayToJson } from "./array_json.ts";
import { isChunkedText } from "../items/text_array.ts";
import type { ChunkedArray } from "../items/zarr_array.ts";
import {
  arrayFieldOf,
  checkType,
  chunkRows,
  columnName,
  itemBytesOf,
  listData,
  originField,
  placesOf,
} from "./chunk_rows.ts";
import { product } from "../grid/grid.ts";

/** The most items of a list of fixed size: its length is an int32. */
const mostItems = 2 ** 31 - 1;

/** A chunk of an array, which lies in a batch. */
export interface Chunk {
  /** Its place in the grid of the array. */
  readonly index: readonly number[];
  /** The items in C order, of a full chunk. */
  readonly items: Uint8Array;
}

/** Makes batches of the chunks of an array. */
export class ChunkBatches {
  /** The column with the items. */
  readonly column: string;
  readonly schema: Schema;
  readonly #array: ChunkedArray;

  /** Throws a TypeError if the chunks have more items than a list may have. */
  constructor(array: ChunkedArray) {
    const { chunk } = array.grid;
    const numItems = product(chunk);
    if (numItems > mostItems) {
      throw new TypeError(`chunks of ${numItems} items are too large, a list has ${mostItems}`);
    }
    this.#array = array;
    this.column = columnName(array.name);
    this.schema = new Schema([
      originField(chunk.length),
      new Field(this.column, tensorType(array), false, tensorMetadata(array, this.column)),
    ]);
  }

  /**
   * The batch of the chunks at some places. `items` has them one after the other, and is shared; it
   * begins at a multiple of eight bytes, and may be missing where `columns` does not name it.
   */
  batch(
    places: readonly (readonly number[])[],
    items: Uint8Array | undefined,
    columns?: readonly string[],
  ): RecordBatch {
    const schema = columns === undefined ? this.schema : selectFields(this.schema, columns);
    return chunkRows(schema, places, this.#array.grid, () => this.#tensors(places.length, items!));
  }

  #tensors(numRows: number, items: Uint8Array): Data {
    const type = tensorType(this.#array);
    const { ArrayType } = type.children[0]!.type;
    const { buffer, byteOffset, byteLength } = items;
    const values = new ArrayType(buffer, byteOffset, byteLength / ArrayType.BYTES_PER_ELEMENT);
    return listData(type, numRows, values);
  }
}

/** Finds the chunks of one array in batches that come from anywhere. */
export class ChunkFinder {
  readonly array: ChunkedArray;
  /** The array as it is written in the metadata, to compare it with another. */
  readonly json: string;
  /** The column with the items. */
  readonly column: string;

  /** Throws a TypeError in one clause if a schema is not one of chunks of one array of numbers. */
  constructor(schema: Schema) {
    const { field, array, json } = arrayFieldOf(schema);
    if (isChunkedText(array)) {
      throw new TypeError(`the rows have chunks of ${field.name}, whose items have any length`);
    }
    this.column = field.name;
    this.json = json;
    this.array = array;
    checkType(field, tensorType(array));
  }

  /** The chunks of a batch. Throws a RangeError for one that is not on the grid of the array. */
  *chunks(batch: RecordBatch): Generator<Chunk, void, void> {
    const items = itemBytesOf(batch, this.column);
    const chunkBytes = product(this.array.grid.chunk) * this.array.itemBytes;
    let at = 0;
    for (const index of this.places(batch)) {
      yield { index, items: items.subarray(at, at += chunkBytes) };
    }
  }

  /** The places of the chunks of a batch, of which only the column `origin` is looked at. */
  places(batch: RecordBatch): Generator<readonly number[], void, void> {
    return placesOf(batch, this.array.grid);
  }
}

function tensorType({ grid, dataType, itemBytes }: ChunkedArray): FixedSizeList {
  const item = itemTypes[dataType]?.() ?? new FixedSizeBinary(itemBytes);
  return new FixedSizeList(product(grid.chunk), new Field("item", item, true));
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

/** https://arrow.apache.org/docs/format/CanonicalExtensions.html#fixed-shape-tensor */
function tensorMetadata(array: ChunkedArray, name: string): Map<string, string> {
  const { grid: { chunk }, dimensionNames } = array;
  const hasNames = dimensionNames?.every((name) => name !== null);
  const parameters = { shape: chunk, ...(hasNames ? { dim_names: dimensionNames } : {}) };
  return new Map([
    ["ARROW:extension:name", "arrow.fixed_shape_tensor"],
    ["ARROW:extension:metadata", JSON.stringify(parameters)],
    // Where the array lies is nobody else's business.
    [arrayKey, arrayToJson(array, name)],
  ]);
}
