/** @module */

import type { HostColumn } from "../column.ts";
import type { RowKernel } from "../kernel/ir.ts";
import { ColumnFullError } from "./column_full.ts";
import { resultArray } from "./kernel_arrays.ts";
import { MAX_NARROW_OFFSET } from "./offsets.ts";
import { bytesOf, type NumberArray, type Rows } from "./part_array.ts";

const SPARE_BYTES = 256;

/** The result of a kernel, which grows part by part, in the order of the rows. */
export class PartedResult {
  readonly kernel: RowKernel;
  readonly numRows: number;
  /** Of text: ends of the rows so far. */
  readonly offsets: Int32Array | null;
  /** Bits of the rows; null where none can be null. */
  readonly validity: Uint8Array | null;
  /** Values of fixed width; null for text. */
  readonly values: NumberArray | null;
  /** Bytes of text, and rows that are null, so far. */
  size = 0;
  nulls = 0;
  #text: Uint8Array;

  /** Expects some bytes of text for each row. */
  constructor(kernel: RowKernel, numRows: number, writesFloats: boolean, bytesPerRow: number) {
    const isText = kernel.type.kind === "string";
    this.kernel = kernel;
    this.numRows = numRows;
    this.offsets = isText ? new Int32Array(numRows + 1) : null;
    this.validity = kernel.canBeNull ? new Uint8Array((numRows + 7) >> 3) : null;
    this.values = isText ? null : resultArray(kernel.type, numRows, writesFloats) as NumberArray;
    const estimate = Math.ceil(bytesPerRow * numRows) + SPARE_BYTES;
    this.#text = new Uint8Array(isText ? Math.min(estimate, MAX_NARROW_OFFSET) : 0);
  }

  /** The text behind what there is so far: room for more. */
  get room(): Uint8Array {
    return this.#text.subarray(this.size);
  }

  /** The values of fixed width of some rows, or the bytes of the bits of a bool. */
  valuesOf({ start, stop }: Rows): NumberArray | null {
    const { values, numRows, kernel: { type } } = this;
    if (values === null) return null;
    if (type.kind === "bool") return values.subarray(start >> 3, (stop + 7) >> 3);
    const width = values.length / numRows;
    return values.subarray(start * width, stop * width);
  }

  /** Bits of some rows. */
  validityOf({ start, stop }: Rows): Uint8Array | null {
    return this.validity?.subarray(start >> 3, (stop + 7) >> 3) ?? null;
  }

  /**
   * Makes room for `wanted` bytes behind the text so far, and keeps `written` of those there. Raises a
   * ColumnFullError with `row` for more bytes than offsets address.
   */
  makeRoom(written: number, wanted: number, row: number): void {
    const size = this.size + wanted;
    if (size <= this.#text.length) return;
    if (size > MAX_NARROW_OFFSET) {
      throw new ColumnFullError(`Size of output exceeds ${MAX_NARROW_OFFSET} bytes`, row, size);
    }
    const grown = new Uint8Array(
      Math.min(Math.max(size, 2 * this.#text.length) + SPARE_BYTES, MAX_NARROW_OFFSET),
    );
    grown.set(this.#text.subarray(0, this.size + written));
    this.#text = grown;
  }

  /** Appends the text of rows of which `row` is the first. */
  append(bytes: Uint8Array, row: number): void {
    this.makeRoom(0, bytes.length, row);
    this.#text.set(bytes, this.size);
    this.size += bytes.length;
  }

  /** The column, once all rows are there. */
  finish(): HostColumn {
    const { kernel, numRows, offsets, values, nulls } = this;
    const validity = nulls === 0 ? null : this.validity;
    if (validity !== null && numRows % 8 !== 0) {
      validity[validity.length - 1]! &= (1 << numRows % 8) - 1;
    }
    return {
      place: "host",
      type: kernel.type,
      length: numRows,
      nullCount: nulls,
      validity,
      offsets,
      data: values === null ? this.#usedText() : bytesOf(values),
      children: [],
    };
  }

  /** The text, copied where the rest would hold on to much memory. */
  #usedText(): Uint8Array {
    const used = this.#text.subarray(0, this.size);
    return this.#text.length - this.size > this.size / 4 + 4096 ? used.slice() : used;
  }
}
