/**
 * A probe batch as kernels read it.
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
  /** Whether the rows of the batch are wanted, for columns that kernels do not copy. */
  readonly wantsRows: boolean;
  /** The number of rows of a result of the result; 0 if only the matches are wanted. */
  readonly resultRows: number;
}

/** A batch, and the columns that it has. */
export interface ChosenBatch {
  readonly batch: ProbeBatch;
  /**
   * The index of each column among those of the batch; -1 for a column that kernels do not copy.
   */
  readonly places: readonly number[];
}

/** Returns the keys and columns that kernels read; the keys have the form of the index. */
export function probeBatch(
  index: IndexPlaces,
  key: HostColumn,
  columns: readonly HostColumn[],
  resultRows: number,
): ChosenBatch {
  const views = new Views();
  const taken: PartColumn[] = [];
  // Without results, no kernel takes rows of columns.
  const places = columns.map((column) => {
    if (resultRows === 0) return -1;
    const own = partColumn(views, column);
    return own === null ? -1 : taken.push(own) - 1;
  });
  const batch = {
    numRows: key.length,
    key: keyArrays(views, index, key),
    columns: taken,
    wantsRows: resultRows > 0 && places.includes(-1),
    resultRows,
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
  // Only throws for keys of another type; `read` converts later.
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
