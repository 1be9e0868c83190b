/**
 * The memory of insertions into a table.
 *
 * @module
 */

import { bitmapBytes } from "../../column/bitmap.ts";
import type { HostColumn } from "../../column/column.ts";
import { BLOCK_ROWS } from "../../key/key_words.ts";
import type { Work } from "./work.ts";

/** The arrays of kernels that insert keys, for a block of rows at a time. */
export class InsertScratch {
  /** The number of rows of the key. */
  readonly numRows: number;
  /** The words of the keys of a block, or their hashes and their offsets. */
  readonly words: Int32Array;
  readonly offsets: Int32Array;
  /** For each row of a block, the first row + 1 with its key. */
  readonly firsts: Int32Array;
  /** The place of the validity of all rows; 0 if none is null. */
  readonly validity: number;

  constructor(work: Work, width: number, { length, nullCount, validity }: HostColumn) {
    this.numRows = length;
    const bits = nullCount === 0 ? null : validity?.subarray(0, bitmapBytes(length)) ?? null;
    // A new area may detach views, so all views are created at the end.
    const words = work.area("key words", 4 * width * BLOCK_ROWS);
    const offsets = work.area("key offsets", 4 * BLOCK_ROWS + 4);
    const firsts = work.area("key firsts", 4 * BLOCK_ROWS);
    this.validity = bits === null ? 0 : work.area("key validity", bits.length);
    this.words = work.words(words, width * BLOCK_ROWS);
    this.offsets = work.words(offsets, BLOCK_ROWS + 1);
    this.firsts = work.words(firsts, BLOCK_ROWS);
    if (bits !== null) work.bytes(this.validity, bits.length).set(bits);
  }
}
