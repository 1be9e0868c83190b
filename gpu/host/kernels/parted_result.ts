/**
 * The result of a kernel while its parts are appended.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";
import { bitmapBytes, clearTail } from "../../column/bitmap.ts";
import { columnFull, growArray, roomFor, withoutSlack } from "../runtime/grow_array.ts";
import { bytesOf, type NumberArray, resultArray, type Rows } from "./kernel_arrays.ts";

/** The result of a kernel, except for lists, which grows part by part in the order of the rows. */
export class PartedResult {
  readonly kernel: RowKernel;
  readonly numRows: number;
  /** For text, the ends of the rows so far. */
  readonly offsets: Int32Array | null;
  /** The validity of the rows; null if no row can be null. */
  readonly validity: Uint8Array | null;
  /** Values of fixed width; null for text. */
  readonly values: NumberArray | null;
  /** The bytes of text so far, and the number of null rows so far. */
  size = 0;
  nulls = 0;
  #text: Uint8Array;

  /** Expects about `textBytes` bytes of text. */
  constructor(kernel: RowKernel, numRows: number, writesFloats: boolean, textBytes: number) {
    const isText = kernel.type.kind === "string";
    this.kernel = kernel;
    this.numRows = numRows;
    this.offsets = isText ? new Int32Array(numRows + 1) : null;
    this.validity = kernel.canBeNull ? new Uint8Array(bitmapBytes(numRows)) : null;
    this.values = isText ? null : resultArray(kernel.type, numRows, writesFloats) as NumberArray;
    this.#text = new Uint8Array(isText ? roomFor(textBytes) : 0);
  }

  /** The unused memory after the text so far. */
  get room(): Uint8Array {
    return this.#text.subarray(this.size);
  }

  /** Returns the fixed-width values of some rows, or the bytes of the bits of a bool. */
  valuesOf({ start, stop }: Rows): NumberArray | null {
    const { values, numRows, kernel: { type } } = this;
    if (values === null) return null;
    if (type.kind === "bool") return values.subarray(start >> 3, (stop + 7) >> 3);
    const width = values.length / numRows;
    return values.subarray(start * width, stop * width);
  }

  /** Returns the validity of some rows. */
  validityOf({ start, stop }: Rows): Uint8Array | null {
    return this.validity?.subarray(start >> 3, (stop + 7) >> 3) ?? null;
  }

  /**
   * Reserves `wanted` bytes after the text so far, and keeps the first `written` bytes there.
   * Returns false if offsets cannot address that many bytes.
   */
  makeRoom(written: number, wanted: number): boolean {
    const size = this.size + wanted;
    if (size <= this.#text.length) return true;
    const text = growArray(this.#text, this.size + written, size);
    if (text !== null) this.#text = text;
    return text !== null;
  }

  /**
   * Does the same for the code of kernels: returns the reserved bytes, or throws that the column is
   * full at `row`.
   */
  growForKernel(written: number, wanted: number, row: number): Uint8Array {
    if (!this.makeRoom(written, wanted)) columnFull(this.#text, this.size + wanted, row);
    return this.room;
  }

  /** Appends text; returns false if offsets cannot address it. */
  append(bytes: Uint8Array): boolean {
    if (!this.makeRoom(0, bytes.length)) return false;
    this.#text.set(bytes, this.size);
    this.size += bytes.length;
    return true;
  }

  /** Returns the column, once it has all rows. */
  finish(): HostColumn {
    const { kernel, numRows, offsets, values, nulls } = this;
    const validity = nulls === 0 ? null : this.validity;
    if (validity !== null) clearTail(validity, numRows);
    return {
      place: "host",
      type: kernel.type,
      length: numRows,
      nullCount: nulls,
      validity,
      offsets,
      data: values === null ? withoutSlack(this.#text, this.size) : bytesOf(values),
      children: [],
    };
  }
}
