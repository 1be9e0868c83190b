/**
 * The rows of a part as kernels read them: the bytes of a key and of columns.
 *
 * @module
 */

import { bitmapBytes } from "../../column/bitmap.ts";
import { byteWidth, type HostColumn } from "../../column/column.ts";

/** The most bytes of a text column whose rows kernels take. */
const MAX_TEXT_BYTES = 16 << 20;
const WORD_BYTES = 8;

/** Views of the buffers of a column. */
export interface ColumnArrays {
  readonly data: Uint8Array;
  /** 32-bit offsets into text, and the position of the first byte of `data`. */
  readonly offsets: Uint8Array | null;
  readonly first: number;
  readonly validity: Uint8Array | null;
}

/** A column of a part. */
export interface PartColumn extends ColumnArrays {
  readonly kind: "bit" | "number" | "text";
  /** The bytes of a number. */
  readonly width: number;
}

/** The key and the columns of some rows. */
export interface PartBatch {
  readonly numRows: number;
  /** The words of the keys, or their text. */
  readonly key: ColumnArrays;
  readonly columns: readonly PartColumn[];
}

/** Memory that carries batches to another thread, one at a time. */
export class PartBuffer {
  #buffer = new SharedArrayBuffer(0);

  /** Copies a batch into this memory, each array once. The previous batch is lost. */
  fill<Batch extends PartBatch>(batch: Batch): Batch {
    const all = [batch.key, ...batch.columns]
      .flatMap(({ data, offsets, validity }) => [data, offsets, validity])
      .filter((array) => array !== null);
    const places = new Map<Uint8Array, number>();
    let numBytes = 0;
    for (const array of new Set(all)) {
      // Copies into shared memory are fast only if both sides begin at the same place in a word.
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
    const copied = <Arrays extends ColumnArrays>(arrays: Arrays): Arrays => ({
      ...arrays,
      data: copies.get(arrays.data)!,
      offsets: copies.get(arrays.offsets)!,
      validity: copies.get(arrays.validity)!,
    });
    return { ...batch, key: copied(batch.key), columns: batch.columns.map(copied) };
  }
}

/** Views of buffers, one for each range: a key may be among the columns, too. */
export class Views {
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

  /** Returns text with 32-bit offsets. */
  textOf(column: HostColumn): ColumnArrays {
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

  fixedOf(column: HostColumn, numBytes: number): ColumnArrays {
    const data = this.of(column.data, 0, numBytes);
    return { data, offsets: null, first: 0, validity: this.validityOf(column) };
  }
}

/** Returns a column for kernels; null if they cannot take its rows. */
export function partColumn(views: Views, column: HostColumn): PartColumn | null {
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
