/**
 * A probe batch as its kernels get it: which bytes of which columns.
 *
 * @module
 */

import { bitmapBytes } from "../../column/bitmap.ts";
import { byteWidth, type HostColumn } from "../../column/column.ts";
import { BLOCK_ROWS, readIntKeys } from "../../key/key_words.ts";
import type { IndexPlaces } from "./table_places.ts";

/** Bytes of a column of text at most; longer ones are taken where they are. */
const MAX_TEXT_BYTES = 16 << 20;
const WORD_BYTES = 8;

/** Parts of the buffers of a column. */
export interface BatchArrays {
  readonly data: Uint8Array;
  /** Offsets of 32 bits into text, and the position in the text at which the data begin. */
  readonly offsets: Uint8Array | null;
  readonly first: number;
  readonly validity: Uint8Array | null;
}

/** A column of a probe batch. */
export interface BatchColumn extends BatchArrays {
  readonly kind: "bit" | "number" | "text";
  /** Bytes of a number. */
  readonly width: number;
}

/** A probe batch. */
export interface ProbeBatch {
  readonly numRows: number;
  /** The words of the keys, or their text. */
  readonly key: BatchArrays;
  readonly columns: readonly BatchColumn[];
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
  const taken: BatchColumn[] = [];
  // Where there are no pieces, nobody takes rows of columns.
  const places = columns.map((column) => {
    if (pieceRows === 0) return -1;
    const own = takenColumn(views, column);
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

/** Memory in which a batch goes to another thread, one at a time. */
export class Crate {
  #buffer = new SharedArrayBuffer(0);

  /** A copy of a batch, each array once; what was in the crate is lost. */
  fill(batch: ProbeBatch): ProbeBatch {
    const all = [batch.key, ...batch.columns]
      .flatMap(({ data, offsets, validity }) => [data, offsets, validity])
      .filter((array) => array !== null);
    const places = new Map<Uint8Array, number>();
    let numBytes = 0;
    for (const array of new Set(all)) {
      // Copies into shared memory are fast only where both begin at the same place in a word.
      places.set(array, numBytes + array.byteOffset % WORD_BYTES);
      numBytes = WORD_BYTES * Math.ceil((numBytes + array.length) / WORD_BYTES + 1);
    }
    if (numBytes > this.#buffer.byteLength) {
      this.#buffer = new SharedArrayBuffer(Math.ceil(1.25 * numBytes));
    }
    const copies = new Map<Uint8Array | null, Uint8Array | null>([[null, null]]);
    for (const [array, at] of places) {
      const copy = new Uint8Array(this.#buffer, at, array.length);
      copy.set(array);
      copies.set(array, copy);
    }
    const copied = <Arrays extends BatchArrays>(arrays: Arrays): Arrays => ({
      ...arrays,
      data: copies.get(arrays.data)!,
      offsets: copies.get(arrays.offsets)!,
      validity: copies.get(arrays.validity)!,
    });
    return { ...batch, key: copied(batch.key), columns: batch.columns.map(copied) };
  }
}

/** Parts of buffers, each of which is one array: a key may be among the columns too. */
class Views {
  readonly #views: Uint8Array[] = [];

  of({ buffer, byteOffset }: Uint8Array | Int32Array, start: number, stop: number): Uint8Array {
    const from = byteOffset + start;
    const known = this.#views.find((view) =>
      view.buffer === buffer && view.byteOffset === from && view.length === stop - start
    );
    if (known !== undefined) return known;
    const view = new Uint8Array(buffer, from, stop - start);
    this.#views.push(view);
    return view;
  }

  validityOf({ nullCount, validity, length }: HostColumn): Uint8Array | null {
    if (nullCount === 0 || validity === null) return null;
    return this.of(validity, 0, bitmapBytes(length));
  }

  /** Text with offsets of 32 bits. */
  textOf(column: HostColumn): BatchArrays {
    const { data, length } = column;
    const offsets = column.offsets as Int32Array;
    const first = offsets[0]!;
    return {
      data: this.of(data, first, offsets[length]!),
      offsets: this.of(offsets, 0, 4 * (length + 1)),
      first,
      validity: this.validityOf(column),
    };
  }

  fixedOf(column: HostColumn, numBytes: number): BatchArrays {
    const data = this.of(column.data, 0, numBytes);
    return { data, offsets: null, first: 0, validity: this.validityOf(column) };
  }
}

function keyArrays(views: Views, index: IndexPlaces, key: HostColumn): BatchArrays {
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

/** Null for a column that kernels do not take rows of. */
function takenColumn(views: Views, column: HostColumn): BatchColumn | null {
  const { type, offsets, length } = column;
  if (type.kind === "bool") {
    return { kind: "bit", width: 0, ...views.fixedOf(column, bitmapBytes(length)) };
  }
  if (type.kind === "string") {
    const isShort = offsets instanceof Int32Array &&
      offsets[length]! - offsets[0]! <= MAX_TEXT_BYTES;
    return isShort ? { kind: "text", width: 0, ...views.textOf(column) } : null;
  }
  const width = byteWidth(type);
  if (![1, 2, 4, 8, 16].includes(width)) return null;
  return { kind: "number", width, ...views.fixedOf(column, width * length) };
}
