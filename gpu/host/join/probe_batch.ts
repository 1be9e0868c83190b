/**
 * A probe batch as its kernels get it: which bytes of which columns.
 *
 * @module
 */

import { byteWidth, type HostColumn } from "../../column/column.ts";
import { BLOCK_ROWS, readIntKeys } from "../../key/key_words.ts";
import {
  type ColumnArrays,
  type PartBatch,
  type PartColumn,
  partColumn,
  Views,
} from "../parts/part_batch.ts";
import type { IndexPlaces } from "../table/index_places.ts";

/** A probe batch. */
export interface ProbeBatch extends PartBatch {
  /** Whether rows of the batch are wanted, for columns that are taken elsewhere. */
  readonly wantsRows: boolean;
  /** Rows of a piece of the result; 0 where only the rows are wanted that were found. */
  readonly pieceRows: number;
}

/** A batch, and which of the columns are in it. */
export interface ChosenBatch {
  readonly batch: ProbeBatch;
  /** For each column its number among those of the batch; -1 for one that is taken where it is. */
  readonly places: readonly number[];
}

/** The parts of keys and columns that kernels read; each key is of the kind that the index has. */
export function probeBatch(
  index: IndexPlaces,
  key: HostColumn,
  columns: readonly HostColumn[],
  pieceRows: number,
): ChosenBatch {
  const views = new Views();
  const taken: PartColumn[] = [];
  // Where there are no pieces, nobody takes rows of columns.
  const places = columns.map((column) => {
    if (pieceRows === 0) return -1;
    const own = partColumn(views, column);
    return own === null ? -1 : taken.push(own) - 1;
  });
  const batch = {
    numRows: key.length,
    key: keyArrays(views, index, key),
    columns: taken,
    wantsRows: pieceRows > 0 && places.includes(-1),
    pieceRows,
  };
  return { batch, places };
}

function keyArrays(views: Views, index: IndexPlaces, key: HostColumn): ColumnArrays {
  if (index.kind === "text" || (index.kind === "hash" && index.packs === "text")) {
    if (key.type.kind !== "string") {
      throw new TypeError(`Cannot read ${key.type.kind} keys as strings`);
    }
    return views.textOf(key);
  }
  const width = index.kind === "hash" && index.packs === "pairs" ? 2 : index.width as 1 | 2;
  // Reads nothing, but refuses keys of another type.
  const read = readIntKeys(key, width);
  const numBytes = 4 * width * key.length;
  if (byteWidth(key.type) === 4 * width) return views.fixedOf(key, numBytes);
  const words = new Int32Array(width * key.length);
  for (let start = 0; start < key.length; start += BLOCK_ROWS) {
    const stop = Math.min(start + BLOCK_ROWS, key.length);
    const block = read(start, stop);
    words.set(block.words.subarray(block.at, block.at + (stop - start) * width), start * width);
  }
  return {
    data: new Uint8Array(words.buffer),
    offsets: null,
    first: 0,
    validity: views.validityOf(key),
  };
}
