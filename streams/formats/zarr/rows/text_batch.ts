/**
 * Chunks of an array of text or bytes as record batches: as those of numbers (chunk_batch.ts), but the
 * items of a chunk are a list, of `utf8` or `binary`, that has as many as a full chunk.
 *
 * @module
 */

import {
  Binary,
  type Data,
  DataType,
  Field,
  List,
  makeData,
  type RecordBatch,
  Schema,
  Utf8,
} from "apache-arrow";
import { selectFields } from "../../../types/select_columns.ts";
import { type ChunkedText, isChunkedText, type TextItems } from "../items/text_array.ts";
import { arrayKey } from "../../../types/array_key.ts";
import { arrayToJson } from "./array_json.ts";
import {
  arrayFieldOf,
  chunkRows,
  columnName,
  columnOf,
  nullsIn,
  originField,
  placesOf,
} from "./chunk_rows.ts";
import { product } from "../grid/grid.ts";
import { typeName } from "../../../types/type_name.ts";

/** A chunk of an array, which lies in a batch. */
export interface TextChunk {
  /** Its place in the grid of the array. */
  readonly index: readonly number[];
  /** The items in C order, of a full chunk. */
  readonly items: TextItems;
}

/** Makes batches of the chunks of an array. */
export class TextBatches {
  /** The column with the items. */
  readonly column: string;
  readonly schema: Schema;
  readonly #array: ChunkedText;

  constructor(array: ChunkedText) {
    this.#array = array;
    this.column = columnName(array.name);
    const metadata = new Map([[arrayKey, arrayToJson(array, this.column)]]);
    this.schema = new Schema([
      originField(array.grid.chunk.length),
      new Field(this.column, listType(array), false, metadata),
    ]);
  }

  /**
   * The batch of the chunks at some places. `items` has those of all of them, one after the other, and
   * is shared; it may be missing where `columns` does not name it.
   */
  batch(
    places: readonly (readonly number[])[],
    items: TextItems | undefined,
    columns?: readonly string[],
  ): RecordBatch {
    const schema = columns === undefined ? this.schema : selectFields(this.schema, columns);
    return chunkRows(schema, places, this.#array.grid, () => this.#lists(places.length, items!));
  }

  #lists(length: number, { offsets, data }: TextItems): Data {
    const type = listType(this.#array);
    const numItems = product(this.#array.grid.chunk);
    const child = makeData({
      type: itemType(this.#array),
      length: offsets.length - 1,
      nullCount: 0,
      valueOffsets: offsets,
      data,
    } as never) as Data;
    const valueOffsets = Int32Array.from({ length: length + 1 }, (_, row) => row * numItems);
    return makeData({ type, length, nullCount: 0, valueOffsets, child });
  }
}

/** Finds the chunks of one array of text or bytes in batches that come from anywhere. */
export class TextFinder {
  readonly array: ChunkedText;
  /** The array as it is written in the metadata, to compare it with another. */
  readonly json: string;
  /** The column with the items. */
  readonly column: string;

  /** Throws a TypeError in one clause if a schema is not one of chunks of one array of text or bytes. */
  constructor(schema: Schema) {
    const { field, array, json } = arrayFieldOf(schema);
    if (!isChunkedText(array)) {
      throw new TypeError(`the rows have chunks of ${field.name}, which is no array of text`);
    }
    this.column = field.name;
    this.json = json;
    this.array = array;
    if (!isListOf(array, field.type)) {
      throw new TypeError(
        `column ${field.name} is ${typeName(field.type)}, and chunks of it are ${
          typeName(listType(array))
        }`,
      );
    }
  }

  /** The chunks of a batch. Throws a RangeError for one that is not on the grid or has other items. */
  *chunks(batch: RecordBatch): Generator<TextChunk, void, void> {
    const lists = columnOf(batch, this.column);
    const numItems = product(this.array.grid.chunk);
    let row = 0;
    for (const index of this.places(batch)) {
      const [start, stop] = [lists.valueOffsets[row], lists.valueOffsets[++row]].map(Number);
      if (stop! - start! !== numItems) {
        const origin = index.map((place, axis) => place * this.array.grid.chunk[axis]!);
        throw new RangeError(
          `the chunk at [${origin.join(", ")}] has ${
            stop! - start!
          } items, chunks have ${numItems}`,
        );
      }
      const child = lists.children[0]!;
      for (let at = start!; child.nullCount > 0 && at < stop!; at++) {
        if (!child.getValid(at)) throw nullsIn(this.column);
      }
      yield { index, items: itemsOf(child, start!, stop!) };
    }
  }

  /** The places of the chunks of a batch, of which only the column `origin` is looked at. */
  places(batch: RecordBatch): Generator<readonly number[], void, void> {
    return placesOf(batch, this.array.grid);
  }
}

function itemType({ dataType }: ChunkedText): DataType {
  return dataType === "string" ? new Utf8() : new Binary();
}

function listType(array: ChunkedText): List {
  return new List(new Field("item", itemType(array), true));
}

/** Whether a column has lists of the items of an array, with offsets of any width. */
function isListOf({ dataType }: ChunkedText, type: DataType): boolean {
  if (!DataType.isList(type) && !DataType.isLargeList(type)) return false;
  const item = type.children[0]!.type;
  return dataType === "string"
    ? DataType.isUtf8(item) || DataType.isLargeUtf8(item)
    : DataType.isBinary(item) || DataType.isLargeBinary(item);
}

/** Some items of a column, which are not copied. Throws where they have 2 GiB or more. */
function itemsOf({ valueOffsets, values }: Data, start: number, stop: number): TextItems {
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
