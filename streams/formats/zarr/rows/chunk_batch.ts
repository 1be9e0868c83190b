/**
 * Chunks of an array as record batches. Each row is a chunk. Its column `origin` has the position where
 * the chunk begins. A column named like the array has its items: an `arrow.fixed_shape_tensor`, or a list
 * of text or bytes with as many items as a full chunk. The grouping of chunks into batches means nothing,
 * nor does their order. The array is described as JSON in the metadata of its field, so that chunks that
 * came through other formats still make an array.
 *
 * Items share the memory of the chunk. Chunks at the end of the array have full size, as in Zarr. Values
 * without a type in Arrow are bytes of fixed size; a `bool` is one byte, and times are the integers that
 * Zarr stores.
 *
 * @module
 */

import { Field, type RecordBatch, Schema } from "apache-arrow";
import { selectFields } from "../../../types/select_columns.ts";
import { arrayKey } from "../../../types/array_key.ts";
import { type AnyArray, type Chunked, isFixed, type ItemsOf } from "../items/array.ts";
import { arrayToJson } from "./array_json.ts";
import { arrayFieldOf, chunkRows, columnName, originField, placesOf } from "./chunk_rows.ts";
import { type Chunk, fixedColumn, type ItemsColumn, variableColumn } from "./items_column.ts";

/** Creates batches of the chunks of an array. */
export class ChunkBatches<A extends AnyArray = AnyArray> {
  /** The name of the column with the items. */
  readonly column: string;
  readonly schema: Schema;
  readonly #array: A;
  readonly #items: ItemsColumn<ItemsOf<A>>;

  /** Throws a TypeError where chunks have more items than a list may have. */
  constructor(array: Chunked<A>) {
    this.#array = array;
    this.#items = itemsColumnOf<A>(array);
    this.column = columnName(array.name);
    const { type, metadata } = this.#items;
    // The location of the array is private.
    const json = arrayToJson(array, this.column);
    this.schema = new Schema([
      originField(array.grid.chunk.length),
      new Field(this.column, type, false, new Map([...metadata, [arrayKey, json]])),
    ]);
  }

  /**
   * Returns the batch of the chunks at some indices. `items` has the items of all of them, in order, and is
   * shared; items of a fixed size begin at a multiple of eight bytes. `items` may be undefined where
   * `columns` does not name their column.
   */
  batch(
    places: readonly (readonly number[])[],
    items: ItemsOf<A> | undefined,
    columns?: readonly string[],
  ): RecordBatch {
    const schema = columns === undefined ? this.schema : selectFields(this.schema, columns);
    const data = () => this.#items.data(places.length, items!);
    return chunkRows(schema, places, this.#array.grid, data);
  }
}

/** Finds the chunks of one array in batches from any source. */
export class ChunkFinder<A extends AnyArray = AnyArray> {
  readonly array: Chunked<A>;
  /** The description of the array in the metadata, for comparison with another one. */
  readonly json: string;
  /** The name of the column with the items. */
  readonly column: string;
  readonly #items: ItemsColumn<ItemsOf<A>>;

  /**
   * Throws a TypeError whose message is a clause if the schema is not that of chunks of one array. A caller
   * that knows the kind of the items may pass it as `A`.
   */
  constructor(schema: Schema) {
    const { field, array, json } = arrayFieldOf(schema);
    this.column = field.name;
    this.json = json;
    this.array = array as Chunked<A>;
    this.#items = itemsColumnOf<A>(this.array);
    this.#items.check(field);
  }

  /** Yields the chunks of a batch. Throws a RangeError for a chunk off the grid or with other items. */
  chunks(batch: RecordBatch): Generator<Chunk<ItemsOf<A>>, void, void> {
    return this.#items.chunks(batch, this.column, this.places(batch));
  }

  /** Yields the indices of the chunks of a batch, from the column `origin` alone. */
  places(batch: RecordBatch): Generator<readonly number[], void, void> {
    return placesOf(batch, this.array.grid);
  }
}

function itemsColumnOf<A extends AnyArray>(array: AnyArray): ItemsColumn<ItemsOf<A>> {
  const column = isFixed(array) ? fixedColumn(array) : variableColumn(array);
  return column as unknown as ItemsColumn<ItemsOf<A>>;
}
