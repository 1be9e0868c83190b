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
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
} from "apache-arrow";
import { sameType } from "../arrow.ts";
import { selectFields } from "../select_columns.ts";
import { arrayFromJson, arrayKey, arrayToJson, type ChunkedArray } from "./array_json.ts";
import { product } from "./grid.ts";

/** The column that says where a chunk begins. */
export const originName = "origin";
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
      new Field(originName, originType(chunk.length), false),
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
    const children = schema.fields.map(({ name }) =>
      name === originName ? this.#origins(places) : this.#tensors(places.length, items!)
    );
    const type = new Struct(schema.fields);
    const data = makeData({ type, length: places.length, nullCount: 0, children });
    return new RecordBatch(schema, data);
  }

  #origins(places: readonly (readonly number[])[]): Data {
    const { chunk } = this.#array.grid;
    const origins = new BigInt64Array(places.length * chunk.length);
    let at = 0;
    for (const place of places) {
      for (const [axis, step] of place.entries()) origins[at++] = BigInt(step * chunk[axis]!);
    }
    return listData(originType(chunk.length), places.length, origins);
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

  /** Throws a TypeError in one clause if a schema is not one of chunks of one array. */
  constructor(schema: Schema) {
    const fields = schema.fields.filter(({ metadata }) => metadata.has(arrayKey));
    const [field, second] = fields;
    if (field === undefined) {
      throw new TypeError(
        "the rows are no chunks of an array, as `read` of a Zarr array gives them",
      );
    }
    if (second !== undefined) {
      throw new TypeError(`the rows have chunks of two arrays, ${field.name} and ${second.name}`);
    }
    this.column = field.name;
    this.json = field.metadata.get(arrayKey)!;
    this.array = arrayFromJson(field.name, this.json);
    checkType(field, tensorType(this.array));
    const origin = schema.fields.find(({ name }) => name === originName);
    if (origin === undefined) {
      throw new TypeError(
        `the column origin, which says where chunks of ${field.name} lie, is gone`,
      );
    }
    checkType(origin, originType(this.array.grid.shape.length));
  }

  /** The chunks of a batch. Throws a RangeError for one that is not on the grid of the array. */
  *chunks(batch: RecordBatch): Generator<Chunk, void, void> {
    const items = bytesOf(columnOf(batch, this.column));
    const chunkBytes = product(this.array.grid.chunk) * this.array.itemBytes;
    let at = 0;
    for (const index of this.places(batch)) {
      yield { index, items: items.subarray(at, at += chunkBytes) };
    }
  }

  /** The places of the chunks of a batch, of which only the column `origin` is looked at. */
  *places(batch: RecordBatch): Generator<readonly number[], void, void> {
    const origins = bytesOf(columnOf(batch, originName));
    const { shape, chunk } = this.array.grid;
    const view = new DataView(origins.buffer, origins.byteOffset, origins.byteLength);
    for (let row = 0; row < batch.numRows; row++) {
      const start = shape.map((_, axis) =>
        Number(view.getBigInt64((row * shape.length + axis) * 8, true))
      );
      const isOnGrid = start.every((at, axis) =>
        at >= 0 && at < shape[axis]! && at % chunk[axis]! === 0
      );
      if (!isOnGrid) {
        const grid = `of ${show(chunk)} in an array of ${show(shape)}`;
        throw new RangeError(`no chunk begins at ${show(start)}, where chunks are ${grid}`);
      }
      yield start.map((at, axis) => at / chunk[axis]!);
    }
  }
}

/** The name of the column of an array: the last part of its path, without `.zarr`. */
function columnName(path: string): string {
  const [last = ""] = /[^/\\]*$/.exec(path.replace(/[/\\]+$/, ""))!;
  const name = last.replace(/\.zarr$/i, "");
  return name === "" || /^\.+$/.test(name) || name === originName ? "chunk" : name;
}

function originType(numAxes: number): FixedSizeList {
  return new FixedSizeList(numAxes, new Field("item", new Int64(), true));
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

function listData(type: FixedSizeList, length: number, values: ArrayBufferView): Data {
  const item = type.children[0]!.type;
  const numItems = length * type.listSize;
  const child = makeData({ type: item, length: numItems, nullCount: 0, data: values } as never);
  return makeData({ type, length, nullCount: 0, child });
}

function checkType({ name, type }: Field, wanted: FixedSizeList): void {
  const isWanted = type.typeId === wanted.typeId &&
    (type as FixedSizeList).listSize === wanted.listSize &&
    sameType(type.children[0]!.type, wanted.children[0]!.type);
  if (!isWanted) throw new TypeError(`column ${name} is ${type}, and chunks of it are ${wanted}`);
}

function columnOf(batch: RecordBatch, name: string): Data {
  const data = batch.data.children[batch.schema.fields.findIndex((field) => field.name === name)];
  if (data === undefined) throw new TypeError(`a batch has no column ${name}`);
  const [child] = data.children;
  if (data.nullCount > 0 || child !== undefined && child.nullCount > 0) {
    throw new TypeError(`column ${name} has nulls, and items of an array are never null`);
  }
  return data;
}

/** The bytes of the items of lists, from the first row of a batch on. */
function bytesOf({ children: [child] }: Data): Uint8Array {
  if (child === undefined || child.length === 0) return new Uint8Array(0);
  const { buffer, byteOffset, byteLength } = child.values as ArrayBufferView;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function show(lengths: readonly number[]): string {
  return `[${lengths.join(", ")}]`;
}
