/**
 * Chunks of an array as record batches. Each row is a chunk: its column `origin` says where it begins,
 * and a column with the name of the array has its items: an `arrow.fixed_shape_tensor`, or a list of text or
 * bytes with as many items as a full chunk. How chunks are grouped to batches means nothing, nor does their
 * order. What the array is travels as JSON in the metadata of its field, so that chunks that came through
 * other formats still make an array.
 *
 * Items are those of the chunk, which are not copied. Chunks at the end of the array have full
 * size, as they have in Zarr. Values without a type in Arrow are bytes of fixed size; those of `bool`
 * are a byte each, and times the integers that they are stored as.
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

/** Makes batches of the chunks of an array. */
export class ChunkBatches<A extends AnyArray = AnyArray> {
  /** The column with the items. */
  readonly column: string;
  readonly schema: Schema;
  readonly #array: A;
  readonly #items: ItemsColumn<ItemsOf<A>>;

  /** Throws a TypeError if the chunks have more items than a list may have. */
  constructor(array: Chunked<A>) {
    this.#array = array;
    this.#items = itemsColumnOf<A>(array);
    this.column = columnName(array.name);
    const { type, metadata } = this.#items;
    // Where the array lies is nobody else's business.
    const json = arrayToJson(array, this.column);
    this.schema = new Schema([
      originField(array.grid.chunk.length),
      new Field(this.column, type, false, new Map([...metadata, [arrayKey, json]])),
    ]);
  }

  /**
   * The batch of the chunks at some places. `items` has those of all of them, one after the other, and is
   * shared; of a fixed size, they begin at a multiple of eight bytes. They may be missing where `columns`
   * does not name them.
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

/** Finds the chunks of one array in batches that come from anywhere. */
export class ChunkFinder<A extends AnyArray = AnyArray> {
  readonly array: Chunked<A>;
  /** The array as it is written in the metadata, to compare it with another. */
  readonly json: string;
  /** The column with the items. */
  readonly column: string;
  readonly #items: ItemsColumn<ItemsOf<A>>;

  /**
   * Throws a TypeError in one clause if a schema is not one of chunks of one array. Who knows of which kind
   * its items are may say so.
   */
  constructor(schema: Schema) {
    const { field, array, json } = arrayFieldOf(schema);
    this.column = field.name;
    this.json = json;
    this.array = array as Chunked<A>;
    this.#items = itemsColumnOf<A>(this.array);
    this.#items.check(field);
  }

  /** The chunks of a batch. Throws a RangeError for one that is not on the grid or has other items. */
  chunks(batch: RecordBatch): Generator<Chunk<ItemsOf<A>>, void, void> {
    return this.#items.chunks(batch, this.column, this.places(batch));
  }

  /** The places of the chunks of a batch, of which only the column `origin` is looked at. */
  places(batch: RecordBatch): Generator<readonly number[], void, void> {
    return placesOf(batch, this.array.grid);
  }
}

function itemsColumnOf<A extends AnyArray>(array: AnyArray): ItemsColumn<ItemsOf<A>> {
  const column = isFixed(array) ? fixedColumn(array) : variableColumn(array);
  return column as unknown as ItemsColumn<ItemsOf<A>>;
}
