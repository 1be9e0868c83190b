/**
 * Shared by batches of chunks of either kind of items: the column `origin`, which has the position where
 * a chunk begins, and the field that describes the array.
 *
 * @module
 */

import {
  type Data,
  Field,
  FixedSizeList,
  Int64,
  makeData,
  RecordBatch,
  type Schema,
  Struct,
} from "apache-arrow";
import { sameType } from "../../../data/arrow_data.ts";
import { arrayKey } from "../../../types/array_key.ts";
import type { Chunked } from "../items/array.ts";
import { arrayFromJson } from "./array_json.ts";
import type { Grid } from "../grid/grid.ts";
import { typeName } from "../../../types/type_name.ts";

/** The name of the column with the position of each chunk. */
export const originName = "origin";

/** The field of the chunks of an array. */
interface ArrayField {
  readonly field: Field;
  readonly array: Chunked;
  /** The description of the array in the metadata, for comparison with another one. */
  readonly json: string;
}

/** Finds the field of the array. Throws a TypeError with a clause unless there is one, with origins. */
export function arrayFieldOf(schema: Schema): ArrayField {
  const fields = schema.fields.filter(({ metadata }) => metadata.has(arrayKey));
  const [field, second] = fields;
  if (field === undefined) {
    throw new TypeError(
      "the rows are not chunks of an array, as `read` returns them for a Zarr array",
    );
  }
  if (second !== undefined) {
    throw new TypeError(`the rows have chunks of two arrays, ${field.name} and ${second.name}`);
  }
  const json = field.metadata.get(arrayKey)!;
  const array = arrayFromJson(field.name, json);
  const origin = schema.fields.find(({ name }) => name === originName);
  if (origin === undefined) {
    throw new TypeError(
      `the column origin, with the positions of the chunks of ${field.name}, is missing`,
    );
  }
  checkType(origin, originType(array.grid.shape.length));
  return { field, array, json };
}

/** Throws a TypeError for a column of another type. */
export function checkType({ name, type }: Field, wanted: FixedSizeList): void {
  const isWanted = type.typeId === wanted.typeId &&
    (type as FixedSizeList).listSize === wanted.listSize &&
    sameType(type.children[0]!.type, wanted.children[0]!.type);
  if (!isWanted) {
    throw new TypeError(
      `column ${name} is ${typeName(type)}, but its chunks must be ${typeName(wanted)}`,
    );
  }
}

/** Returns the column name for an array: the last part of its path, without `.zarr`. */
export function columnName(path: string): string {
  const [last = ""] = /[^/\\]*$/.exec(path.replace(/[/\\]+$/, ""))!;
  const name = last.replace(/\.zarr$/i, "");
  return name === "" || /^\.+$/.test(name) || name === originName ? "chunk" : name;
}

function originType(numAxes: number): FixedSizeList {
  return new FixedSizeList(numAxes, new Field("item", new Int64(), true));
}

/** Returns the field of origins of chunks with a number of axes. */
export function originField(numAxes: number): Field {
  return new Field(originName, originType(numAxes), false);
}

/** Returns the batch of the chunks at some indices, one row each; `items` makes the column of items. */
export function chunkRows(
  schema: Schema,
  places: readonly (readonly number[])[],
  grid: Grid,
  items: () => Data,
): RecordBatch {
  const children = schema.fields.map(({ name }) =>
    name === originName ? originData(places, grid) : items()
  );
  const type = new Struct(schema.fields);
  const data = makeData({ type, length: places.length, nullCount: 0, children });
  return new RecordBatch(schema, data);
}

/** Returns the column of the origins of chunks. */
function originData(places: readonly (readonly number[])[], { chunk }: Grid): Data {
  const origins = new BigInt64Array(places.length * chunk.length);
  let at = 0;
  for (const place of places) {
    for (const [axis, step] of place.entries()) origins[at++] = BigInt(step * chunk[axis]!);
  }
  return listData(originType(chunk.length), places.length, origins);
}

/** Yields the indices of the chunks of a batch. Throws a RangeError for one that is off the grid. */
export function* placesOf(
  batch: RecordBatch,
  { shape, chunk }: Grid,
): Generator<readonly number[], void, void> {
  const origins = itemBytesOf(batch, originName);
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
      throw new RangeError(`no chunk begins at ${show(start)}; chunks are ${grid}`);
    }
    yield start.map((at, axis) => at / chunk[axis]!);
  }
}

/** Returns lists of a fixed number of items, which are contiguous in `values`. */
export function listData(type: FixedSizeList, length: number, values: ArrayBufferView): Data {
  const item = type.children[0]!.type;
  const numItems = length * type.listSize;
  const child = makeData({ type: item, length: numItems, nullCount: 0, data: values } as never);
  return makeData({ type, length, nullCount: 0, child });
}

/** Returns a column of a batch. Throws a TypeError where it is missing or has nulls. */
export function columnOf(batch: RecordBatch, name: string): Data {
  const data = batch.data.children[batch.schema.fields.findIndex((field) => field.name === name)];
  if (data === undefined) throw new TypeError(`a batch has no column ${name}`);
  if (data.nullCount > 0) throw nullsIn(name);
  return data;
}

/** Returns the error for a column with nulls. */
export function nullsIn(name: string): TypeError {
  return new TypeError(`column ${name} has nulls, but items of an array cannot be null`);
}

/** Returns the bytes of the items of fixed-size lists in a batch, from its first row on. */
export function itemBytesOf(batch: RecordBatch, name: string): Uint8Array {
  const [child] = columnOf(batch, name).children;
  if (child === undefined || child.length === 0) return new Uint8Array(0);
  if (child.nullCount > 0) throw nullsIn(name);
  const { buffer, byteOffset, byteLength } = child.values as ArrayBufferView;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function show(lengths: readonly number[]): string {
  return `[${lengths.join(", ")}]`;
}
