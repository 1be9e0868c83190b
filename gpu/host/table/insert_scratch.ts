/** @module */

import { bitmapBytes } from "../../column/bitmap.ts";
import type { HostColumn } from "../../column/column.ts";
import { BLOCK_ROWS } from "../../key/key_words.ts";
import type { Work } from "./work.ts";

/** What kernels read and write while keys are put into a table, a block of rows at a time. */
export class InsertScratch {
  /** Rows of the key. */
  readonly numRows: number;
  /** The words of the keys of a block, or their hashes and their offsets. */
  readonly words: Int32Array;
  readonly offsets: Int32Array;
  /** The rows + 1 of a block that have a key first. */
  readonly firsts: Int32Array;
  /** Where the validity of all rows lies; 0 where none is null. */
  readonly validity: number;

  constructor(work: Work, width: number, { length, nullCount, validity }: HostColumn) {
    this.numRows = length;
    const bits = nullCount === 0 ? null : validity?.subarray(0, bitmapBytes(length)) ?? null;
    // All areas come before all views, which they may end.
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
